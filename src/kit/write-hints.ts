/** Hints for the user of a client about the writes of a tool. */
export interface WriteHints {
  /** True if a call may change or remove what exists; false if it only adds. */
  readonly destructive: boolean;
  /** True if a repeated call with the same arguments changes nothing more. */
  readonly idempotent: boolean;
}
