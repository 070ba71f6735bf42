/** A call whose effects change a tree, for tests that kill its process. */
import { command } from "../../../../../src/bindings/command/run/execute.js";
import { callTool } from "../../../../../src/runtime/call/call-tool.js";
import type { AnyResult } from "../../../../../src/runtime/result.js";
import { createRuntime } from "../../../../../src/runtime/runtime.js";
import { defineTool } from "../../../../../src/runtime/tool.js";
import type { Validator } from "../../../../../src/runtime/validation/validation.js";

const anything: Validator<unknown> = Object.assign(
  (value: unknown): value is unknown => value !== undefined,
  {
    errors: null,
  },
);

/** Files before a call. */
export const before = { "work/a": "1", "work/d/b": "1", "work/d/e/c": "1" };

/** Script of a call, and the files after it. */
export const change = "echo 2 > a; rm -r d; mkdir x; echo 3 > x/y; ln -s a l; chmod 600 a";
export const after = { "work/a": "2\n", "work/x/y": "3\n", "work/l": "2\n" };

/** Runs a script over the folder `work` of a project. */
export async function runOverWork(directory: string, script: string): Promise<AnyResult> {
  const tool = defineTool<unknown, unknown, AnyResult>({
    skill: "desk",
    name: "change",
    version: { skill: "s", binding: "b", manifest: "m" },
    effect: "write",
    params: anything,
    rollback: { strategy: "effects" },
    binding: command<unknown, AnyResult>({
      argv: () => ["sh", "-c", script],
      effect: "write",
      cwd: "work",
      write: ["work"],
    }),
  });
  const runtime = createRuntime({ directory, ledger: false, env: {}, inherit: false });
  try {
    return await callTool(tool, {}, { runtime });
  } finally {
    await runtime.close();
  }
}
