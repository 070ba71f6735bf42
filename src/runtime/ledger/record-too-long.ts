/** A record that is longer than a ledger takes. With shorter parameters it would fit. */
export class RecordTooLong extends Error {
  override readonly name = "RecordTooLong";
  /** Characters of its JSON. */
  readonly length: number;
  /** Characters that the ledger takes. */
  readonly limit: number;

  constructor(length: number, limit: number) {
    super(`the record is too long: ${length} characters, and the ledger takes ${limit} at most`);
    this.length = length;
    this.limit = limit;
  }
}
