/**
 * What governance made of a call: evidence for the ledger and for events, never a parameter or a
 * result.
 */
export interface Decision {
  /** `ProjectPolicy.hash`. */
  readonly policy: string;
  /**
   * Ids of the policies, grants or quotas that decided; `implicit-permit` where no policy spoke.
   */
  decidedBy: readonly string[];
  /** Names of the obligations that changed the answer. */
  obligations: readonly string[];
  /** What was spent, by the budget's name. */
  spent: { readonly [budget: string]: number };
  /** The id of the approval that the call named, where there is such an approval. */
  approval?: string;
  /** Of a call that was refused for want of an approval: what one would be bound to. */
  approvable?: { readonly digest: string; readonly ttlMs: number };
  /** The id of the call whose stored answer was given again. */
  replayOf?: string;
  /**
   * Of a call that is made once: its answer doesn't tell whether it was made, so that its key stays
   * begun until somebody settles it.
   */
  outcome?: "unknown";
  /**
   * The call of a serial tool ended after its lease: another call may have begun meanwhile.
   */
  turn?: "lease-lost";
  /** Where undeclared properties were dropped from the answer: JSON Pointers, never values. */
  repaired?: readonly string[];
}
