/** Reads all that a server shows to a client. */
import type { Client } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { exampleOf } from "../../../support/schema-example.js";

/** Tools that are called with valid arguments, by a pattern of their names. */
export interface Reading {
  readonly called: RegExp;
}

/** Returns what the client read: results, and errors of bad calls. */
export async function readEverything(
  client: Client,
  { called }: Reading,
): Promise<readonly unknown[]> {
  const listed = await client.listTools();
  const calls = listed.tools.flatMap(({ inputSchema, name }) => [
    { name, arguments: { [`no-${name}`]: 1 } },
    // The schema of arguments describes an object.
    ...(called.test(name) ? [{ name, arguments: exampleOf(inputSchema) as Arguments }] : []),
  ]);
  return [
    client.getInstructions(),
    client.getServerVersion(),
    client.getServerCapabilities(),
    listed,
    await client.listResources(),
    await client.listResourceTemplates(),
    ...(await readSkills(client)),
    ...(await readOwnTools(client)),
    ...(await Promise.all(calls.map((call) => endOf(client.callTool(call))))),
    await endOf(client.callTool({ name: "get-order" })),
    await endOf(client.readResource({ uri: "skill://order-desk/metadata.yaml" })),
    await endOf(client.readResource({ uri: "skillc://results/none" })),
  ];
}

type Arguments = Readonly<Record<string, unknown>>;

async function readSkills(client: Client): Promise<readonly unknown[]> {
  const skills = new SkillsClient(client);
  const listing = await skills.list();
  const each = listing.skills.map(async (skill) => {
    const { resources } = skill;
    const uris = Array.isArray(resources) ? resources.map(({ uri }) => uri) : [];
    const got = await skills.get(skill.uri);
    const files = await Promise.all(uris.map((uri) => skills.read(skill, uri)));
    return [
      got,
      files.map(({ bytes, ...rest }) => ({ ...rest, text: Buffer.from(bytes).toString() })),
    ];
  });
  return [listing, ...(await Promise.all(each))];
}

async function readOwnTools(client: Client): Promise<readonly unknown[]> {
  const { skills } = await new SkillsClient(client).list();
  const names = [...skills.map(({ frontmatter }) => frontmatter.name), "none"];
  const calls = [
    ...names.map((name) => ({ name: "skillc__skill", arguments: { name } })),
    { name: "skillc__await", arguments: { id: "none" } },
    { name: "skillc__cancel", arguments: { id: "none" } },
  ];
  return Promise.all(calls.map((call) => endOf(client.callTool(call))));
}

/** Turns an error into a value, with all that the client knows about it. */
async function endOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ...error, name: error.name, message: error.message };
  }
}
