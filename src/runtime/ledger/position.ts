/** Where a call stands among those of all writers. */
export interface Position {
  /**
   * Milliseconds since 1970; never later than that of a newer call of the same writer, whatever the
   * clock did.
   */
  readonly timeMs: number;
  readonly writer: string;
  readonly seq: number;
}

/** `<milliseconds since 1970>.<seq>.<writer>`: text that needs no quoting in a shell. */
export function cursorOf(position: Position): string {
  return `${position.timeMs}.${position.seq}.${position.writer}`;
}

/** @throws RangeError when it is not one */
export function parseCursor(cursor: string): Position {
  const match = /^(-?\d{1,16})\.(\d{1,15})\.([\w-]{1,100})$/.exec(cursor);
  if (match?.[3] === undefined)
    throw new RangeError(`\`cursor\` is not one: ${JSON.stringify(cursor.slice(0, 80))}`);
  return { timeMs: Number(match[1]), seq: Number(match[2]), writer: match[3] };
}

/** Whether `a` comes after `b` when the newest is first. */
export function isOlder(a: Position, b: Position): boolean {
  // Within a writer the order of writing decides: a clock that was set back must not let a cursor
  // pass a call twice.
  if (a.writer === b.writer) return a.seq < b.seq;
  return a.timeMs !== b.timeMs ? a.timeMs < b.timeMs : a.writer < b.writer;
}
