import type { SchemaProblem, SchemaSubject, ToolErrorCode } from "../errors.js";
import type { Caller } from "../caller.js";
import type { Decision } from "../governance/decision.js";
import type { JsonValue } from "../json/json.js";
import type { Attachment } from "./attachments.js";
import type { ProducedAttachment } from "./produced-bytes.js";
import type { WayBack } from "../rollback/way-back.js";
import type { Containment } from "../call/attempt.js";
import type { Mode, ToolVersion } from "../tool.js";

/** Facts that both records of a call contain. */
interface CallFacts {
  /** Id of the call: a UUID, the same in its begin and end records. */
  readonly id: string;
  /** Time of the record in ISO 8601, UTC, with milliseconds. */
  readonly time: string;
  /** Name of the skill. */
  readonly skill: string;
  /** Name of the tool, without its skill. */
  readonly tool: string;
  /** Binding kind, or `handler`. */
  readonly kind: string;
  /** Mode of the call. */
  readonly mode: Mode;
  /** Effect of the call: read or write. */
  readonly effect: "read" | "write";
  /**
   * Parameters as passed. Values with `writeOnly` or `x-sensitive` in the schema are masked, and
   * credentials are replaced by their names.
   */
  readonly parameters: JsonValue;
  /** Hashes of the skill, the binding and the manifest. */
  readonly version: ToolVersion;
  /** Trace of the call, if the caller names one. */
  readonly trace?: string;
  /** Id of the call that made this one, if the caller names one. */
  readonly parent?: string;
  /** Step of a plan or process that the call belongs to, if the caller names one. */
  readonly step?: string;
  /** Id of the call that this call undoes. */
  readonly rollbackOf?: string;
  /** Why a person let this call undo the other one although something has changed since. */
  readonly forced?: string;
  /** Caller of a governed call. */
  readonly caller?: RecordedCaller;
}

/**
 * The recorded part of a caller. Scopes and roles are not recorded; the policies that decided are.
 */
export interface RecordedCaller extends Pick<Caller, "origin" | "subject" | "tenant"> {
  /** Set if nobody checked that this was the caller. */
  readonly claimed?: true;
}

/** Address and number of polls of work that the target has accepted. */
export interface RecordedAcceptance {
  /** Path of the last address, on the origin of the request; `?…` replaces a query. */
  readonly at: string;
  readonly polls: number;
}

/** A place where a returned answer doesn't match its schema, without any part of the answer. */
export interface RecordedMisfit extends SchemaProblem {
  /** `result`: the tool's answer. `response`: the body from which the answer was made. */
  readonly subject: SchemaSubject;
}

/** Governance's decision about a call. */
export type RecordedDecision = { readonly [Field in keyof Decision]: Decision[Field] };

/**
 * The record of a write before it is sent. It is written again, with the address for polling, when
 * the target has accepted the write; the newest one counts. A begin record without an end record
 * means that the outcome is unknown.
 */
export interface BeginRecord extends CallFacts {
  readonly type: "begin";
  /** Set if the target has accepted the write. */
  readonly accepted?: RecordedAcceptance;
}

/** The record at the end of every call. */
export interface EndRecord extends CallFacts {
  readonly type: "end";
  /**
   * Status of the answer. Without an answer: `unknown` for a write that may have been carried out,
   * `denied` if governance denied the call, otherwise `failed`. It is also `unknown` for a write
   * that is made once, if the answer doesn't say whether the write was carried out.
   */
  readonly status: string;
  /**
   * JSON of the result, cut at 500 characters; null if there is none. If the answer doesn't match
   * its schema, only its status.
   */
  readonly result: string | null;
  /**
   * Reason why the caller has no answer. If there is also a result, governance withheld the answer.
   */
  readonly error: { readonly code: ToolErrorCode; readonly message: string } | null;
  /** Reference to the whole result, if the ledger keeps it. */
  readonly attachment?: Attachment;
  /**
   * References to bytes that a process or a step of the call produced, if the ledger keeps them.
   */
  readonly attachments?: readonly ProducedAttachment[];
  /**
   * The request that was not sent: of a write in shadow mode, or of a call that governance denied.
   * For a denied request with more than 64 KiB of JSON, an `OmittedRequest` with its size and
   * digest.
   */
  readonly request?: JsonValue;
  /** Number of attempts; 0 if nothing was sent. */
  readonly attempts: number;
  /** Duration from call to answer, in milliseconds. */
  readonly durationMs: number;
  /** Polling of work that the target accepted before it had an answer. */
  readonly accepted?: RecordedAcceptance;
  /**
   * Set if the call's process ran without bubblewrap, although its tool wants a sandbox: `none` if
   * nothing contained it, `external` if the deployment contains the application.
   */
  readonly containment?: Containment;
  /** Set if this call has undone the call `rollbackOf`. */
  readonly undone?: true;
  /** How the call can be undone; absent if it changed nothing, or its tool has no way back. */
  readonly rollback?: WayBack;
  /** The first places where the returned answer doesn't match its schema. */
  readonly misfits?: readonly RecordedMisfit[];
  /** Governance's decision, if the call was governed. */
  readonly decision?: RecordedDecision;
}

/** Replaces a request that is too long for a record. */
export interface OmittedRequest {
  /** Why the ledger did not keep the request. */
  readonly omitted: "too-large";
  /** Size of the request as JSON, masked and without credentials. */
  readonly bytes: number;
  /** SHA-256 of that JSON, in hexadecimal. */
  readonly sha256: string;
}

/** A person's finding about a write whose outcome was unknown. */
export interface Settlement {
  /** Outcome: `done` if the write was carried out. */
  readonly as: SettledAs;
  /** Evidence, in the person's words. */
  readonly because: string;
  /** Time of the settlement in ISO 8601, UTC; always later than the record that it settles. */
  readonly time: string;
  /** Set if it replaces an earlier settlement. */
  readonly correction?: true;
}

/** Outcome of a settled write. */
export type SettledAs = "done" | "not-done";

/** The record of a settlement, written in a chain of its own. The call's records don't change. */
export interface SettleRecord extends Settlement {
  readonly type: "settle";
  /** Id of the call. */
  readonly id: string;
}

/** A record of a call. */
export type CallRecord = BeginRecord | EndRecord;

/** Any record that a ledger stores. */
export type LedgerRecord = CallRecord | SettleRecord;
