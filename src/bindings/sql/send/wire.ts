import type { FieldMessage, MessageWriter } from "../../../runtime/postgres/pg-internals.js";
import type { Exchange, Reply, ReplyColumn } from "./session.js";

/**
 * Writes all commands before one Sync. They take one round trip, and after an error the server
 * skips the rest.
 */
export function writeExchange({ before, statement, after }: Exchange, to: MessageWriter): void {
  for (const each of before) {
    if (typeof each === "string") writeCommand(each, to);
    else writeCommand(each.sql, to, each.values);
  }
  if (statement !== undefined) {
    to.parse({ text: statement.sql });
    to.bind({ values: [...statement.parameters] });
    to.describe({ type: "P" });
    to.execute({ rows: statement.rowLimit });
  }
  for (const sql of after) writeCommand(sql, to);
  to.sync();
}

/** Writes one command; its rows are ignored. */
export function writeCommand(
  text: string,
  to: MessageWriter,
  values: readonly string[] = [],
): void {
  to.parse({ text });
  to.bind({ values: [...values] });
  to.execute({ rows: 0 });
}

/** Collects the server's reply to the author's statement. */
export class ReplyCollector implements Reply {
  columns: readonly ReplyColumn[] = [];
  readonly rows: (readonly (string | null)[])[] = [];
  tag = "";
  /** Number of commands before the statement that are not completed yet. */
  #ahead: number;

  constructor({ before }: Exchange) {
    this.#ahead = before.length;
  }

  describe(fields: readonly FieldMessage[]): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
  }

  /** Adds a row, unless it belongs to a command before the statement. */
  row(values: readonly (string | null)[]): void {
    if (this.#ahead === 0) this.rows.push(values);
  }

  complete(tag: string): void {
    if (this.#ahead === 0) this.tag = tag;
    this.#ahead -= 1;
  }
}
