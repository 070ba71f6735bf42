/**
 * What happens to tools and their calls, told to whoever listens. An event names things and has
 * digests and sizes of values: never an argument, a result or a credential.
 */
import { createHash, randomUUID } from "node:crypto";
import type { Call } from "../call/call.js";
import type { EndState } from "../call/call-end.js";
import type { ToolErrorCode } from "../errors.js";
import type { Effect } from "../tool.js";
import type { Risk } from "./policy.js";
import type { ToolState } from "./store/store.js";

/** What every event has. */
interface Envelope {
  /** Of this event: a UUID. */
  readonly envelope_id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** `skill/tool`. */
  readonly tool_id: string;
  /** `ProjectPolicy.hash`. */
  readonly policy_hash: string;
}

/** A tool that the store has not seen before, or not in this version. */
export interface ToolKnown extends Envelope {
  readonly type: "ToolRegistered" | "ToolUpdated";
  readonly manifest_hash: string;
}

export interface ToolStateChanged extends Envelope {
  readonly type: "ToolStateChanged";
  /** Absent: for every tenant. */
  readonly tenant?: string;
  /** Tenants that a change for every tenant leaves out. */
  readonly except_tenants?: readonly string[];
  readonly state: ToolState;
  readonly by: string;
}

/** Of a value's JSON: its SHA-256 in hex, made of what the ledger would keep, and its bytes. */
export interface Digest {
  readonly sha256: string;
  readonly bytes: number;
}

/** What both events of a call have. */
interface OfCall extends Envelope {
  /** The call's, in the ledger: the reference to its evidence. */
  readonly call_id: string;
  readonly tenant?: string;
  readonly subject?: string;
  readonly origin?: string;
  readonly trace?: string;
  readonly manifest_hash: string;
  readonly risk: Risk;
  readonly effect: Effect;
  readonly args_digest: Digest;
}

/** A call is about to be sent: it is ready, and runs from now on. */
export interface ToolInvokeBegin extends OfCall {
  readonly type: "ToolInvokeBegin";
}

export interface ToolInvokeEnd extends OfCall {
  readonly type: "ToolInvokeEnd";
  /** Of a call, which was Idle, and Ready and Running where it got so far. */
  readonly state: EndState;
  /** Of the answer: `success`, `not_found`. */
  readonly status?: string;
  /** Beside a status: the answer came, and was withheld from the caller. */
  readonly error_code?: ToolErrorCode;
  /** What decided. */
  readonly decided_by: readonly string[];
  readonly obligations: readonly string[];
  /** By the budget's name. */
  readonly budget_used: { readonly [budget: string]: number };
  /**
   * Of where the call went, by the names of settings and without masked parameters; absent when
   * nothing was sent.
   */
  readonly side_effects_digest?: Digest;
  readonly output_digest?: Digest;
  readonly approval?: string;
  /** The call whose stored answer was given again. */
  readonly replay_of?: string;
}

export type ToolEvent = ToolKnown | ToolStateChanged | ToolInvokeBegin | ToolInvokeEnd;

/**
 * Takes events. What it throws is told as a warning, and changes no call; see the outbox for what
 * must not be lost.
 */
export interface EventSink {
  (event: ToolEvent): void | Promise<void>;
  /**
   * An outbox: what it gives back for the begin of a call is waited for, and a call whose event it
   * doesn't take is not sent.
   */
  readonly isWaitedFor?: true;
}

export function envelope(tool_id: string, policy_hash: string): Envelope {
  return { envelope_id: randomUUID(), time: new Date().toISOString(), tool_id, policy_hash };
}

/** As the ledger keeps it, so that a digest of something masked says nothing of it. */
export function digestOf(json: string): Digest {
  return {
    sha256: createHash("sha256").update(json).digest("hex"),
    bytes: Buffer.byteLength(json),
  };
}

/** The caller's part of an event. */
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
