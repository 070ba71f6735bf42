import type { FieldMessage, MessageWriter } from "../../../runtime/postgres/pg-internals.js";
import type { Exchange, Reply, ReplyColumn } from "./session.js";

/** All commands before one Sync: one round trip, and the first that fails skips the rest. */
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

/** One command, whatever it gives. */
export function writeCommand(
  text: string,
  to: MessageWriter,
  values: readonly string[] = [],
): void {
  to.parse({ text });
  to.bind({ values: [...values] });
  to.execute({ rows: 0 });
}

/** Collects what the server answers to the author's statement. */
export class ReplyCollector implements Reply {
  columns: readonly ReplyColumn[] = [];
  readonly rows: (readonly (string | null)[])[] = [];
  tag = "";
  /** Commands still to be completed before the statement. */
  #ahead: number;

  constructor({ before }: Exchange) {
    this.#ahead = before.length;
  }

  describe(fields: readonly FieldMessage[]): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
  }

  /** Takes a row, unless it is of a command before the statement. */
  row(values: readonly (string | null)[]): void {
    if (this.#ahead === 0) this.rows.push(values);
  }

  complete(tag: string): void {
    if (this.#ahead === 0) this.tag = tag;
    this.#ahead -= 1;
  }
}
