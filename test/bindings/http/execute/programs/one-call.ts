/** Makes one call, and then leaves it to Node.js to end the process. */
import { http } from "../../../../../src/bindings/http/execute.js";

const [, , url = ""] = process.argv;
const tool = http<undefined, unknown, { readonly status: string }>({
  method: "GET",
  request: () => ({ url: [url] }),
  maxResponseBytes: 1000,
  statuses: {},
});
const { result } = await tool.prepare(undefined, { id: "a-call", toolId: "skill/tool" }).send({
  tool: "a/b",
  number: 1,
  directory: ".",
  hooks: {},
  signal: new AbortController().signal,
  onAbort() {},
  open: String,
});
console.log(result.status);
