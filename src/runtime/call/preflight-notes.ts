/** What the steps of a dry run find out, beside whether the call may be made. */
export interface PreflightNotes {
  budget: readonly BudgetNote[];
}

/** One budget that a call would take of. */
export interface BudgetNote {
  /** As refusals have it: `calls_per_minute of tenant acme, order-desk/refund`. */
  readonly name: string;
  readonly limit: number;
  /** What the call would take of it. */
  readonly takes: number;
  /** What would be left then; absent when one of the call's budgets is used up. */
  readonly left?: number;
}
