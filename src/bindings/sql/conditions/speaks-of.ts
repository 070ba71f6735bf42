import type { Node } from "@pgsql/types";
import { type Fields, fieldsOf, namesIn, walk } from "../statement/tree.js";
import { type Catalog, relationOf } from "../database/catalog.js";
import type { TargetRows } from "./assumed.js";
import { aliasOf } from "./subqueries.js";
import { columnName } from "./values.js";

/** A table that a statement changes. */
export interface Target {
  /** Absent for a table that the catalogue lacks: then any name may be one of its columns. */
  readonly rows?: TargetRows;
  readonly name: string;
}

/** Names that mean something else inside a query. */
interface Hidden {
  readonly tables: ReadonlySet<string>;
  readonly columns: ReadonlySet<string>;
}

const NOTHING: Hidden = { tables: new Set(), columns: new Set() };

/** Whether an expression has a column of the table, the row under the cursor, or chance. */
export function speaksOf(
  expression: Node,
  catalog: Catalog,
  target: Target,
  hidden = NOTHING,
): boolean {
  let found = false;
  walk(expression, (node) => {
    const select = fieldsOf(node, "SelectStmt");
    if (select !== undefined && node !== expression) {
      found ||= speaksOf(node, catalog, target, hiddenBy(select, hidden, catalog));
      return false;
    }
    const where = echo(fieldsOf(node, "SubLink"), catalog);
    if (where !== undefined) {
      found ||= speaksOf(where.within, catalog, target, hiddenBy(where.select, hidden, catalog));
      return false;
    }
    found ||= isChance(node, catalog) || isOfTarget(fieldsOf(node, "ColumnRef"), target, hidden);
    return !found;
  });
  return found;
}

function isChance(node: Node, catalog: Catalog): boolean {
  const call = fieldsOf(node, "FuncCall");
  const called = call === undefined ? [] : catalog.functions(namesIn(call.funcname));
  return "CurrentOfExpr" in node || called.some(({ volatility }) => volatility === "volatile");
}

function isOfTarget(
  reference: Fields<"ColumnRef"> | undefined,
  { name, rows }: Target,
  hidden: Hidden,
): boolean {
  if (reference === undefined) return false;
  const path = namesIn(reference.fields);
  const isWhole = reference.fields?.some((each) => "A_Star" in each) === true;
  const [qualifier] = path.slice(isWhole ? -1 : -2);
  if (path.length > 1 || isWhole)
    return (qualifier === undefined || qualifier === name) && !hidden.tables.has(name);
  const [column] = path;
  return column === undefined || (!hidden.columns.has(column) && isColumn(column, name, rows));
}

const SYSTEM_COLUMNS: ReadonlySet<string> = new Set("ctid cmax cmin tableoid xmax xmin".split(" "));

function isColumn(name: string, table: string, rows: TargetRows | undefined): boolean {
  if (rows === undefined || name === table) return true;
  return SYSTEM_COLUMNS.has(name) || rows.relation.columns.some((each) => each.name === name);
}

/** With the tables of a query's own FROM, and their columns. */
function hiddenBy(select: Fields<"SelectStmt">, outer: Hidden, catalog: Catalog): Hidden {
  const tables = new Set(outer.tables);
  const columns = new Set(outer.columns);
  for (const source of select.fromClause ?? [])
    walk(source, (node) => {
      const range = fieldsOf(node, "RangeVar");
      const alias = range === undefined ? undefined : aliasOf(node);
      if (alias !== undefined) tables.add(alias);
      for (const each of (range && relationOf(range, catalog)?.columns) ?? [])
        columns.add(each.name);
    });
  return { tables, columns };
}

/**
 * `sku IN (SELECT sku FROM orders WHERE …)` where `orders` has no such column: PostgreSQL takes that of the outer row, which is equal to itself, so that only the query's own condition says
 * something.
 */
function echo(
  query: Fields<"SubLink"> | undefined,
  catalog: Catalog,
): { readonly select: Fields<"SelectStmt">; readonly within: Node } | undefined {
  if (query?.subLinkType !== "ANY_SUBLINK") return undefined;
  const select = fieldsOf(query.subselect, "SelectStmt");
  const { fromClause = [], targetList = [] } = select ?? {};
  const name = columnName(query.testexpr);
  const own = fieldsOf(fieldsOf(targetList[0], "ResTarget")?.val, "ColumnRef");
  const path = namesIn(own?.fields);
  const isEcho =
    name !== undefined &&
    targetList.length === 1 &&
    path.length === 1 &&
    path[0] === name &&
    !SYSTEM_COLUMNS.has(name);
  if (select === undefined || !isEcho || fromClause.length === 0) return undefined;
  const relations = fromClause.map((each) => {
    const range = fieldsOf(each, "RangeVar");
    return range && relationOf(range, catalog);
  });
  const lacksIt = relations.every(
    (each) => each !== undefined && !each.columns.some((column) => column.name === name),
  );
  return lacksIt ? { select, within: { SelectStmt: { ...select, targetList: [] } } } : undefined;
}
