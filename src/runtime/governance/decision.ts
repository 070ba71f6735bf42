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
  /** The id of the approval that was used. */
  approval?: string;
  /** The id of the call whose stored answer was given again. */
  replayOf?: string;
}
