import type { CallInProgress } from "../call-in-progress.js";
import { ToolError } from "../errors.js";
import type { JsonValue } from "../json.js";
import { masked } from "../mask.js";
import type { AnyResult } from "../result.js";
import type { BeginRecord, EndRecord } from "./record.js";

/** Characters of a result's JSON that the ledger keeps. */
const summaryLength = 500;

/** Records a write before it leaves. @throws ToolError when it can't be recorded: then it must not leave */
export async function beginCall(call: CallInProgress): Promise<void> {
  const record: BeginRecord = { type: "begin", ...factsOf(call) };
  try {
    const kept = call.runtime.ledger.append(record);
    if (kept !== undefined) await kept;
    call.begun = true;
  } catch (cause) {
    throw unavailable(call, cause);
  }
}

/** How a call ended. */
export type Ending = { readonly result: AnyResult } | { readonly error: ToolError };

/**
 * Records how a call ended. A read whose record can't be kept still has its answer; so has a write that left already (its begin record then
 * stands without an end: outcome unknown). A write in shadow mode has no other effect than its record, so it fails.
 */
export async function endCall(call: CallInProgress, ending: Ending): Promise<void> {
  try {
    const kept = call.runtime.ledger.append(endRecord(call, ending));
    if (kept !== undefined) await kept;
  } catch (cause) {
    if (call.request !== undefined && "result" in ending) throw unavailable(call, cause);
    process.emitWarning(`the ledger did not take the end of a call of ${call.toolId}`, {
      type: "SkillcLedgerWarning",
    });
  }
}

function endRecord(call: CallInProgress, ending: Ending): EndRecord {
  const outcome =
    "result" in ending
      ? { status: ending.result.status, result: summaryOf(call, ending.result), error: null }
      : {
          status: "failed",
          result: null,
          error: {
            code: ending.error.code,
            message: call.runtime.credentials.scrub(ending.error.message),
          },
        };
  return {
    type: "end",
    ...factsOf(call),
    ...outcome,
    ...(call.request === undefined ? {} : { request: scrubbed(call, call.request) }),
    attempts: call.attempts,
    durationMs: Math.round((performance.now() - call.startedAt) * 1000) / 1000,
  };
}

function factsOf(call: CallInProgress): Omit<BeginRecord, "type"> {
  const { tool, options } = call;
  call.recordedParams ??= scrubbed(call, masked(call.params, tool.maskedParams));
  return {
    id: call.id,
    time: new Date().toISOString(),
    skill: tool.skill,
    tool: tool.name,
    kind: call.kind,
    mode: call.mode,
    effect: tool.effect,
    parameters: call.recordedParams,
    version: tool.version,
    ...(options.trace === undefined ? {} : { trace: options.trace }),
    ...(options.parent === undefined ? {} : { parent: options.parent }),
  };
}

/** The value without any credential in it. Callers may pass anything; what is not JSON is recorded as such. */
function scrubbed(call: CallInProgress, value: unknown): JsonValue {
  const text = jsonOf(value);
  if (text === undefined) return "(not JSON)";
  const clean = call.runtime.credentials.scrub(text);
  // What `JSON.stringify` took is JSON, once it is written.
  return clean === text ? (value as JsonValue) : (JSON.parse(clean) as JsonValue);
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined;
  }
}

function summaryOf(call: CallInProgress, result: AnyResult): string {
  const shown =
    "data" in result ? { ...result, data: masked(result.data, call.tool.maskedResult) } : result;
  return call.runtime.credentials.scrub(JSON.stringify(shown)).slice(0, summaryLength);
}

function unavailable(call: CallInProgress, cause: unknown): ToolError {
  return new ToolError(
    call.toolId,
    { code: "UNKNOWN.INTERNAL", reason: "ledger-unavailable" },
    `\`${call.toolId}\` was not sent: its ledger record could not be written`,
    { cause },
  );
}
