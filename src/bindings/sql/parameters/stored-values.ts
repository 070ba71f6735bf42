import type { Node, RangeVar } from "@pgsql/types";
import { type Catalog, relationOf } from "../database/catalog.js";
import { fieldsOf, itemsOf } from "../statement/tree.js";
import type { Pair } from "./column-pair.js";

/** What a node, INSERT, UPDATE or MERGE, writes to columns. */
export function storedValues(node: Node, catalog: Catalog): readonly Pair[] {
  const insert = fieldsOf(node, "InsertStmt");
  if (insert !== undefined) {
    const { cols, onConflictClause, relation, selectStmt } = insert;
    const updated = assigned(relation, onConflictClause?.targetList, catalog);
    return [
      ...rowsOf(selectStmt).flatMap((row) => inserted(relation, cols, row, catalog)),
      ...updated,
    ];
  }
  const update = fieldsOf(node, "UpdateStmt");
  if (update !== undefined) return assigned(update.relation, update.targetList, catalog);
  const { mergeWhenClauses = [], relation } = fieldsOf(node, "MergeStmt") ?? {};
  return mergeWhenClauses.flatMap((each) => {
    const { commandType, targetList, values = [] } = fieldsOf(each, "MergeWhenClause") ?? {};
    if (commandType === "CMD_INSERT") return inserted(relation, targetList, values, catalog);
    return commandType === "CMD_UPDATE" ? assigned(relation, targetList, catalog) : [];
  });
}

/** The rows that an INSERT takes, as far as they are written out. */
function rowsOf(select: Node | undefined): readonly (readonly Node[])[] {
  const { targetList = [], valuesLists = [] } = fieldsOf(select, "SelectStmt") ?? {};
  if (valuesLists.length > 0) return valuesLists.map(itemsOf);
  // A `*` among them would stand for any number of columns: then no place is certain.
  const values = targetList.map((each) => fieldsOf(each, "ResTarget")?.val);
  const isStar = values.some((each) =>
    fieldsOf(each, "ColumnRef")?.fields?.some((field) => "A_Star" in field),
  );
  return isStar ? [] : [values.flatMap((each) => each ?? [])];
}

function inserted(
  table: RangeVar | undefined,
  targets: readonly Node[] | undefined,
  row: readonly Node[],
  catalog: Catalog,
): readonly Pair[] {
  const relation = relationOf(table, catalog);
  if (relation === undefined) return [];
  return row.map((value, place): Pair => {
    const target = fieldsOf(targets?.[place], "ResTarget");
    const named = relation.columns.find(({ name }) => name === target?.name);
    const column = targets === undefined ? relation.columns[place] : named;
    const whole = target?.indirection === undefined ? column : undefined;
    return { value, how: "stored", relation, column: whole };
  });
}

function assigned(
  table: RangeVar | undefined,
  targets: readonly Node[] | undefined,
  catalog: Catalog,
): readonly Pair[] {
  const relation = relationOf(table, catalog);
  if (relation === undefined) return [];
  return (targets ?? []).map((each): Pair => {
    const { indirection, name, val } = fieldsOf(each, "ResTarget") ?? {};
    const column = relation.columns.find((column) => column.name === name);
    const whole = indirection === undefined ? column : undefined;
    return { value: oneOfSeveral(val), how: "stored", relation, column: whole };
  });
}

/** `(a, b) = (:x, :y)`. */
function oneOfSeveral(value: Node | undefined): Node | undefined {
  const several = fieldsOf(value, "MultiAssignRef");
  if (several === undefined) return value;
  return fieldsOf(several.source, "RowExpr")?.args?.[(several.colno ?? 1) - 1];
}
