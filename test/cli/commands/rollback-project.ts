/** A project whose calls the command line makes and undoes. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { makeProject, skillc } from "../support/command-line.js";

export const bin = fileURLToPath(new URL("../../../dist/cli/bin.js", import.meta.url));
const key = Buffer.alloc(32, 7).toString("base64");
export const env = { DESK_KEY: key, PATH: process.env["PATH"] };

/** A skill with tools that undo each other, and one that nothing undoes. */
export function desk(keys: object = {}) {
  const returns = { type: "object", required: ["id"], properties: { id: { type: "string" } } };
  const tool = (rollback?: object | string) => ({
    description: "Does it.",
    parameters: {
      type: "object",
      additionalProperties: false,
      required: ["id"],
      properties: { id: { type: "string" } },
    },
    binding: { type: "handler", effect: "write" },
    returns,
    ...(rollback !== undefined && { rollback }),
    ...keys,
  });
  const undoneBy = (name: string) => ({
    strategy: "compensate",
    tool: name,
    parameters: { id: "{result.id}" },
  });
  const tools = {
    create: tool(undoneBy("cancel")),
    cancel: tool(undoneBy("create")),
    mail: tool({ strategy: "none", reason: "an e-mail cannot be unsent" }),
  };
  return {
    "skills/desk/SKILL.md": "---\nname: desk\ndescription: Keeps orders.\n---\nAsk.\n",
    "skills/desk/metadata.json": JSON.stringify({ tools_schema: tools }, null, 2),
  };
}

/** Handlers that write each call to a file. */
export const handlers = `import { appendFileSync } from "node:fs";
import { join } from "node:path";
const done = (name) => ({ id }) => {
  appendFileSync(join(import.meta.dirname, "log.txt"), name + " " + id + "\\n");
  return { id };
};
export const handlers = {
  "desk/create": done("create"),
  "desk/cancel": done("cancel"),
  "desk/mail": done("mail"),
};
`;

/** The same, but the first cancellation kills its process after it was made. */
export const killedHandlers = handlers
  .replace(
    "return { id };",
    `if (name === "cancel" && readFileSync(join(import.meta.dirname, "log.txt"), "utf8").split("cancel").length === 2)
    process.kill(process.pid, "SIGKILL");
  return { id };`,
  )
  .replace("{ appendFileSync }", "{ appendFileSync, readFileSync }");

/**
 * Creates a project with these tools.
 *
 * @param settings environment of its commands
 */
export async function project(
  files: Readonly<Record<string, string>> = {},
  settings: Readonly<Record<string, string>> = {},
) {
  const root = makeProject({ ...desk(), "handlers.mjs": handlers, ...files });
  const run = async (...args: readonly string[]) =>
    skillc(root, args, { env: { ...env, ...settings } });
  expect(await run("generate")).toMatchObject({ code: 0 });
  const withHandlers = ["--handlers", "handlers.mjs"];
  return {
    root,
    run,
    undo: (...args: readonly string[]) => run("rollback", ...args, ...withHandlers),
    async call(tool: string, id: string, ...more: readonly string[]): Promise<string> {
      const args = ["--args", JSON.stringify({ id }), ...withHandlers, ...more];
      expect(await run("call", tool, ...args)).toMatchObject({ code: 0 });
      const { stdout } = await run("ledger", "list", "--json", "--limit", "1");
      return (JSON.parse(stdout) as { calls: { id: string }[] }).calls[0]?.id ?? "";
    },
    log: () => {
      const path = join(root, "log.txt");
      return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
    },
  };
}
