/**
 * Proves that a chain is equivalent to the author's statement: normalizes both trees and compares
 * them.
 */
import { isDeepStrictEqual } from "node:util";
import type { Node, SelectStmt } from "@pgsql/types";
import { outputName } from "../statement/output-name.js";
import { parseSql } from "../statement/parse.js";
import type { CompiledChain } from "./evaluate.js";
import { constructOfKind } from "./nodes.js";
import { functionAlias, UNNAMED } from "./translate/table.js";
import { writtenStars } from "./written-stars.js";

/**
 * Compares the SQL that Kysely made with the statement. PostgreSQL's trees must be equal, including
 * constants, aliases and order, with parameters compared by name. `nameEverything` and
 * `normalizeTree` list the allowed differences. Returns the reason if they are not equal.
 */
export function whyDifferent(
  tree: Node,
  parameters: readonly string[],
  compiled: CompiledChain,
): string | undefined {
  const parsed = parseSql(compiled.sql);
  if (parsed.kind === "invalid") return "the SQL that Kysely generates can't be parsed";
  const [only, ...others] = parsed.statements;
  if (only?.stmt === undefined || others.length > 0)
    return "the SQL that Kysely generates is not one statement";
  if (compiled.parameters.includes(undefined)) return "a constant became a bound value";
  const meant = normalizeTree(byName(nameEverything(tree), parameters));
  const made = normalizeTree(byName(nameEverything(only.stmt), compiled.parameters));
  if (isDeepStrictEqual(meant, made)) return undefined;
  return `Kysely's SQL differs at ${constructOfKind(kindAtDifference(meant, made))}`;
}

/** Replaces the numbers of parameters by their names. */
function byName(tree: Node, names: readonly (string | undefined)[]): unknown {
  return rewrite(tree, (node) => {
    if (!("ParamRef" in node)) return node;
    const { number = 0 } = Object(node.ParamRef);
    return { ParamRef: { name: names[number - 1] ?? "", known: names[number - 1] !== undefined } };
  });
}

/** The kind of the innermost node around the first difference. */
function kindAtDifference(meant: unknown, made: unknown, around = ""): string {
  if (typeof meant !== "object" || typeof made !== "object" || meant === null || made === null)
    return around;
  const keys = new Set([...Object.keys(meant), ...Object.keys(made)]);
  for (const key of keys) {
    const [a, b]: readonly unknown[] = [Reflect.get(meant, key), Reflect.get(made, key)];
    if (!isDeepStrictEqual(a, b)) return kindAtDifference(a, b, /^[A-Z]/.test(key) ? key : around);
  }
  return around;
}

/**
 * Removes differences without effect. Both trees are normalized, the author's and the compiled one;
 * any difference left is a real one. It removes:
 *
 * - Positions in the text.
 * - `LATERAL` before a function in FROM, which is a noise word: functions see the items before them
 *   in any case.
 * - `foo.bar AS bar`: an alias equal to the table's own name.
 * - Commas in FROM: `a, b` is by definition `a CROSS JOIN b`, and no condition between them could
 *   see fewer tables.
 * - `SELECT *` in place of `SELECT a.*, b.*` from `a, b`.
 */
function normalizeTree(tree: unknown): unknown {
  return rewrite(tree, (node) => crossJoined(starless(ownAlias(noiseless(withoutPlaces(node))))));
}

const PLACES: ReadonlySet<string> = new Set([
  "list_end",
  "list_start",
  "location",
  "name_location",
  "rexpr_list_end",
  "rexpr_list_start",
  "stmt_len",
  "stmt_location",
]);

function withoutPlaces(node: object): object {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !PLACES.has(key)));
}

function noiseless(node: object): object {
  const kind =
    "RangeFunction" in node
      ? "RangeFunction"
      : "RangeTableFunc" in node
        ? "RangeTableFunc"
        : "JsonTable";
  if (!(kind in node)) return node;
  const { lateral: _, ...fields } = Object(Reflect.get(node, kind));
  return { [kind]: fields };
}

function ownAlias(node: object): object {
  if (!("relname" in node) || !("alias" in node)) return node;
  const { aliasname, colnames } = Object(node.alias);
  if (aliasname !== node.relname || colnames !== undefined) return node;
  const { alias: _, ...fields } = node;
  return fields;
}

function starless(node: object): object {
  if (!("targetList" in node) || !("fromClause" in node) || !("op" in node)) return node;
  // Only SELECT has these fields.
  const { fromClause = [], targetList = [] } = node as SelectStmt;
  const written = writtenStars(targetList, fromClause);
  return written === undefined ? node : { ...node, targetList: written };
}

const LISTS = ["fromClause", "usingClause"] as const;

function crossJoined(node: object): object {
  const key = LISTS.find((each) => each in node);
  const list: unknown = key === undefined ? undefined : Reflect.get(node, key);
  // USING of a join is a list of names.
  if (key === undefined || !Array.isArray(list) || "jointype" in node) return node;
  const joined = list.reduce((larg: unknown, rarg: unknown) => ({
    JoinExpr: { jointype: "JOIN_INNER", larg, rarg },
  }));
  return { ...node, [key]: [joined] };
}

/**
 * Writes out every name that PostgreSQL would assign itself, because Kysely writes them all:
 *
 * - An output column without a name gets PostgreSQL's name: `count(*)` becomes `count(*) AS count`.
 * - A table without an alias gets its own name. A bare table name needs no alias, but `foo.bar` and
 *   `foo.bar AS bar` are equivalent.
 * - A function in FROM without an alias gets the function's name.
 * - A query in FROM without an alias gets a name that the statement does not use. No column can
 *   refer to it.
 *
 * A row assignment is split into columns, as PostgreSQL does: `(a, b) = (1, 2)` is `a = 1, b = 2`.
 *
 * A recursive query gets a list of its columns, named by its first part. Kysely needs the list to
 * know the columns inside the query.
 */
export function nameEverything(tree: Node): Node {
  const used = new Set(stringsIn(tree));
  let count = 0;
  const fresh = (): string => {
    for (;;) {
      count++;
      const name = count === 1 ? UNNAMED : `${UNNAMED}_${count}`;
      if (!used.has(name)) return name;
    }
  };
  // `rewrite` changes nodes to nodes, so the result is a tree.
  return rewrite(tree, (node) => withOutputNames(node, fresh)) as Node;
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Applies `change` to every object of a tree, from the leaves up. */
function rewrite(value: unknown, change: (node: object) => object): unknown {
  if (Array.isArray(value)) return value.map((each) => rewrite(each, change));
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.entries(value).map(([key, each]) => [key, rewrite(each, change)] as const);
  return change(Object.fromEntries(inner));
}

function withOutputNames(node: object, fresh: () => string): object {
  if ("targetList" in node && "op" in node)
    return { ...node, targetList: outputs(node.targetList) };
  if ("exprs" in node) return { ...node, exprs: outputs(node.exprs) };
  if ("recursive" in node && "ctes" in node) return { ...node, ctes: withColumnLists(node.ctes) };
  if ("RangeFunction" in node) return aliased(node);
  if ("MultiAssignRef" in node) return assignedItem(node);
  if (!("RangeSubselect" in node)) return node;
  const fields = Object(node.RangeSubselect);
  return fields.alias === undefined
    ? { RangeSubselect: { ...fields, alias: { aliasname: fresh() } } }
    : node;
}

/** The value that a row gives to one column. A query that gives several stays. */
function assignedItem(node: object): object {
  // A node's kind determines its fields.
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

function withColumnLists(ctes: unknown): unknown {
  if (!Array.isArray(ctes)) return ctes;
  return ctes.map((each: Node) => {
    if (!("CommonTableExpr" in each) || each.CommonTableExpr.aliascolnames) return each;
    const names = columnsOfParts(each.CommonTableExpr.ctequery);
    if (names === undefined) return each;
    const aliascolnames = names.map((sval) => ({ String: { sval } }));
    return { CommonTableExpr: { ...each.CommonTableExpr, aliascolnames } };
  });
}

/**
 * The columns of UNION's first part, which gives the names; undefined for a query without parts.
 */
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
  // A node's kind determines its fields.
  const { RangeFunction: range } = node as Extract<Node, { RangeFunction: unknown }>;
  if (range.alias !== undefined || range.is_rowsfrom) return node;
  return { RangeFunction: { ...range, alias: { aliasname: functionAlias(range) } } };
}
