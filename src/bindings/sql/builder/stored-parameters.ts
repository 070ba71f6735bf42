import type { Node } from "@pgsql/types";
import { fieldsOf, locationOf, walk } from "../statement/tree.js";
import { catalogOf } from "../database/catalog.js";
import { storedValues } from "../parameters/stored-values.js";
import { isInDatabase } from "./catalog.js";
import { typeOfColumn } from "./column-type.js";
import type { BuildFacts, StoredColumn } from "./place.js";
import { orNull } from "./type-relations.js";

/**
 * Where parameters go to columns by their place among others, as in INSERT … SELECT: Kysely's types know of no connection there. By the places of the
 * parameters in the text.
 */
export function storedParameters(
  tree: Node,
  { snapshot }: BuildFacts,
): ReadonlyMap<number, StoredColumn> {
  const stored = new Map<number, StoredColumn>();
  if (snapshot === undefined) return stored;
  walk(tree, (node) => {
    const { onConflictClause: _, ...insert } = fieldsOf(node, "InsertStmt") ?? {};
    if (insert.selectStmt === undefined || isOneRow(insert.selectStmt)) return;
    const { relname = "", schemaname } = insert.relation ?? {};
    const table = schemaname === undefined ? relname : `${schemaname}.${relname}`;
    for (const { column, relation, value } of storedValues(
      { InsertStmt: insert },
      catalogOf(snapshot),
    )) {
      const place = locationOf(fieldsOf(value, "ParamRef") ?? {});
      const type = column && typeOfColumn(snapshot, column.type);
      // What INSERT may leave out has another type for each use.
      const isPlain = column !== undefined && !column.hasDefault && !column.generated;
      if (place === undefined || type === undefined || !isPlain || !isInDatabase(relation))
        continue;
      const is = { kind: "column", table, column: column.name } as const;
      stored.set(place, { is, type: column.notNull ? type : orNull(type) });
    }
  });
  return stored;
}

/** Kysely takes one row as an object. */
function isOneRow(select: Node): boolean {
  return fieldsOf(select, "SelectStmt")?.valuesLists?.length === 1;
}
