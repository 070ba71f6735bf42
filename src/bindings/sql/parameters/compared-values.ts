import type { Node, RangeVar } from "@pgsql/types";
import { type Catalog, relationOf } from "../database/catalog.js";
import { fieldsOf, itemsOf, namesIn, walk } from "../statement/tree.js";
import type { Relation } from "../database/snapshot.js";
import type { Pair } from "./column-pair.js";

/** What a node, `=`, `IN` or `= ANY`, compares columns with. */
export function comparedValues(node: Node, tables: readonly NamedTable[]): readonly Pair[] {
  const { kind, lexpr, name, rexpr } = fieldsOf(node, "A_Expr") ?? {};
  if (name === undefined || namesIn(name).at(-1) !== "=") return [];
  if (kind === "AEXPR_IN") return itemsOf(rexpr).flatMap((item) => compared(lexpr, item, tables));
  if (kind === "AEXPR_OP_ANY") return compared(lexpr, rexpr, tables);
  if (kind !== "AEXPR_OP") return [];
  return [...compared(lexpr, rexpr, tables), ...compared(rexpr, lexpr, tables)];
}

function compared(
  side: Node | undefined,
  value: Node | undefined,
  tables: readonly NamedTable[],
): readonly Pair[] {
  const path = namesIn(fieldsOf(side, "ColumnRef")?.fields);
  const name = path.at(-1);
  if (name === undefined || path.length > 2) return [];
  const meant = path.length === 1 ? tables : tables.filter((each) => each.name === path[0]);
  const found = meant.flatMap(({ relation }) => {
    const column = relation.columns.find((each) => each.name === name);
    return column === undefined ? [] : [{ relation, column }];
  });
  const [only, another] = found;
  return only === undefined || another !== undefined ? [] : [{ value, how: "compared", ...only }];
}

/** A name in FROM. */
export interface NamedTable {
  readonly name: string;
  readonly relation: Relation;
}

/** The tables and views of a statement; WITH queries aside. */
export function tablesIn(tree: Node, catalog: Catalog): readonly NamedTable[] {
  const queries = new Set<string>();
  const variables: RangeVar[] = [];
  walk(tree, (node) => {
    const query = fieldsOf(node, "CommonTableExpr")?.ctename;
    if (query !== undefined) queries.add(query);
    if ("RangeVar" in node) variables.push(node.RangeVar);
  });
  return variables.flatMap((each): NamedTable[] => {
    const relation = relationOf(each, catalog);
    const isQuery = each.schemaname === undefined && queries.has(each.relname ?? "");
    if (relation === undefined || isQuery) return [];
    return [{ name: each.alias?.aliasname ?? each.relname ?? "", relation }];
  });
}
