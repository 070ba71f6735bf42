/** Facts that the steps of a dry run collect. */
export interface PreflightNotes {
  budget: readonly BudgetNote[];
}

/** Use of one budget by a call. */
export interface BudgetNote {
  /** Name as in denials: `calls_per_minute of tenant acme, order-desk/refund`. */
  readonly name: string;
  /** Limit of the budget. */
  readonly limit: number;
  /** Amount that the call would use. */
  readonly takes: number;
  /** Amount that would be left; absent if one of the call's budgets is used up. */
  readonly left?: number;
}
