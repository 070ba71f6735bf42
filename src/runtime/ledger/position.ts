/** Position of a record in the order of all writers. */
export interface Position {
  /**
   * Time of the record, in milliseconds since 1970. Never later than that of a newer record of the
   * same writer, even if the clock was set back.
   */
  readonly timeMs: number;
  /** Id of the writer. */
  readonly writer: string;
  /** Number of the record in the writer's chain. */
  readonly seq: number;
}

/**
 * Returns the position as `<milliseconds since 1970>.<seq>.<writer>`, which needs no quoting in a
 * shell.
 */
export function cursorOf(position: Position): string {
  return `${position.timeMs}.${position.seq}.${position.writer}`;
}

/**
 * Parses the text of a cursor.
 *
 * @throws RangeError if the text is not a cursor
 */
export function parseCursor(cursor: string): Position {
  const match = /^(-?\d{1,16})\.(\d{1,15})\.([\w-]{1,100})$/.exec(cursor);
  if (match?.[3] === undefined)
    throw new RangeError(`\`cursor\` is not valid: ${JSON.stringify(cursor.slice(0, 80))}`);
  return { timeMs: Number(match[1]), seq: Number(match[2]), writer: match[3] };
}

/** Returns whether `a` comes after `b` in the order from newest to oldest. */
export function isOlder(a: Position, b: Position): boolean {
  // Records of one writer are ordered by their numbers. If a clock was set back, ordering by time
  // would pass a cursor over the same call twice.
  if (a.writer === b.writer) return a.seq < b.seq;
  return a.timeMs !== b.timeMs ? a.timeMs < b.timeMs : a.writer < b.writer;
}
