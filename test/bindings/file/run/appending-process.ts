/**
 * A process that appends lines to `log` in a folder, one call after the other. It reports that it
 * is ready, and begins with the first message.
 * Arguments: the runtime's folder, the allowed folder, a name for the lines, the number of calls.
 */
import { once } from "node:events";
import { file } from "../../../../src/bindings/file/run/execute.js";
import { given, path } from "../../../../src/bindings/file/run/file-path.js";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import { createRuntime } from "../../../../src/runtime/runtime.js";
import type { AnyResult } from "../../../../src/runtime/result.js";
import { defineTool } from "../../../../src/runtime/tool.js";

interface Params {
  readonly text: string;
}

const [directory = "", allowed = "", name = "", calls = ""] = process.argv.slice(2);
const runtime = createRuntime({ directory, ledger: false, env: {}, inherit: false });
const append = defineTool<Params, Params, AnyResult>({
  skill: "desk",
  name: "append",
  version: { skill: "s", binding: "b", manifest: "m" },
  effect: "write",
  params: Object.assign((value: unknown): value is Params => value !== null, { errors: null }),
  binding: file<Params, AnyResult>({
    operation: "append",
    allowed: [allowed],
    request: ({ text }) => ({ path: path(given("/path", `${allowed}/log`)), content: text }),
  }),
});
process.send?.("ready");
await once(process, "message");
for (let call = 0; call < Number(calls); call += 1) {
  const { status } = await callTool(append, { text: `${name} ${call}\n` }, { runtime });
  if (status !== "success") throw new Error(`a call ended with ${status}`);
}
process.disconnect();
