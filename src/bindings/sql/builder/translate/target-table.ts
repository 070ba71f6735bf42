import type { RangeVar } from "@pgsql/types";
import { type Chain, literal } from "../chain.js";
import { NoWords } from "../nodes.js";
import { frameAt, type Place, type QueryStart } from "../place.js";
import { extend } from "../scope.js";
import { tableChain, type TableItem } from "./item.js";
import { relationItem } from "./relation.js";

/** The table that a statement writes, by a name that Kysely can take. */
export interface WrittenTable {
  readonly item: TableItem;
  /** As Kysely takes it. */
  readonly chain: Chain;
  readonly place: Place;
}

export function writtenTable(range: RangeVar | undefined, start: QueryStart): WrittenTable {
  if (range === undefined) throw new NoWords("a statement without a table");
  const { names, outer, seesOuter, depth, say } = start;
  const base: Place = { frame: frameAt(depth, outer, seesOuter), names, say };
  const found = relationItem(range, base);
  const source = { ...found.source, ...(found.notNull && { notNull: found.notNull }) };
  const item = { ...found, source };
  const place = { ...base, frame: extend(base.frame, [source]) };
  return { item, chain: tableChain(item), place };
}

/** The table where Kysely takes a string only. */
export function tableText({ item }: WrittenTable): Chain {
  if (item.text === undefined) throw new NoWords("a table whose name Kysely would take apart");
  return literal(item.text, 1);
}
