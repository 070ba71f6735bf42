import type { Node } from "@pgsql/types";
import { fieldsOf, locationOf, walk } from "../statement/tree.js";
import { catalogOf } from "../database/catalog.js";
import type { Column, Relation, Snapshot } from "../database/snapshot.js";
import { storedValues } from "./stored-values.js";

/** A NULL that a statement writes out for a column that takes none; or a DEFAULT that is one. */
export interface WrittenNull {
  readonly relation: Relation;
  readonly column: Column;
  readonly word: "NULL" | "DEFAULT";
  /** UTF-8 bytes into the statement. */
  readonly location: number | undefined;
}

/** Those of tables where no trigger and no rule may put something else in their place. */
export function writtenNulls(tree: Node, snapshot: Snapshot): readonly WrittenNull[] {
  const found: WrittenNull[] = [];
  walk(tree, (node) => {
    for (const { column, relation, value } of storedValues(node, catalogOf(snapshot))) {
      const written = wordOf(value, column);
      if (written === undefined || column?.notNull !== true) continue;
      if (relation.intercepted === undefined || relation.intercepted === "never")
        found.push({ relation, column, ...written });
    }
  });
  return found;
}

function wordOf(
  value: Node | undefined,
  column: Column | undefined,
): Pick<WrittenNull, "word" | "location"> | undefined {
  const isFilled = column?.hasDefault === true || column?.generated === true;
  const byDefault = fieldsOf(value, "SetToDefault");
  if (byDefault !== undefined)
    return isFilled ? undefined : { word: "DEFAULT", location: locationOf(byDefault) };
  const cast = fieldsOf(value, "TypeCast");
  if (cast !== undefined) return wordOf(cast.arg, column);
  const constant = fieldsOf(value, "A_Const");
  return constant?.isnull === true ? { word: "NULL", location: locationOf(constant) } : undefined;
}
