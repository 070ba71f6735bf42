import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { CommandContract } from "../../../../src/bindings/command/run/contract.js";
import { command } from "../../../../src/bindings/command/run/execute.js";
import { probeSandbox } from "../../../../src/bindings/command/run/executors/sandbox.js";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../../src/runtime/call/call-options.js";
import { isToolError, type ToolError } from "../../../../src/runtime/errors.js";
import { createRuntime, type RuntimeOptions } from "../../../../src/runtime/runtime.js";
import type { ToolRollback } from "../../../../src/runtime/rollback/tool-rollback.js";
import type { AnyResult } from "../../../../src/runtime/result.js";
import { defineTool } from "../../../../src/runtime/tool.js";
import type { Validator } from "../../../../src/runtime/validation/validation.js";
import type { Service } from "../../../support/service.js";

/** Bubblewrap, as the runtime finds it. */
export const bubblewrap: Service = {
  name: "bubblewrap",
  start: "install it: apt-get install bubblewrap",
  probe: () => {
    const found = probeSandbox();
    return "problem" in found ? Promise.reject(new Error(found.problem)) : Promise.resolve();
  },
};

export type Params = Readonly<Record<string, unknown>>;

const anyParams: Validator<Params> = Object.assign(
  (value: unknown): value is Params => typeof value === "object" && value !== null,
  { errors: null },
);

/** A project in a folder of its own, which calls one command. */
export function projectWith(
  contract: Omit<CommandContract<Params>, "effect"> &
    Partial<Pick<CommandContract<Params>, "effect">>,
  {
    rollback,
    timeoutMs,
    ...options
  }: RuntimeOptions & {
    readonly rollback?: ToolRollback<Params>;
    readonly timeoutMs?: number;
  } = {},
) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "skillc-command-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const effect = contract.effect ?? "read";
  const tool = defineTool<Params, Params, AnyResult>({
    skill: "desk",
    name: "do-it",
    version: { skill: "s", binding: "b", manifest: "m" },
    effect,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(rollback !== undefined && { rollback }),
    params: anyParams,
    binding: command<Params, AnyResult>({ ...contract, effect }),
  });
  const runtime = createRuntime({
    directory,
    ledger: false,
    env: { PATH: process.env["PATH"] },
    inherit: false,
    ...options,
  });
  const call = (params: Params = {}, more: CallOptions = {}) =>
    callTool(tool, params, { runtime, ...more });
  const errorOf = async (params: Params = {}, more: CallOptions = {}): Promise<ToolError> => {
    const thrown: unknown = await call(params, more).catch((error: unknown) => error);
    if (!isToolError(thrown)) throw new Error(`no ToolError, but ${JSON.stringify(thrown)}`);
    return thrown;
  };
  const put = (path: string, text: string, mode = 0o644): string => {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    return file;
  };
  return { call, directory, errorOf, put, runtime };
}

/** A program that prints its arguments, its environment and its input as JSON. */
export const showProgram = [
  "-e",
  `const chunks = []; process.stdin.on("data", (each) => chunks.push(each)).on("end", () =>
    console.log(JSON.stringify({ argv: process.argv.slice(1), env: process.env, cwd: process.cwd(), stdin: Buffer.concat(chunks).toString() })))`,
] as const;
