/**
 * The door between an MCP server and the calls that it makes. If a call needs an approval, the
 * server's client asks a person, and the server repeats the call with the person's confirmation. The
 * server passes a `ConfirmableCall` in the call's options, by a symbol.
 */
import type { CallOptions } from "./call-options.js";

/** A call that a person may confirm. */
export interface ConfirmableCall {
  /** The person's confirmation, if the client has asked. */
  readonly confirmation?: Confirmation;
  /** Set by a call that lacks an approval: its masked parameters, as JSON. */
  parameters?: string;
}

/** A person's confirmation of one call. */
export interface Confirmation {
  /** Digest of the request that the person confirmed. */
  readonly digest: string;
  /** SHA-256 of the trial that the person saw. */
  readonly trial?: string;
  /** Approval channel on which the person confirmed. */
  readonly channel: string;
  /** Id of the approval. It is derived from the confirmation, so that a replay has the same. */
  readonly approval: string;
}

/** Key of a confirmable call in options; the same for every copy of this package. */
const key = Symbol.for("skillc.confirmable-call");

/** Returns options with a confirmable call. */
export function withConfirmableCall<Options extends CallOptions>(
  options: Options,
  confirmable: ConfirmableCall,
): Options {
  return { ...options, [key]: confirmable };
}

/** Returns the confirmable call if an MCP server makes the call. */
export function confirmableCallOf(options: CallOptions): ConfirmableCall | undefined {
  // Only `withConfirmableCall` sets this key.
  return (options as { readonly [key]?: ConfirmableCall })[key];
}
