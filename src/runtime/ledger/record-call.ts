import type { Call, Ending } from "../call/call.js";
import { callEnd } from "../call/call-end.js";
import { ToolError } from "../errors.js";
import {
  masked,
  maskedAsUnfit,
  maskedAt,
  maskedInShape,
  maskedLeaves,
  maskText,
} from "../call/mask.js";
import { recordedMisfits } from "../call/misfits.js";
import { deniedRequest, shortDenied, unmaskedRequest } from "../call/denied-request.js";
import type { JsonValue } from "../json/json.js";
import type { AnyResult } from "../result.js";
import type { Scrubber } from "../credentials/scrubber.js";
import { type Attachment, attach, wantsResult } from "./attachments.js";
import { type Excerpt, excerptOf } from "./excerpt.js";
import type { ProducedAttachment } from "./produced-bytes.js";
import { noLedger, RecordTooLong, type LedgerStore } from "./store.js";
import { unknownProperties } from "../validation/validation.js";
import { beginJson, endJson, type RecordedEnding } from "./record-json.js";
import {
  cleanJson,
  maskedTexts,
  maskingScrubber,
  masks,
  mayHoldAny,
  withoutParameters,
} from "./recorded-values.js";
import { hasUndone, wayBackOf } from "../rollback/record-way-back.js";

/** Number of characters of a result's JSON that the ledger keeps. */
const summaryLength = 500;

/**
 * Records a write before it is sent. Returns a promise if the call must wait for the ledger.
 *
 * @throws ToolError if the write can't be recorded; the write must then not be sent
 */
export function beginCall(call: Call): undefined | Promise<void> {
  const { ledger } = call.runtime;
  if (ledger === noLedger) return undefined;
  try {
    return appendBegin(call)?.catch((cause: unknown) => {
      throw notKept(call, cause);
    });
  } catch (cause) {
    throw notKept(call, cause);
  }
}

/**
 * Records the address for polling a write that its target has accepted. It does so before the call
 * waits, so that the address survives a crash. If recording fails, only the end record has the
 * address.
 */
export async function recordAcceptance(call: Call): Promise<void> {
  if (call.runtime.ledger === noLedger) return;
  try {
    await appendBegin(call);
  } catch {
    // The call goes on, and its end record contains the address too.
  }
}

function appendBegin(call: Call): undefined | Promise<void> {
  const { accepted, id, runtime, tool } = call;
  const json = beginJson(
    call,
    Date.now(),
    paramsOf(call),
    accepted && withoutParameters(call, accepted),
  );
  return runtime.ledger.append({ type: "begin", id, effect: tool.effect, json: () => json });
}

/**
 * Records the end of a call. If recording fails, a read still returns its answer, and so does a
 * write that was already sent: its begin record then has no end, which means that the outcome is
 * unknown. A write in shadow mode has no other effect than its record, so it fails.
 */
export function endCall(call: Call, ending: Ending): undefined | Promise<void> {
  const { ledger } = call.runtime;
  if (ledger === noLedger) return undefined;
  const isOnlyEffect = call.request !== undefined && "result" in ending;
  const failed = (cause: unknown): void => {
    if (isOnlyEffect) throw notKept(call, cause);
    missRecord(ledger, call.toolId);
  };
  try {
    // Copy now what the caller could change later. The rest of the record can be written after the
    // caller has its answer.
    const parameters = paramsOf(call);
    const outcome = recordedEnding(call, ending);
    const time = Date.now();
    const kept = ledger.append({
      type: "end",
      id: call.id,
      effect: call.tool.effect,
      json: () => endJson(call, time, parameters, outcome),
    });
    if (kept !== undefined) return kept.then(() => keepRecord(ledger), failed);
    keepRecord(ledger);
    return undefined;
  } catch (cause) {
    failed(cause);
    return undefined;
  }
}

function recordedEnding(call: Call, ending: Ending): RecordedEnding {
  const durationMs = Math.round((performance.now() - call.startedAt) * 1000) / 1000;
  const { answer, error, state, status } = callEnd(call, ending);
  const kept = answer && (keptResult(call) ?? answer);
  const rollback = wayBackOf(call);
  return {
    status,
    result: kept === undefined ? null : summaryOf(call, kept),
    error: error === undefined ? null : recordedError(call, error),
    request: state === "Denied" ? deniedJson(call) : requestJson(call),
    durationMs,
    attachment: kept && attachmentOf(call, kept),
    attachments: attachmentsOf(call),
    accepted: call.accepted && withoutParameters(call, call.accepted),
    undone: hasUndone(call, ending) ? true : undefined,
    rollback,
    misfits: kept && call.misfits && withoutParameters(call, recordedMisfits(call)),
  };
}

/** Returns the JSON of the request that shadow mode recorded. */
function requestJson(call: Call): string | undefined {
  return call.request === undefined ? undefined : cleanJson(call, call.request);
}

/**
 * Returns the request of a call that governance denied, as the ledger records it. Undefined if it
 * can't be built.
 */
export function shownRequest(call: Call): JsonValue | undefined {
  const json = deniedJson(call);
  return json === undefined ? undefined : (JSON.parse(json) as JsonValue);
}

/**
 * Returns the whole request of a call that governance denied, as JSON with masked parameters and
 * without credentials. Undefined if it can't be built.
 */
export function wholeRequest(call: Call): string | undefined {
  const request = unmaskedRequest(call);
  return request === undefined ? undefined : cleanJson(call, withPaths(request, pathNames(call)));
}

/** Returns the real paths of the files that the call names, for an approver. */
function pathNames({ paths }: Call): readonly string[] {
  return paths?.used.map(({ name }) => name) ?? [];
}

function withPaths(request: JsonValue, paths: readonly string[]): JsonValue {
  if (paths.length === 0 || typeof request !== "object" || request === null) return request;
  return Array.isArray(request) ? request : { ...request, paths };
}

function deniedJson(call: Call): string | undefined {
  const request = deniedRequest(call);
  if (request === undefined) return undefined;
  const { maskedParams = [] } = call.tool;
  const scrubber = maskingScrubber(maskedLeaves(call.params, maskedParams));
  const paths = pathNames(call).map((each) => scrubber.scrub(each));
  return shortDenied(cleanJson(call, withPaths(request, paths)));
}

function recordedError(call: Call, { code, message }: ToolError): RecordedEnding["error"] {
  const { params, runtime, tool } = call;
  const clean = runtime.credentials.scrubber.scrub(message);
  if (tool.maskedParams === undefined) return { code, message: clean };
  const leaves = maskedLeaves(params, tool.maskedParams);
  return { code, message: maskingScrubber(leaves).scrub(clean) };
}

/**
 * Stores the whole result if the ledger keeps results. In shadow mode the record itself contains
 * the request.
 */
function attachmentOf(call: Call, result: AnyResult): Attachment | undefined {
  const { attachments } = call.runtime.ledger;
  if (attachments === undefined || !wantsResult(attachments.policy, call.toolId)) return undefined;
  if (call.request !== undefined) return undefined;
  return attach(attachments, wholeResult(call, result));
}

function attachmentsOf(call: Call): readonly ProducedAttachment[] | undefined {
  const { sealed } = call;
  const produced = producedBy(call);
  return sealed === undefined ? produced : [...(produced ?? []), sealed];
}

/** Stores the bytes that the last attempt produced, without credentials and masked parameters. */
function producedBy(call: Call): readonly ProducedAttachment[] | undefined {
  const { params, produced, runtime, tool } = call;
  const { attachments } = runtime.ledger;
  if (produced === undefined || attachments === undefined) return undefined;
  const masked =
    tool.maskedParams === undefined
      ? []
      : [maskingScrubber(maskedLeaves(params, tool.maskedParams))];
  return produced.attachTo(attachments, [runtime.credentials.scrubber, ...masked]);
}

/** Returns the whole result as JSON, without credentials and masked values. */
export function wholeResult(call: Call, result: AnyResult): string {
  const json = cleanJson(call, masks(call, result));
  const leaves = maskedTexts(call, result);
  return mayHoldAny(json, leaves) ? maskingScrubber(leaves).scrubJson(json) : json;
}

/**
 * Returns the answer as the ledger keeps it: a receipt may repeat a masked parameter. Undefined if
 * there was no answer.
 */
export function keptResult(call: Call): AnyResult | undefined {
  const { answered, args, prepared, recorded, tool } = call;
  const { maskedParams } = tool;
  if (recorded !== undefined) return recorded;
  if (answered === undefined || maskedParams === undefined || prepared?.maskResult === undefined)
    return answered;
  try {
    return prepared.maskResult(answered, maskedInShape(args, maskedParams));
  } catch {
    // The result can't be built from masked parameters, so keep only its status.
    return { status: answered.status };
  }
}

/**
 * Returns the parameters as the ledger keeps them, as JSON. Both records of a call share the text.
 */
export function paramsOf(call: Call): string {
  call.recordedParams ??= cleanJson(call, maskedParamsOf(call));
  return call.recordedParams;
}

/**
 * Masks parameters. An unknown parameter may be a masked one with a misspelt name, so its value is
 * never kept.
 */
function maskedParamsOf({ areParamsFit, params, tool }: Call): unknown {
  if (areParamsFit) return masked(params, tool.maskedParams);
  const unknown = unknownProperties(tool.params, params);
  if (unknown === undefined) return maskText;
  return maskedAsUnfit(maskedAt(params, unknown), tool.maskedParams);
}

/**
 * Returns the first characters of a result's JSON without credentials and masked values. It writes
 * only as much of a large answer as the search for secrets needs.
 */
function summaryOf(call: Call, result: AnyResult): string {
  const { scrubber } = call.runtime.credentials;
  const excerpt = shortened(call, result, summaryLength + searchMargin + 4 * scrubber.longest());
  const json = cleanJson(call, excerpt.value);
  const leaves = maskedTexts(call, result);
  if (excerpt.isWhole && !mayHoldAny(json, leaves)) return json.slice(0, summaryLength);
  return summaryWithout(call, result, maskingScrubber(leaves));
}

/**
 * Returns the summary of a result that may repeat masked parameters.
 *
 * @param values finds the masked values of the parameters
 */
function summaryWithout(call: Call, result: AnyResult, values: Scrubber): string {
  const { scrubber } = call.runtime.credentials;
  // A secret that begins before the cut must end within the excerpt.
  const margin = searchMargin + 4 * Math.max(scrubber.longest(), values.longest());
  const write = (value: unknown): string => values.scrubJson(cleanJson(call, value));
  const excerpt = shortened(call, result, summaryLength + margin);
  const json = write(excerpt.value);
  // Replacing long secrets shortens the text, so the end of the excerpt may move into the summary.
  const isEnough = excerpt.isWhole || json.length > margin / 2 + summaryLength;
  return (isEnough ? json : write(masks(call, result))).slice(0, summaryLength);
}

/**
 * Number of characters after the cut in which secrets are searched, beside four times the longest
 * secret.
 */
const searchMargin = 64 * 1024;

/**
 * Cuts a result to a number of characters. A result that can't be cut is not JSON either;
 * `cleanJson` handles it.
 */
function shortened(call: Call, result: AnyResult, characters: number): Excerpt {
  const shown = masks(call, result);
  try {
    return excerptOf(shown, characters);
  } catch {
    return { value: shown, isWhole: true };
  }
}

/**
 * Makes the error for a write that can't be recorded: its record is too long, so shorter parameters
 * would help, or the ledger fails.
 */
function notKept(call: Call, cause: unknown): ToolError {
  if (cause instanceof RecordTooLong) return tooLong(call, cause);
  return new ToolError(
    call.toolId,
    { code: "UNKNOWN.INTERNAL", reason: "ledger-unavailable" },
    `\`${call.toolId}\` was not sent: its ledger record could not be written`,
    { cause },
  );
}

function tooLong(call: Call, { length, limit }: RecordTooLong): ToolError {
  const message = `make a record of ${length} characters, but the ledger accepts at most ${limit}`;
  return new ToolError(
    call.toolId,
    {
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "parameters",
      problems: [{ pointer: "", keyword: "ledger", message }],
    },
    `parameters of \`${call.toolId}\` can't be sent: ${message}`,
  );
}

/** Number of end records that each ledger failed to store since it last stored one. */
const missing = new WeakMap<LedgerStore, number>();

/**
 * Warns about the first end record that a ledger fails to store. Others are only counted, because a
 * full disk would flood the log.
 */
function missRecord(ledger: LedgerStore, toolId: string): void {
  const count = (missing.get(ledger) ?? 0) + 1;
  missing.set(ledger, count);
  if (count > 1) return;
  warn(
    `the ledger did not record the end of a call of ${toolId}; the runtime counts further lost ends`,
  );
}

/** Reports how many end records are missing, once the ledger stores records again. */
function keepRecord(ledger: LedgerStore): void {
  const count = missing.get(ledger);
  if (count === undefined) return;
  missing.delete(ledger);
  const ends = count === 1 ? "the end of 1 call is" : `the ends of ${count} calls are`;
  warn(`the ledger accepts records again; ${ends} missing from it`);
}

function warn(message: string): void {
  process.emitWarning(message, { type: "SkillcLedgerWarning" });
}
