/**
 * Uses an embedded database, and closes nothing. Arguments: folder, SQL, and a mode. With `hold` it
 * opens the database like an application and stays alive. Otherwise it makes one call that writes.
 */
import { sql } from "kysely";
import { openPglite, query } from "../../../../../src/bindings/sql/execute.js";
import { isToolError } from "../../../../../src/runtime/errors.js";

const [, , folder = "", text = "", how = "call"] = process.argv;
const url = `pglite://${folder}`;

async function call(): Promise<string> {
  const tool = query({
    connection: "TEST_URL",
    effect: "write",
    build: () => sql.raw(text),
    parameters: [],
    columns: {},
    rows: "none",
  });
  const { result } = await tool.prepare(undefined, { id: "a-call", toolId: "skill/tool" }).send({
    tool: "skill/tool",
    number: 1,
    timeoutMs: 60_000,
    directory: ".",
    hooks: {},
    signal: new AbortController().signal,
    onAbort: () => {},
    open: () => url,
  });
  return JSON.stringify(result);
}

if (how === "hold") {
  await (await openPglite(url)).exec(text);
  setInterval(() => {}, 60_000);
  process.send?.("ready");
} else {
  const told = await call().catch((error: unknown) => {
    if (isToolError(error)) return `${error.code} ${error.message}`;
    throw error;
  });
  console.log(told);
}
