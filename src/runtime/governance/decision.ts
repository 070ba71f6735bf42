/**
 * Governance's decision about a call, for the ledger and events. It never contains a parameter or a
 * result.
 */
export interface Decision {
  /** Hash of the policy (`ProjectPolicy.hash`). */
  readonly policy: string;
  /** Ids of the policies, grants or quotas that decided; `implicit-permit` if no policy did. */
  decidedBy: readonly string[];
  /** Names of the obligations that changed the answer. */
  obligations: readonly string[];
  /** Amounts spent, by the budget's name. */
  spent: { readonly [budget: string]: number };
  /** Id of the approval that the call named or found, if it exists. */
  approval?: string;
  /**
   * Who gave the approval, and on which channel. `claimed`: nobody checked that it was this person.
   */
  approved?: { readonly by: string; readonly channel?: string; readonly claimed?: true };
  /**
   * Set if the call was denied for lack of an approval: digest and lifetime of an approval request.
   */
  approvable?: { readonly digest: string; readonly ttlMs: number };
  /** Id of the call whose stored answer was returned again. */
  replayOf?: string;
  /**
   * Set for a call that is made once, if its answer doesn't say whether it was made. Its key stays
   * begun until somebody settles the call.
   */
  outcome?: "unknown";
  /**
   * Set if a call of a serial tool ended after its lease, so that another call may have begun
   * meanwhile.
   */
  turn?: "lease-lost";
  /** JSON Pointers of undeclared properties that were dropped from the answer. */
  repaired?: readonly string[];
}
