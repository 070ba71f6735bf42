import type { Node } from "@pgsql/types";
import type { Column, Relation } from "../database/snapshot.js";

/** A value, and the column that it meets: undefined where that is not certain. */
export interface Pair {
  readonly value: Node | undefined;
  readonly how: "stored" | "compared";
  readonly relation: Relation;
  readonly column: Column | undefined;
}
