import type { SchemaProblem, SchemaSubject, ToolErrorCode } from "../errors.js";
import type { Caller } from "../caller.js";
import type { Decision } from "../governance/decision.js";
import type { JsonValue } from "../json/json.js";
import type { Attachment } from "./attachments.js";
import type { ProducedAttachment } from "./produced-bytes.js";
import type { Mode, ToolVersion } from "../tool.js";

/** What both records of a call say of it. */
interface CallFacts {
  /** The call: a UUID, the same in its begin and end records. */
  readonly id: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string;
  readonly skill: string;
  readonly tool: string;
  /** The binding kind, or `handler`. */
  readonly kind: string;
  readonly mode: Mode;
  readonly effect: "read" | "write";
  /**
   * As passed, masked where the schema says `writeOnly` or `x-sensitive`; credential values
   * replaced by their names.
   */
  readonly parameters: JsonValue;
  readonly version: ToolVersion;
  /** The trace and the call that this one belongs to, when the caller says so. */
  readonly trace?: string;
  readonly parent?: string;
  /** The step of a plan or process that the call belongs to, when the caller says so. */
  readonly step?: string;
  /** Who made it, of a call that was governed. */
  readonly caller?: RecordedCaller;
}

/** What a caller may do is not recorded: what decided is. */
export type RecordedCaller = Pick<Caller, "origin" | "subject" | "tenant">;

/** Where a target was asked how far its work is, and how often. */
export interface RecordedAcceptance {
  /** The path of the last address, at the origin of the request; `?…` stands for a query. */
  readonly at: string;
  readonly polls: number;
}

/** Where an answer that was given all the same doesn't fit its schema: nothing of the answer itself. */
export interface RecordedMisfit extends SchemaProblem {
  /** `result`: the tool's answer; `response`: the body that it was made of. */
  readonly subject: SchemaSubject;
}

/** What governance made of a call. */
export type RecordedDecision = { readonly [Field in keyof Decision]: Decision[Field] };

/**
 * Written before a write leaves the process, and again when its target has accepted it and is to be
 * asked for more, which says where: of several for one call the newest counts. One without an end
 * means: outcome unknown, as an end that says so does.
 */
export interface BeginRecord extends CallFacts {
  readonly type: "begin";
  /** Set where it isn't the call's first. */
  readonly accepted?: RecordedAcceptance;
}

/** Written after every call. */
export interface EndRecord extends CallFacts {
  readonly type: "end";
  /**
   * The answer's status; without an answer `unknown` for a write that may have happened all the
   * same, else `denied` when governance refused the call, else `failed`. `unknown` also of a call
   * that is made once, and whose answer doesn't tell whether it was.
   */
  readonly status: string;
  /**
   * JSON of the result, cut at 500 characters; null when there is none. Of an answer that doesn't fit
   * its schema its status alone.
   */
  readonly result: string | null;
  /**
   * Why its caller has no answer. Beside a result: the call was answered, and governance withheld
   * the answer.
   */
  readonly error: { readonly code: ToolErrorCode; readonly message: string } | null;
  /** The whole result, where the ledger is told to keep it. */
  readonly attachment?: Attachment;
  /** Bytes that a process or a step of the call produced, where the ledger is told to keep them. */
  readonly attachments?: readonly ProducedAttachment[];
  /**
   * The request that was not made: of a write in shadow mode, and of a call that governance refused.
   * Of a refused one with more than 64 KiB of JSON its size and its digest: `OmittedRequest`.
   */
  readonly request?: JsonValue;
  /** Attempts made; 0 when nothing was sent. */
  readonly attempts: number;
  /** Milliseconds from call to answer. */
  readonly durationMs: number;
  /** Of work that the target took on before it had an answer. */
  readonly accepted?: RecordedAcceptance;
  /** Of an answer that doesn't fit its schema, and was given as it came: the first of the problems. */
  readonly misfits?: readonly RecordedMisfit[];
  /** Of a call that was governed. */
  readonly decision?: RecordedDecision;
}

/** In place of a request that is too long for a record. */
export interface OmittedRequest {
  readonly omitted: "too-large";
  /** Of the request as JSON, masked and without credentials. */
  readonly bytes: number;
  /** Of the same, in hexadecimal. */
  readonly sha256: string;
}

/** What a person found out of a write whose outcome was unknown. */
export interface Settlement {
  /** Whether the write was carried out. */
  readonly as: SettledAs;
  /** How that is known. */
  readonly because: string;
  /** When it was recorded: ISO 8601, UTC; always later than the record that it is about. */
  readonly time: string;
  /** Set when it takes the place of an earlier one. */
  readonly correction?: true;
}

export type SettledAs = "done" | "not-done";

/**
 * Written, by a writer of its own, when a person settles a call. The call's own records stay as
 * they are.
 */
export interface SettleRecord extends Settlement {
  readonly type: "settle";
  /** The call's. */
  readonly id: string;
}

/** What a call leaves. */
export type CallRecord = BeginRecord | EndRecord;

/** Whatever a ledger is handed. */
export type LedgerRecord = CallRecord | SettleRecord;
