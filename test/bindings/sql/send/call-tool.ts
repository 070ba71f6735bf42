import { callTool } from "../../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../../src/runtime/call/call-options.js";
import { createMemoryLedger } from "../../../../src/runtime/ledger/memory-store.js";
import type { LedgerRecord } from "../../../../src/runtime/ledger/record.js";
import { createRuntime } from "../../../../src/runtime/runtime.js";
import type { ToolContract } from "../../../../src/runtime/tool.js";
import type { Validator } from "../../../../src/runtime/validation/validation.js";
import { type Answer, prepare, type Tool } from "./support.js";

const anything: Validator<object> = Object.assign(
  (value: unknown): value is object => typeof value === "object",
  { errors: null },
);

/** Makes a tool with that statement for the call path. It makes one attempt by default. */
export function contractOf(
  tool: Tool,
  { maxAttempts = 1, timeoutMs = 20_000 } = {},
): ToolContract<object, object, Answer> {
  return {
    skill: "test-skill",
    name: "test-tool",
    version: { skill: "s", binding: "b", manifest: "t1" },
    effect: tool.effect ?? "read",
    mode: "active",
    timeoutMs,
    retry: { maxAttempts, backoffMs: 1, backoffMultiplier: 1 },
    params: anything,
    binding: { kind: "sql", prepare: () => prepare(tool) },
  };
}

export interface CallOutcome {
  readonly answer?: Answer;
  readonly error?: unknown;
  readonly records: readonly LedgerRecord[];
}

/** Makes a call, and returns its outcome and its ledger records. */
export async function outcomeOf(
  tool: Tool,
  url: string,
  { signal, ...more }: { maxAttempts?: number; timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<CallOutcome> {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ ledger, credentials: { TEST_URL: url }, inherit: false });
  const options: CallOptions = signal === undefined ? { runtime } : { runtime, signal };
  return callTool(contractOf(tool, more), {}, options).then(
    (answer) => ({ answer, records: ledger.records }),
    (error: unknown) => ({ error, records: ledger.records }),
  );
}
