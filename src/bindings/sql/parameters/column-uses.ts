import type { Node } from "@pgsql/types";
import { catalogOf } from "../database/catalog.js";
import { fieldsOf, locationOf, walk } from "../statement/tree.js";
import type { Column, Relation, Snapshot } from "../database/snapshot.js";
import type { Pair } from "./column-pair.js";
import { comparedValues, tablesIn } from "./compared-values.js";
import { storedValues } from "./stored-values.js";

/** A column that a parameter's value is written to, or compared with. */
export interface ColumnUse {
  /** `1` for `$1`. */
  readonly number: number;
  /** Of the parameter: UTF-8 bytes into the statement. */
  readonly location: number | undefined;
  readonly how: "stored" | "compared";
  /** The value goes through a cast on its way. */
  readonly cast: boolean;
  readonly relation: Relation;
  readonly column: Column;
}

/**
 * Where parameters meet columns: what INSERT, UPDATE and MERGE write, and `column = :name`, `IN` and `= ANY`. A name that may mean columns of two tables
 * is left out, as is whatever is not plainly one or the other.
 */
export function columnUses(tree: Node, snapshot: Snapshot): readonly ColumnUse[] {
  const catalog = catalogOf(snapshot);
  const tables = tablesIn(tree, catalog);
  const uses: ColumnUse[] = [];
  walk(tree, (node) => {
    const pairs = [...storedValues(node, catalog), ...comparedValues(node, tables)];
    uses.push(...pairs.flatMap(useOf));
  });
  return uses;
}

function useOf({ value, column, how, relation }: Pair): readonly ColumnUse[] {
  const inner = fieldsOf(value, "TypeCast")?.arg;
  const parameter = fieldsOf(inner ?? value, "ParamRef");
  if (parameter?.number === undefined || column === undefined) return [];
  const location = locationOf(parameter);
  const cast = inner !== undefined;
  return [{ number: parameter.number, location, how, cast, relation, column }];
}
