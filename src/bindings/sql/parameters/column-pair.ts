import type { Node, RangeVar } from "@pgsql/types";
import type { Catalog } from "../analysis/catalog/catalog.js";
import type { Column, Relation } from "../database/snapshot.js";

/** A value, and the column that it meets: undefined where that is not certain. */
export interface Pair {
  readonly value: Node | undefined;
  readonly how: "stored" | "compared";
  readonly relation: Relation;
  readonly column: Column | undefined;
}

/** The table or view that a name in FROM, or a target, means. */
export function relationOf(variable: RangeVar | undefined, catalog: Catalog): Relation | undefined {
  const { relname = "", schemaname } = variable ?? {};
  return catalog.relation(schemaname === undefined ? [relname] : [schemaname, relname]);
}
