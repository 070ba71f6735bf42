import { call, type Chain, type ChainType, literal, typedCall } from "../chain.js";
import type { Source } from "../scope.js";
import { quoted, template, type Words } from "../words.js";

/** One item of FROM: a table, a query, a function. */
export interface TableItem {
  readonly source: Source;
  /** Of a join that is one fragment: its other tables. */
  readonly others?: readonly Source[];
  /** Columns that an INSERT has to name. */
  readonly required?: readonly string[];
  /** Columns of a table that are never NULL. */
  readonly notNull?: ReadonlySet<string>;
  /** What Kysely takes as a string: `orders as o`; absent when it has to be an expression. */
  readonly text?: string;
  /** A query of Kysely's own, to be given its alias. */
  readonly query?: Chain;
  /** What stands before `as`. */
  readonly head: Words;
  /** What stands behind the alias: a list of columns, USING… */
  readonly tail: Words;
  /** The TypeScript type of its rows, for an expression. */
  readonly row: ChainType;
  /** A query that says LATERAL. */
  readonly lateral: boolean;
}

/** The item as Kysely takes it, with more words behind it if need be. */
export function tableChain(item: TableItem, after: Words = []): Chain {
  const tail = [...item.tail, ...after];
  const { alias } = item.source;
  if (tail.length === 0 && item.text !== undefined) return literal(item.text, 1);
  if (tail.length === 0 && item.query !== undefined) return call(item.query, "as", literal(alias));
  const head = template(item.head, item.row);
  const names: ChainType = { kind: "labels", of: [alias] };
  if (tail.length === 0) return call(head, "as", literal(alias));
  return typedCall(head, "as", [names], template([...quoted(alias), ...tail]));
}
