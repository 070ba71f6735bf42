import type { Runtime } from "./runtime.js";
import type { Mode } from "./tool.js";

/** What one call may say for itself. */
export interface CallOptions {
  /** Ends the call; it then throws `UNKNOWN.INTERNAL` with the reason `aborted`. */
  readonly signal?: AbortSignal;
  /** Instead of the configured one. */
  readonly runtime?: Runtime;
  /** Overrides the mode of the runtime and of the tool. */
  readonly mode?: Mode;
  /** The trace that the call belongs to; kept in the ledger. */
  readonly trace?: string;
  /** The id of the call that made this one; kept in the ledger. */
  readonly parent?: string;
}
