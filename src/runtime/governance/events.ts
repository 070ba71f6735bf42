/**
 * Events about tools and their calls. They contain names, digests and sizes, but never an argument,
 * a result or a credential.
 */
import { createHash, randomUUID } from "node:crypto";
import type { Call } from "../call/call.js";
import type { EndState } from "../call/call-end.js";
import type { ToolErrorCode } from "../errors.js";
import type { Effect } from "../tool.js";
import type { Risk } from "./policy.js";
import type { ToolState } from "./store/store.js";

/** Fields of every event. */
interface Envelope {
  /** UUID of the event. */
  readonly envelope_id: string;
  /** Time of the event in ISO 8601, UTC. */
  readonly time: string;
  /** Id of the tool: `skill/tool`. */
  readonly tool_id: string;
  /** Hash of the policy (`ProjectPolicy.hash`). */
  readonly policy_hash: string;
}

/** A tool that is new to the store, or has a new version. */
export interface ToolKnown extends Envelope {
  readonly type: "ToolRegistered" | "ToolUpdated";
  /** Hash of the tool's manifest. */
  readonly manifest_hash: string;
}

/** A change of a tool's state. */
export interface ToolStateChanged extends Envelope {
  readonly type: "ToolStateChanged";
  /** Tenant for which the state changed; absent for every tenant. */
  readonly tenant?: string;
  /** Tenants that a change for every tenant excludes. */
  readonly except_tenants?: readonly string[];
  /** New state of the tool. */
  readonly state: ToolState;
  /** Who changed the state. */
  readonly by: string;
}

/**
 * Digest of a value's JSON: its SHA-256 in hex, and its size in bytes. It is computed from the
 * masked value that the ledger would keep.
 */
export interface Digest {
  /** SHA-256 of the JSON, in hex. */
  readonly sha256: string;
  /** Size of the JSON, in bytes. */
  readonly bytes: number;
}

/** Fields of both events of a call. */
interface OfCall extends Envelope {
  /** Id of the call in the ledger, which has the details. */
  readonly call_id: string;
  /** Tenant that the call is for; absent without one. */
  readonly tenant?: string;
  /** Person or service that makes the call; absent without one. */
  readonly subject?: string;
  /** Origin of the call: `llm`, `api` or `system`. */
  readonly origin?: string;
  /** Id of the trace that the call belongs to. */
  readonly trace?: string;
  /** Hash of the tool's manifest. */
  readonly manifest_hash: string;
  /** Risk of the tool. */
  readonly risk: Risk;
  /** `read` if the tool changes nothing, else `write`. */
  readonly effect: Effect;
  /** Digest of the arguments. */
  readonly args_digest: Digest;
  /** Id of the call that this call undoes; absent for every other call. */
  readonly rollback_of?: string;
}

/** A call that is about to be sent. */
export interface ToolInvokeBegin extends OfCall {
  readonly type: "ToolInvokeBegin";
}

/** The end of a call. */
export interface ToolInvokeEnd extends OfCall {
  readonly type: "ToolInvokeEnd";
  /** Final state of the call. */
  readonly state: EndState;
  /** Status of the answer, such as `success` or `not_found`. */
  readonly status?: string;
  /** Code of the error. If there is also a status, the answer was withheld from the caller. */
  readonly error_code?: ToolErrorCode;
  /** Ids of the policies, grants or quotas that decided. */
  readonly decided_by: readonly string[];
  /** Names of the obligations that changed the answer. */
  readonly obligations: readonly string[];
  /** Budget used, by the budget's name. */
  readonly budget_used: { readonly [budget: string]: number };
  /**
   * Digest of the call's targets, with names of settings and without masked parameters; absent if
   * nothing was sent.
   */
  readonly side_effects_digest?: Digest;
  /** Digest of the answer; absent if there is none. */
  readonly output_digest?: Digest;
  /** Id of the approval that the call named, if it exists. */
  readonly approval?: string;
  /** Id of the call whose stored answer was returned again. */
  readonly replay_of?: string;
}

/** A call that needs an approval, and was not made. The store keeps its request. */
export interface ApprovalRequested extends Envelope {
  readonly type: "ApprovalRequested";
  /** Id of the request: the same for equal calls. */
  readonly request_id: string;
  /** Id of the denied call in the ledger. */
  readonly call_id: string;
  /** Tenant that the call is for; absent without one. */
  readonly tenant?: string;
  /** Person or service that makes the call. */
  readonly subject?: string;
  /** Origin of the call: `llm`, `api` or `system`. */
  readonly origin?: string;
  /** Id of the trace that the call belongs to. */
  readonly trace?: string;
  /** Hash of the tool's manifest. */
  readonly manifest_hash: string;
  /** Risk of the tool. */
  readonly risk: Risk;
  /** `read` if the tool changes nothing, else `write`. */
  readonly effect: Effect;
}

/** A decision about a request for approval. */
export interface ApprovalDecided extends Envelope {
  readonly type: "ApprovalDecided";
  /** Id of the request: the same for equal calls. */
  readonly request_id: string;
  /** Tenant of the call; absent without one. */
  readonly tenant?: string;
  /** Subject of the call. */
  readonly subject?: string;
  /** Hash of the tool's manifest. */
  readonly manifest_hash: string;
  readonly decision: "approved" | "denied";
  /** Subject of the approver. */
  readonly by: string;
  /** Channel on which the approver decided; absent if it named none. */
  readonly channel?: string;
  /** Set if nobody checked that the approver is `by`. */
  readonly claimed?: true;
  /** Id of the approval; absent after a denial. */
  readonly approval?: string;
}

/** Any event of governance. */
export type ToolEvent =
  | ToolKnown
  | ToolStateChanged
  | ToolInvokeBegin
  | ToolInvokeEnd
  | ApprovalRequested
  | ApprovalDecided;

/**
 * Receives events. An error that it throws becomes a warning, and changes no call. Use an outbox if
 * events must not be lost.
 */
export interface EventSink {
  (event: ToolEvent): void | Promise<void>;
  /**
   * Set for an outbox. The begin of a call waits for the returned promise, and the call is not sent
   * if the promise rejects.
   */
  readonly isWaitedFor?: true;
}

export function envelope(tool_id: string, policy_hash: string): Envelope {
  return { envelope_id: randomUUID(), time: new Date().toISOString(), tool_id, policy_hash };
}

/**
 * Returns the digest of JSON. Pass the masked JSON that the ledger keeps, so that the digest
 * reveals nothing.
 */
export function digestOf(json: string): Digest {
  return {
    sha256: createHash("sha256").update(json).digest("hex"),
    bytes: Buffer.byteLength(json),
  };
}

/** Returns the caller's fields of an event. */
export function callerPart({
  caller,
  options,
}: Call): Pick<OfCall, "tenant" | "subject" | "origin" | "trace"> {
  const { origin, subject, tenant } = caller ?? {};
  const trace = options.trace ?? caller?.trace;
  return {
    ...(tenant !== undefined && { tenant }),
    ...(subject !== undefined && { subject }),
    ...(origin !== undefined && { origin }),
    ...(trace !== undefined && { trace }),
  };
}
