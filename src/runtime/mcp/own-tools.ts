/**
 * The server's own tools. Their names begin with `skillc__`, which no skill can have as its name.
 */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";
import type { AskedCall, Connection, Served } from "./served.js";
import { visibleSkills } from "./visible-skills.js";

/** Begins the names of the server's own tools. */
const prefix = "skillc__";

/** Returns whether a name is one of the server's own, and not of a skill. */
export function isOwnTool(name: string): boolean {
  return name.startsWith(prefix);
}

const readsOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const skillTool: Tool = {
  name: `${prefix}skill`,
  title: "Read a skill",
  description:
    "Returns the instructions of one skill of this server: how and when to use its tools. Read them before you use a skill for the first time.",
  inputSchema: {
    type: "object",
    properties: { name: { type: "string", description: "Name of the skill." } },
    required: ["name"],
    additionalProperties: false,
  },
  annotations: readsOnly,
};

/** Returns the server's own tools that are of use here. */
export function ownTools({ data }: Served): readonly Tool[] {
  return data.skills.length > 0 ? [skillTool] : [];
}

/**
 * Calls one of the server's own tools.
 *
 * @throws ProtocolError if there is no tool with this name
 */
export async function callOwnTool(
  connection: Connection,
  { arguments: args = {}, name }: AskedCall,
): Promise<CallToolResult> {
  if (name === skillTool.name) return readSkill(connection, args["name"]);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the server has no tool with this name");
}

async function readSkill(connection: Connection, name: unknown): Promise<CallToolResult> {
  const skills = await visibleSkills(connection);
  const found = skills.find((each) => each.name === name);
  const main = found?.files.find(({ path }) => path === "SKILL.md")?.text;
  if (main !== undefined) return { content: [{ type: "text", text: main }] };
  const names = skills.map((each) => `\`${each.name}\``).join(", ");
  const text = `there is no such skill; the skills are: ${names}`;
  return { content: [{ type: "text", text }], isError: true };
}
