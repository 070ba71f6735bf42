/** Records of reads that were too long for a ledger. Their calls have already returned. */
export interface TooLongRecords {
  count: number;
}

/**
 * Warns about the first record that is too long and counts the others, because a tool with long
 * answers would flood the log.
 */
export function tellTooLong(records: TooLongRecords, id: string): void {
  records.count += 1;
  if (records.count === 1) warnOf(`the record of call ${id} is too long for the ledger`);
}

/** Reports the total when the ledger closes. */
export function tellHowMany({ count }: TooLongRecords): void {
  if (count > 1) warnOf(`the records of ${count} calls were too long for the ledger`);
}

function warnOf(message: string): void {
  process.emitWarning(message, { type: "SkillcLedgerWarning" });
}
