import type { Node } from "@pgsql/types";
import { outputName } from "../statement/output-name.js";
import { functionAlias } from "./translate/function-columns.js";
import { UNNAMED } from "./translate/table.js";

/**
 * The same tree with every name that PostgreSQL gives by itself, because Kysely writes them all out:
 *
 * - an output column without a name has the one that PostgreSQL gives it: `count(*)` is `count(*) AS count`;
 * - a table without an alias has its own name for one: a table's name by itself is no alias, but `foo.bar` and `foo.bar AS bar` are called alike;
 * - a function in FROM without an alias has the function's name;
 * - a query in FROM without one, whose columns nothing can name by it, has a name that the statement does not use.
 *
 * A row that is assigned is assigned column by column, which is what PostgreSQL makes of it: `(a, b) = (1, 2)` is `a = 1, b = 2`.
 *
 * And it lists the columns of a recursive query by the names that its first part gives them: with a list, Kysely knows them inside the query.
 */
export function nameEverything(tree: Node): Node {
  const used = new Set(namesIn(tree));
  let count = 0;
  const fresh = (): string => {
    for (;;) {
      count++;
      const name = count === 1 ? UNNAMED : `${UNNAMED}_${count}`;
      if (!used.has(name)) return name;
    }
  };
  // The same tree, its nodes changed one by one.
  return rewrite(tree, (node) => named(node, fresh)) as Node;
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(namesIn);
}

/** Every object of a tree through `change`, from the leaves up. */
export function rewrite(value: unknown, change: (node: object) => object): unknown {
  if (Array.isArray(value)) return value.map((each) => rewrite(each, change));
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.entries(value).map(([key, each]) => [key, rewrite(each, change)] as const);
  return change(Object.fromEntries(inner));
}

function named(node: object, fresh: () => string): object {
  if ("targetList" in node && "op" in node)
    return { ...node, targetList: outputs(node.targetList) };
  if ("exprs" in node) return { ...node, exprs: outputs(node.exprs) };
  if ("recursive" in node && "ctes" in node) return { ...node, ctes: listedColumns(node.ctes) };
  if ("RangeFunction" in node) return aliased(node);
  if ("MultiAssignRef" in node) return assignedItem(node);
  if (!("RangeSubselect" in node)) return node;
  const fields = Object(node.RangeSubselect);
  return fields.alias === undefined
    ? { RangeSubselect: { ...fields, alias: { aliasname: fresh() } } }
    : node;
}

/** What a row gives to one column; a query that gives several stays. */
function assignedItem(node: object): object {
  // The name of the node says what its fields are.
  const { MultiAssignRef: assigned } = node as Extract<Node, { MultiAssignRef: unknown }>;
  const { colno = 0, ncolumns, source } = assigned;
  const items = source !== undefined && "RowExpr" in source ? (source.RowExpr.args ?? []) : [];
  return (items.length === ncolumns ? items[colno - 1] : undefined) ?? node;
}

function outputs(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  return list.map((each: Node) => {
    if (!("ResTarget" in each)) return each;
    const name = outputName(each.ResTarget);
    return name === undefined ? each : { ResTarget: { ...each.ResTarget, name } };
  });
}

function listedColumns(ctes: unknown): unknown {
  if (!Array.isArray(ctes)) return ctes;
  return ctes.map((each: Node) => {
    if (!("CommonTableExpr" in each) || each.CommonTableExpr.aliascolnames) return each;
    const names = columnsOfParts(each.CommonTableExpr.ctequery);
    if (names === undefined) return each;
    const aliascolnames = names.map((sval) => ({ String: { sval } }));
    return { CommonTableExpr: { ...each.CommonTableExpr, aliascolnames } };
  });
}

/** The columns of UNION's first part, whose names count; undefined for a query without parts. */
function columnsOfParts(query: Node | undefined): readonly string[] | undefined {
  if (query === undefined || !("SelectStmt" in query)) return undefined;
  let first = query.SelectStmt.larg;
  while (first?.larg !== undefined) first = first.larg;
  const names = first?.targetList?.map((each) =>
    "ResTarget" in each ? each.ResTarget.name : undefined,
  );
  if (names === undefined || !names.every((each) => each !== undefined)) return undefined;
  return new Set(names).size === names.length ? names : undefined;
}

function aliased(node: object): object {
  // The name of the node says what its fields are.
  const { RangeFunction: range } = node as Extract<Node, { RangeFunction: unknown }>;
  if (range.alias !== undefined || range.is_rowsfrom) return node;
  return { RangeFunction: { ...range, alias: { aliasname: functionAlias(range) } } };
}
