import type { JsonValue } from "../../json/json.js";
import type { BeginRecord, CallRecord, EndRecord, LedgerRecord, SettleRecord } from "../record.js";

/** The first line of every file, and of a writer's rows in a table. */
export interface OpenRecord {
  readonly type: "open";
  readonly format: 1;
  readonly time: string;
  readonly writer: string;
  /** Number of the file among its writer's files, from 1. */
  readonly part: number;
  readonly pid: number;
  readonly host: string;
  /**
   * Heads of other writers' chains when this writer began. They show later whether those chains
   * were cut.
   */
  readonly seen: readonly SeenHead[];
}

export interface SeenHead {
  /** Name of the file; in a table, of the writer. */
  readonly file: string;
  /** Number of the last line. */
  readonly seq: number;
  readonly hash: string;
}

/** The last line of a file or writer that was closed properly. */
export interface CloseRecord {
  readonly type: "close";
  readonly time: string;
  /** `rotated`: the writer continued in its next file. */
  readonly reason: CloseReason;
}

export type CloseReason = "rotated" | "closed" | "exit";

/** Recorded before old records are removed. */
export interface PruneRecord {
  readonly type: "prune";
  readonly time: string;
  /** All removed records were older than this time. */
  readonly before: string;
  readonly files: readonly PrunedFile[];
}

/**
 * A removed file, or a writer's removed first rows, and their last line, after which the chain
 * continues.
 */
export interface PrunedFile extends SeenHead {
  readonly records: number;
}

/** Any record that a line of a ledger can hold. */
export type ChainRecord = LedgerRecord | OpenRecord | CloseRecord | PruneRecord;

/** Parses the record of a line; undefined if the line holds none. Never throws. */
export function parseRecord(line: string): ChainRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value) || !isTime(value["time"])) return undefined;
  if (isOpen(value) || isClose(value) || isBegin(value) || isEnd(value)) return value;
  return isSettle(value) || isPrune(value) ? value : undefined;
}

/** An object from `JSON.parse`. */
type Fields = { readonly [name: string]: JsonValue };

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && value.length <= 40 && !Number.isNaN(Date.parse(value));
}

function isOpen(value: object): value is OpenRecord {
  const { type, format, writer, part, pid, host, seen } = value as Partial<OpenRecord>; // each field is checked below
  return (
    type === "open" &&
    format === 1 &&
    areText(writer, host) &&
    areCounts(part, pid) &&
    Array.isArray(seen) &&
    seen.every(isHead)
  );
}

function isHead(value: unknown): value is SeenHead {
  return isObject(value) && areText(value["file"], value["hash"]) && areCounts(value["seq"]);
}

function isPrune(value: object): value is PruneRecord {
  const { before, files, type } = value as Partial<PruneRecord>; // each field is checked below
  return (
    type === "prune" &&
    areText(before) &&
    Array.isArray(files) &&
    files.every((each) => isHead(each) && areCounts((each as Partial<PrunedFile>).records))
  );
}

function isClose(value: object): value is CloseRecord {
  const { type, reason } = value as Partial<CloseRecord>; // each field is checked below
  return type === "close" && (reason === "rotated" || reason === "closed" || reason === "exit");
}

function isBegin(value: object): value is BeginRecord {
  if (!("type" in value) || value.type !== "begin" || !hasCallFacts(value)) return false;
  const { accepted } = value as Partial<BeginRecord>; // checked below
  return accepted === undefined || isAcceptance(accepted);
}

function isEnd(value: object): value is EndRecord {
  if (!("type" in value) || value.type !== "end" || !hasCallFacts(value)) return false;
  const record = value as Partial<EndRecord>; // each field is checked below
  const { accepted, attachment, attachments, attempts, containment, decision } = record;
  const { durationMs, error, misfits, result, rollback, status, undone } = record;
  return (
    areText(status) &&
    (result === null || areText(result)) &&
    (error === null || (isObject(error) && areText(error["code"], error["message"]))) &&
    areCounts(attempts) &&
    typeof durationMs === "number" &&
    (attachment === undefined || isAttachment(attachment)) &&
    (attachments === undefined || areProduced(attachments)) &&
    (accepted === undefined || isAcceptance(accepted)) &&
    (containment === undefined || areText(containment)) &&
    (undone === undefined || undone === true) &&
    (rollback === undefined || isWayBack(rollback)) &&
    (misfits === undefined || areMisfits(misfits)) &&
    (decision === undefined || isDecision(decision))
  );
}

function isAcceptance(value: unknown): boolean {
  return isObject(value) && areText(value["at"]) && areCounts(value["polls"]);
}

function isWayBack(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { bytes, parameters, paths, reason, sha256, strategy, tool } = value;
  if (strategy === "unchanged") return true;
  if (strategy === "none") return areText(reason);
  if (strategy === "compensate") return areText(tool) && areParameters(parameters);
  if (strategy !== "backup" && strategy !== "effects") return false;
  return areCounts(paths, bytes) && areText(sha256);
}

function areParameters(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { json, omitted, sealed } = value;
  return sealed === undefined ? areText(json ?? omitted) : isKeptAttachment(sealed);
}

function isKeptAttachment(value: unknown): boolean {
  return isObject(value) && isAttachment(value) && areText(value["sha256"]);
}

function areMisfits(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (each) =>
        isObject(each) &&
        areText(each["subject"], each["pointer"], each["keyword"], each["message"]),
    )
  );
}

function isDecision(value: unknown): boolean {
  return (
    isObject(value) &&
    areText(value["policy"]) &&
    [value["decidedBy"], value["obligations"], value["repaired"] ?? []].every(
      (each) => Array.isArray(each) && areText(...(each as readonly unknown[])),
    ) &&
    isObject(value["spent"]) &&
    Object.values(value["spent"]).every((each) => typeof each === "number") &&
    [value["approval"], value["replayOf"], value["outcome"], value["turn"]].every(
      (each) => each === undefined || areText(each),
    ) &&
    (value["approved"] === undefined || isApproved(value["approved"])) &&
    (value["approvable"] === undefined || isApprovable(value["approvable"]))
  );
}

function isApproved(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { by, channel = "", claimed = true } = value;
  return areText(by, channel) && claimed === true;
}

function isApprovable(value: unknown): boolean {
  return isObject(value) && areText(value["digest"]) && areCounts(value["ttlMs"]);
}

function isCaller(value: unknown): boolean {
  return (
    isObject(value) &&
    [value["tenant"], value["subject"], value["origin"]].every(
      (each) => each === undefined || areText(each),
    ) &&
    (value["claimed"] ?? true) === true
  );
}

function isAttachment(value: unknown): boolean {
  if (!isObject(value) || !areCounts(value["bytes"])) return false;
  return areText(value["sha256"], value["folder"]) || areText(value["omitted"]);
}

function areProduced(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (each) => isObject(each) && isAttachment(each) && areText(each["name"], each["type"]),
    )
  );
}

function isSettle(value: object): value is SettleRecord {
  const { type, id, as, because, correction } = value as Partial<SettleRecord>; // each field is checked below
  return (
    type === "settle" &&
    areText(id, because) &&
    (as === "done" || as === "not-done") &&
    (correction === undefined || correction === true)
  );
}

function hasCallFacts(value: object): boolean {
  const facts = value as Partial<CallRecord>; // each field is checked below
  return (
    areText(facts.id, facts.skill, facts.tool, facts.kind) &&
    (facts.mode === "active" || facts.mode === "shadow") &&
    (facts.effect === "read" || facts.effect === "write") &&
    facts.parameters !== undefined &&
    isObject(facts.version) &&
    areText(facts.version["skill"], facts.version["binding"]) &&
    (facts.version["manifest"] === undefined || areText(facts.version["manifest"])) &&
    (facts.trace === undefined || areText(facts.trace)) &&
    (facts.parent === undefined || areText(facts.parent)) &&
    (facts.step === undefined || areText(facts.step)) &&
    areText(facts.rollbackOf ?? "", facts.forced ?? "") &&
    (facts.caller === undefined || isCaller(facts.caller))
  );
}

function areText(...values: readonly unknown[]): boolean {
  return values.every((each) => typeof each === "string");
}

function areCounts(...values: readonly unknown[]): boolean {
  return values.every((each) => Number.isSafeInteger(each) && Number(each) >= 0);
}
