/**
 * A process that makes calls of file tools, and sends how each ended. The step `fill` writes a file
 * until the disk is full, without a tool. Temporary folders are in `notes`. With the argument `again`, the steps repeat without end.
 * Arguments: the project's folder, whose tools may use `notes`; the steps as JSON.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { FileContract } from "../../../../src/bindings/file/run/contract.js";
import { file } from "../../../../src/bindings/file/run/execute.js";
import { given, path } from "../../../../src/bindings/file/run/file-path.js";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import { isToolError } from "../../../../src/runtime/errors.js";
import { createRuntime } from "../../../../src/runtime/runtime.js";
import type { AnyResult } from "../../../../src/runtime/result.js";
import { defineTool } from "../../../../src/runtime/tool.js";

type Params = Readonly<Record<string, string>>;
export type Step = readonly [operation: FileContract<Params>["operation"] | "fill", params: Params];

const [directory = "", steps = "[]", again] = process.argv.slice(2);
const runtime = createRuntime({ directory, ledger: false, env: {}, inherit: false });

/** Calls a tool with this operation, and returns the answer or the reason of the error. */
async function call(operation: FileContract<Params>["operation"], params: Params) {
  const tool = defineTool<Params, Params, AnyResult>({
    skill: "desk",
    name: operation,
    version: { skill: "s", binding: "b", manifest: "m" },
    effect: "write",
    params: Object.assign((value: unknown): value is Params => value !== null, { errors: null }),
    binding: file<Params, AnyResult>({
      operation,
      allowed: ["./notes"],
      request: (p: Params) => ({
        path: path(given("/path", p["path"] ?? "")),
        ...("to" in p && { to: path(given("/to", p["to"] ?? "")) }),
        ...("text" in p && { content: "x".repeat(Number(p["times"] ?? 0)) + p["text"] }),
        ...("size" in p && { sizeBytes: Number(p["size"]) }),
        ...("text" in p && operation === "write" && { overwrite: true }),
      }),
      // The operation is that of the request.
    } as unknown as FileContract<Params>),
  });
  try {
    return await callTool(tool, params, { runtime, trace: "t1" });
  } catch (error) {
    if (!isToolError(error)) throw error;
    return { failure: error.failure, outcome: error.outcome };
  }
}

function fill(name: string): void {
  const chunk = Buffer.alloc(64 * 1024);
  try {
    for (;;) appendFileSync(join(directory, name), chunk);
  } catch {
    // The disk is full.
  }
}

async function makeCalls(): Promise<void> {
  for (const [operation, params] of JSON.parse(steps) as readonly Step[]) {
    if (operation === "temporary") process.env["TMPDIR"] = join(directory, "notes");
    if (operation === "fill") fill(params["path"] ?? "");
    else process.send?.((await call(operation, params)) as object);
  }
}

const rounds = again === "again" ? Infinity : 1;
for (let round = 0; round < rounds; round += 1) await makeCalls();
