import type { Ledger } from "./ledger.js";

/** Ends of calls that a ledger did not take, since it began not to. */
const missing = new WeakMap<Ledger, number>();

/** Tells of the first end that a ledger doesn't take; the others are counted, or a full disk would flood the log. */
export function missRecord(ledger: Ledger, toolId: string): void {
  const count = (missing.get(ledger) ?? 0) + 1;
  missing.set(ledger, count);
  if (count > 1) return;
  warn(
    `the ledger did not take the end of a call of ${toolId}; others that it doesn't take are counted`,
  );
}

/** Tells how many there were, when the ledger has taken a record again. */
export function keepRecord(ledger: Ledger): void {
  const count = missing.get(ledger);
  if (count === undefined) return;
  missing.delete(ledger);
  const ends = count === 1 ? "the end of 1 call is" : `the ends of ${count} calls are`;
  warn(`the ledger takes records again; ${ends} not in it`);
}

function warn(message: string): void {
  process.emitWarning(message, { type: "SkillcLedgerWarning" });
}
