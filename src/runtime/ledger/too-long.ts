/** Records of reads that were too long for a ledger: nobody waits for them any more. */
export interface TooLongRecords {
  count: number;
}

/**
 * Told once, and how many there were at the end: a tool with long answers would flood the log.
 */
export function tellTooLong(records: TooLongRecords, id: string): void {
  records.count += 1;
  if (records.count === 1) warnOf(`the record of call ${id} is too long for the ledger`);
}

/** At the end. */
export function tellHowMany({ count }: TooLongRecords): void {
  if (count > 1) warnOf(`the records of ${count} calls were too long for the ledger`);
}

function warnOf(message: string): void {
  process.emitWarning(message, { type: "SkillcLedgerWarning" });
}
