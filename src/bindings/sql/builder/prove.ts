/**
 * The proof that a chain says what its author wrote: both trees without what makes no difference,
 * compared.
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
 * Whether the SQL that Kysely made says what the statement says: PostgreSQL's tree of it is the
 * same, parameters by name, constants, aliases and order included. What may differ is listed in
 * `nameEverything` and `normalizeTree`. Gives the reason when it is not proved.
 */
export function whyDifferent(
  tree: Node,
  parameters: readonly string[],
  compiled: CompiledChain,
): string | undefined {
  const parsed = parseSql(compiled.sql);
  if (parsed.kind === "invalid") return "what Kysely makes of it can't be read back";
  const [only, ...others] = parsed.statements;
  if (only?.stmt === undefined || others.length > 0)
    return "what Kysely makes of it is not one statement";
  if (compiled.parameters.includes(undefined)) return "a constant became a bound value";
  const meant = normalizeTree(byName(nameEverything(tree), parameters));
  const made = normalizeTree(byName(nameEverything(only.stmt), compiled.parameters));
  if (isDeepStrictEqual(meant, made)) return undefined;
  return `Kysely's SQL differs at ${constructOfKind(kindAtDifference(meant, made))}`;
}

/** Parameters by the names that they have in the statement. */
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
 * The tree without what makes no difference. Both trees go through it, the author's and the one of
 * the compiled SQL; what they differ in after it, they differ in.
 *
 * - Places in the text.
 * - `LATERAL` before a function in FROM, which PostgreSQL calls a noise word: functions see what is
 *   before them in any case.
 * - `foo.bar AS bar`: an alias that is the table's own name.
 * - A comma in FROM and CROSS JOIN: `a, b` is by definition `a CROSS JOIN b`, and no condition
 *   stands between them that could see less.
 * - `SELECT *` and `SELECT a.*, b.*` from `a, b`.
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
  // Only SELECT has these three.
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
 * The same tree with every name that PostgreSQL gives by itself, because Kysely writes them all
 * out:
 *
 * - an output column without a name has the one that PostgreSQL gives it: `count(*)` is `count(*)
 *   AS count`;
 * - a table without an alias has its own name for one: a table's name by itself is no alias, but
 *   `foo.bar` and `foo.bar AS bar` are called alike;
 * - a function in FROM without an alias has the function's name;
 * - a query in FROM without one, whose columns nothing can name by it, has a name that the
 *   statement does not use.
 *
 * A row that is assigned is assigned column by column, which is what PostgreSQL makes of it: `(a,
 * b) = (1, 2)` is `a = 1, b = 2`.
 *
 * And it lists the columns of a recursive query by the names that its first part gives them: with a
 * list, Kysely knows them inside the query.
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
  // The same tree, its nodes changed one by one.
  return rewrite(tree, (node) => withOutputNames(node, fresh)) as Node;
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Every object of a tree through `change`, from the leaves up. */
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
