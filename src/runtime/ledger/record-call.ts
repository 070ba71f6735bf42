import type { Call, Ending } from "../call/call.js";
import { callEnd } from "../call/call-end.js";
import { ToolError } from "../errors.js";
import {
  masked,
  maskedAsUnfit,
  maskedAt,
  maskedByName,
  maskedInShape,
  maskedLeaves,
  maskText,
} from "../call/mask.js";
import { toldMisfits } from "../call/misfits.js";
import { deniedRequest, shortDenied } from "../call/denied-request.js";
import { hasOwnData } from "../call/own-data.js";
import type { AnyResult } from "../result.js";
import type { MaskedPaths } from "../tool.js";
import { createScrubber, type Scrubber } from "../credentials/scrubber.js";
import { viewsOf } from "../credentials/escapes.js";
import { mayHoldSpelling, shortestSecret } from "../credentials/secret-spellings.js";
import { type Attachment, attach, wantsResult } from "./attachments.js";
import { type Excerpt, excerptOf } from "./excerpt.js";
import type { ProducedAttachment } from "./produced-bytes.js";
import { noLedger, RecordTooLong, type LedgerStore } from "./store.js";
import { unknownProperties } from "../validation/validation.js";
import { beginJson, endJson, type RecordedEnding } from "./record-json.js";

/** Characters of a result's JSON that the ledger keeps. */
const summaryLength = 500;

/**
 * Records a write before it leaves. A promise when the ledger wants to be waited for.
 *
 * @throws ToolError when it can't be recorded: then it must not leave
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
 * Records where a write that its target has accepted can be asked for, before anybody waits for it:
 * whoever dies meanwhile leaves the address. Where that can't be kept, it waits for the end record.
 */
export async function recordAcceptance(call: Call): Promise<void> {
  if (call.runtime.ledger === noLedger) return;
  try {
    await appendBegin(call);
  } catch {
    // The work goes on, and the call's end says it again.
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
 * Records how a call ended. A read whose record can't be kept still has its answer; so has a write
 * that left already (its begin record then stands without an end: outcome unknown). A write in
 * shadow mode has no other effect than its record, so it fails.
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
    // What the caller could change from now on is written down now; the rest of the record can wait
    // until it has its answer.
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
  return {
    status,
    result: kept === undefined ? null : summaryOf(call, kept),
    error: error === undefined ? null : recordedError(call, error),
    request: state === "Denied" ? deniedJson(call) : requestJson(call),
    durationMs,
    attachment: kept && attachmentOf(call, kept),
    attachments: producedBy(call),
    accepted: call.accepted && withoutParameters(call, call.accepted),
    misfits: kept && call.misfits && withoutParameters(call, toldMisfits(call)),
  };
}

/** What shadow mode recorded. */
function requestJson(call: Call): string | undefined {
  return call.request === undefined ? undefined : cleanJson(call, call.request);
}

function deniedJson(call: Call): string | undefined {
  const request = deniedRequest(call);
  return request === undefined ? undefined : shortDenied(cleanJson(call, request));
}

/** A parameter that is masked may stand in an address, and be a property's name in an answer. */
function withoutParameters(call: Call, value: object): string {
  const { maskedParams } = call.tool;
  const json = cleanJson(call, value);
  if (maskedParams === undefined) return json;
  return maskingScrubber(maskedLeaves(call.params, maskedParams)).scrubJson(json);
}

function recordedError(call: Call, { code, message }: ToolError): RecordedEnding["error"] {
  const { params, runtime, tool } = call;
  const clean = runtime.credentials.scrubber.scrub(message);
  if (tool.maskedParams === undefined) return { code, message: clean };
  const leaves = maskedLeaves(params, tool.maskedParams);
  return { code, message: maskingScrubber(leaves).scrub(clean) };
}

/**
 * The whole result, where the store keeps it. A request that shadow mode recorded is in the record.
 */
function attachmentOf(call: Call, result: AnyResult): Attachment | undefined {
  const { attachments } = call.runtime.ledger;
  if (attachments === undefined || !wantsResult(attachments.policy, call.toolId)) return undefined;
  if (call.request !== undefined) return undefined;
  return attach(attachments, wholeResult(call, result));
}

/** What the last attempt produced, without credentials and without what is masked. */
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

/** The whole result as JSON, as it may be kept: without anything masked or secret. */
export function wholeResult(call: Call, result: AnyResult): string {
  const json = cleanJson(call, masks(call, result));
  const leaves = maskedTexts(call, result);
  return mayHoldAny(json, leaves) ? maskingScrubber(leaves).scrubJson(json) : json;
}

/**
 * The answer as the ledger keeps it: a receipt may repeat a parameter that is masked. Undefined
 * when there was none.
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
    // What needs the value itself can't be shown without it.
    return { status: answered.status };
  }
}

/** The parameters as the ledger keeps them, as JSON; made once for both records. */
export function paramsOf(call: Call): string {
  call.recordedParams ??= cleanJson(call, maskedParamsOf(call));
  return call.recordedParams;
}

/** An unknown parameter may be a masked one whose name is misspelt: its value is never kept. */
function maskedParamsOf({ areParamsFit, params, tool }: Call): unknown {
  if (areParamsFit) return masked(params, tool.maskedParams);
  const unknown = unknownProperties(tool.params, params);
  if (unknown === undefined) return maskText;
  return maskedAsUnfit(maskedAt(params, unknown), tool.maskedParams);
}

/**
 * A value as JSON without any credential in it. Callers may pass anything; what is not JSON is
 * recorded as such.
 */
function cleanJson(call: Call, value: unknown): string {
  return call.runtime.credentials.scrubber.scrubJson(jsonOf(value) ?? '"(not JSON)"');
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined;
  }
}

/**
 * The first of a result's JSON, without anything secret. A large answer is not written out for it,
 * but for what the search of secrets needs.
 */
function summaryOf(call: Call, result: AnyResult): string {
  const { scrubber } = call.runtime.credentials;
  const excerpt = shortened(call, result, summaryLength + searchMargin + 4 * scrubber.longest());
  const json = cleanJson(call, excerpt.value);
  const leaves = maskedTexts(call, result);
  if (excerpt.isWhole && !mayHoldAny(json, leaves)) return json.slice(0, summaryLength);
  return summaryWithout(call, result, maskingScrubber(leaves));
}

/** @param values the masked ones of the parameters, which may come back */
function summaryWithout(call: Call, result: AnyResult, values: Scrubber): string {
  const { scrubber } = call.runtime.credentials;
  // Whatever begins before the cut ends before the excerpt does.
  const margin = searchMargin + 4 * Math.max(scrubber.longest(), values.longest());
  const write = (value: unknown): string => values.scrubJson(cleanJson(call, value));
  const excerpt = shortened(call, result, summaryLength + margin);
  const json = write(excerpt.value);
  // Where secrets made most of it, what was cut off at its end comes near the beginning.
  const isEnough = excerpt.isWhole || json.length > margin / 2 + summaryLength;
  return (isEnough ? json : write(masks(call, result))).slice(0, summaryLength);
}

/** Characters beyond the cut in which secrets are still looked for, beside four of the longest. */
const searchMargin = 64 * 1024;

/** What can't be cut is no JSON either, which writing it tells. */
function shortened(call: Call, result: AnyResult, characters: number): Excerpt {
  const shown = masks(call, result);
  try {
    return excerptOf(shown, characters);
  } catch {
    return { value: shown, isWhole: true };
  }
}

/** Masked paths are those of what is in the result: what stands there is replaced, whatever it is. */
function masks(call: Call, result: AnyResult): AnyResult {
  const { maskedErrors, maskedOwnData, maskedResult } = call.tool;
  if ("error" in result && maskedErrors !== undefined)
    // Which schema it is of is not known, nor whether it fits one.
    return { ...result, error: maskedByName(result.error, maskedErrors) } as AnyResult;
  const paths = hasOwnData(result, call) ? ownMasks(maskedOwnData, result.status) : maskedResult;
  return paths === undefined || !("data" in result)
    ? result
    : ({ ...result, data: masked(result.data, paths) } as AnyResult);
}

function ownMasks(masks: Call["tool"]["maskedOwnData"], status: string): MaskedPaths | undefined {
  return masks !== undefined && Object.hasOwn(masks, status) ? masks[status] : undefined;
}

type MaskedLeaf = ReturnType<typeof maskedLeaves>[number];

/**
 * What is masked in the parameters, which may come back in the answer. A receipt has been masked
 * already, and has no words of the other side's.
 */
function maskedTexts({ params, prepared, tool }: Call, result: AnyResult): readonly MaskedLeaf[] {
  if (tool.maskedParams === undefined) return [];
  return prepared?.isReceipt === true && "data" in result
    ? []
    : maskedLeaves(params, tool.maskedParams);
}

/** Values times characters from which on one search for all values is faster than one for each. */
const fewComparisons = 2 ** 20;

function mayHoldAny(json: string, leaves: readonly MaskedLeaf[]): boolean {
  if (leaves.length === 0) return false;
  if (leaves.length * json.length > fewComparisons) return true;
  const texts = Array.from(viewsOf(json), (view) => view.text);
  return leaves.some((leaf) => {
    const text = String(leaf);
    if (text.length >= shortestSecret) return mayHoldSpelling(texts, text);
    return typeof leaf === "string" && json.includes(JSON.stringify(text));
  });
}

function maskingScrubber(leaves: readonly MaskedLeaf[]): Scrubber {
  const scrubber = createScrubber();
  for (const each of leaves) {
    const text = String(each);
    if (text.length >= shortestSecret) scrubber.learn(text, maskText);
    else if (typeof each === "string") scrubber.learnWhole(text, maskText);
  }
  return scrubber;
}

/**
 * Why a write is not made: its record is too long, which shorter parameters would mend, or the
 * ledger is out of order.
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
  const message = `make a record of ${length} characters, and the ledger takes ${limit} at most`;
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

/** Ends of calls that a ledger did not take, since it began not to. */
const missing = new WeakMap<LedgerStore, number>();

/**
 * Tells of the first end that a ledger doesn't take; the others are counted, or a full disk would
 * flood the log.
 */
function missRecord(ledger: LedgerStore, toolId: string): void {
  const count = (missing.get(ledger) ?? 0) + 1;
  missing.set(ledger, count);
  if (count > 1) return;
  warn(
    `the ledger did not take the end of a call of ${toolId}; others that it doesn't take are counted`,
  );
}

/** Tells how many there were, when the ledger has taken a record again. */
function keepRecord(ledger: LedgerStore): void {
  const count = missing.get(ledger);
  if (count === undefined) return;
  missing.delete(ledger);
  const ends = count === 1 ? "the end of 1 call is" : `the ends of ${count} calls are`;
  warn(`the ledger takes records again; ${ends} not in it`);
}

function warn(message: string): void {
  process.emitWarning(message, { type: "SkillcLedgerWarning" });
}
