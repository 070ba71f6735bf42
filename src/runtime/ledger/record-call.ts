import type { CallInProgress } from "../call-in-progress.js";
import { ToolError } from "../errors.js";
import type { JsonValue } from "../json.js";
import { masked } from "../mask.js";
import type { AnyResult } from "../result.js";
import { noLedger } from "./no-ledger.js";
import type { BeginRecord, EndRecord } from "./record.js";
import { recordJson } from "./record-json.js";

/** Characters of a result's JSON that the ledger keeps. */
const summaryLength = 500;

/** Records a write before it leaves. @throws ToolError when it can't be recorded: then it must not leave */
export async function beginCall(call: CallInProgress): Promise<void> {
  const { ledger } = call.runtime;
  if (ledger === noLedger) return;
  try {
    const params = paramsOf(call);
    const record: BeginRecord = { type: "begin", ...factsOf(call, params.value) };
    const kept = ledger.append(record, recordJson(record, params.json));
    if (kept !== undefined) await kept;
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
  const { ledger } = call.runtime;
  if (ledger === noLedger) return;
  try {
    const params = paramsOf(call);
    const record = endRecord(call, params.value, ending);
    const kept = ledger.append(record, recordJson(record, params.json));
    if (kept !== undefined) await kept;
  } catch (cause) {
    if (call.request !== undefined && "result" in ending) throw unavailable(call, cause);
    process.emitWarning(`the ledger did not take the end of a call of ${call.toolId}`, {
      type: "SkillcLedgerWarning",
    });
  }
}

function endRecord(call: CallInProgress, parameters: JsonValue, ending: Ending): EndRecord {
  const { scrub } = call.runtime.credentials;
  const failed = "error" in ending;
  const record: EndRecord = {
    type: "end",
    ...factsOf(call, parameters),
    status: failed ? "failed" : ending.result.status,
    result: failed ? null : summaryOf(call, ending.result),
    error: failed ? { code: ending.error.code, message: scrub(ending.error.message) } : null,
    attempts: call.attempts,
    durationMs: Math.round((performance.now() - call.startedAt) * 1000) / 1000,
  };
  return call.request === undefined ? record : { ...record, request: clean(call, call.request).value };
}

function factsOf(call: CallInProgress, parameters: JsonValue): Omit<BeginRecord, "type"> {
  const { tool, options } = call;
  return {
    id: call.id,
    time: new Date().toISOString(),
    skill: tool.skill,
    tool: tool.name,
    kind: call.kind,
    mode: call.mode,
    effect: tool.effect,
    parameters,
    version: tool.version,
    ...(options.trace === undefined ? undefined : { trace: options.trace }),
    ...(options.parent === undefined ? undefined : { parent: options.parent }),
  };
}

/** The parameters as the ledger keeps them; made once for both records. */
function paramsOf(call: CallInProgress): CleanJson {
  call.recordedParams ??= clean(call, masked(call.params, call.tool.maskedParams));
  return call.recordedParams;
}

/** A value without any credential in it, and its JSON. */
export interface CleanJson {
  readonly value: JsonValue;
  readonly json: string;
}

/** Callers may pass anything; what is not JSON is recorded as such. */
function clean(call: CallInProgress, value: unknown): CleanJson {
  const text = jsonOf(value);
  if (text === undefined) return { value: "(not JSON)", json: '"(not JSON)"' };
  const json = call.runtime.credentials.scrub(text);
  // What `JSON.stringify` took is JSON, once it is written.
  return { value: json === text ? (value as JsonValue) : (JSON.parse(json) as JsonValue), json };
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined;
  }
}

function summaryOf(call: CallInProgress, result: AnyResult): string {
  const { maskedResult } = call.tool;
  const shown =
    maskedResult !== undefined && "data" in result
      ? { ...result, data: masked(result.data, maskedResult) }
      : result;
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
