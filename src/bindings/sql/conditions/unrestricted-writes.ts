/**
 * Finds the parts of a statement that change or remove every row of a table. A condition restricts
 * a write only if it depends on the table's rows and is not true for all of them.
 *
 * - `null-logic.ts`: evaluates conditions in three-valued logic while some parameters are NULL
 * - `comparisons.ts`: evaluates comparisons, patterns and sums
 * - `subqueries.ts`: evaluates EXISTS and IN
 * - `values.ts`: evaluates expressions
 * - `assumed.ts`: the assumptions meanwhile, and the three truth values
 * - `never-true.ts`: finds conditions that can't be true at all
 */
import type { MergeStmt, Node, RangeVar } from "@pgsql/types";
import { type PgCatalog, pgCatalogOf, relationOf } from "../database/pg-catalog.js";
import type { Column, Relation, Snapshot } from "../database/snapshot.js";
import { bodyOf, type Fields, fieldsOf, locationOf, namesIn, walk } from "../statement/tree.js";
import {
  type Assumed,
  FALSE,
  type FixedColumn,
  type Sources,
  type TargetRows,
  TRUE,
} from "./assumed.js";
import { assumeNull, truthOf } from "./null-logic.js";
import { aliasOf } from "./subqueries.js";
import { columnName } from "./values.js";

/** A part of a statement that changes or removes every row of a table. */
export interface UnrestrictedWrite {
  readonly verb: "UPDATE" | "DELETE" | "TRUNCATE" | "MERGE";
  readonly table: string;
  /**
   * `unconditional`: there is no condition. `true`: the condition is true for every row if the
   * parameters `without` are NULL and those of `empty` are empty. `other`: the condition doesn't
   * depend on the table's rows, so it is true for all or none.
   */
  readonly why: "unconditional" | "true" | "other";
  readonly without: readonly number[];
  readonly empty: readonly number[];
  /**
   * Position of the condition, or of the table's name if there is no condition, in UTF-8 bytes into
   * the statement.
   */
  readonly location: number | undefined;
}

interface ParameterPresence {
  /** Parameters that a call may omit: `1` for `$1`. Placeholders of one parameter form a group. */
  readonly absent: readonly (readonly number[])[];
  /** Parameters that may be an empty list, object or text, grouped in the same way. */
  readonly empty: readonly (readonly number[])[];
  /** Parameters that always have a value. */
  readonly valued: ReadonlySet<number>;
}

type Case = Pick<UnrestrictedWrite, "without" | "empty">;

/**
 * Finds the unrestricted writes of a statement, including those in WITH. A condition must restrict
 * the rows in each of these cases: all parameters have values, one is absent or empty, all are
 * absent, all are empty, or one is absent and the others are empty.
 */
export function unrestrictedWrites(
  tree: Node,
  presence: ParameterPresence,
  snapshot: Snapshot,
): readonly UnrestrictedWrite[] {
  const pgCatalog = pgCatalogOf(snapshot);
  const queries = queriesIn(tree);
  const found: UnrestrictedWrite[] = [];
  walk(tree, (node) => {
    for (const { conditions, joined, range, verb } of changesIn(node)) {
      const table = range.relname ?? "";
      const given = conditions.flatMap((each) => each ?? []);
      if (given.length === 0) {
        const location = locationOf(range);
        found.push({ verb, table, why: "unconditional", without: [], empty: [], location });
        continue;
      }
      const target = targetOf(range, pgCatalog);
      const sources = { queries, joined: joinedOnce(joined, given, target) };
      const location = firstPlace(given) ?? locationOf(range);
      const reason = whyAllRows(given, target, { pgCatalog, presence, sources });
      if (reason !== undefined) found.push({ verb, table, ...reason, location });
    }
  });
  return found;
}

interface Surroundings {
  readonly pgCatalog: PgCatalog;
  readonly presence: ParameterPresence;
  readonly sources: Sources;
}

/** The first case in which the conditions don't distinguish rows. */
function whyAllRows(
  conditions: readonly Node[],
  target: Target,
  { pgCatalog, presence, sources }: Surroundings,
): (Case & Pick<UnrestrictedWrite, "why">) | undefined {
  for (const { empty, without } of casesOf(presence)) {
    const options = {
      target: target.rows,
      sources,
      valued: presence.valued,
      empty: new Set(empty),
    };
    const assume = (fixed?: FixedColumn) =>
      assumeNull(pgCatalog, new Set(without), { ...options, fixed });
    const assumed = assume();
    if (conditions.some((each) => chooses(each, { assumed, assume, target }))) continue;
    const isTrue = conditions.every((each) => truthOf(each, assumed) === TRUE);
    const why = isTrue || without.length + empty.length > 0 ? "true" : "other";
    return { why, without, empty };
  }
  return undefined;
}

function casesOf({ absent, empty }: ParameterPresence): readonly Case[] {
  return [
    { without: [], empty: [] },
    ...absent.map((without) => ({ without, empty: [] })),
    { without: absent.flat(), empty: [] },
    ...empty.map((numbers) => ({ without: [], empty: numbers })),
    { without: [], empty: empty.flat() },
    ...absent.map((without) => ({
      without,
      empty: empty.flat().filter((each) => !without.includes(each)),
    })),
  ];
}

/**
 * The queries in WITH. A name that is used twice, or has column aliases, maps to an opaque node.
 */
function queriesIn(tree: Node): ReadonlyMap<string, Node> {
  const queries = new Map<string, Node>();
  walk(tree, (node) => {
    const { aliascolnames, ctename = "", ctequery } = fieldsOf(node, "CommonTableExpr") ?? {};
    if (ctename === "") return;
    const isPlain = ctequery !== undefined && aliascolnames === undefined && !queries.has(ctename);
    queries.set(ctename, isPlain ? ctequery : { A_Star: {} });
  });
  return queries;
}

/**
 * Sources in USING or FROM that the conditions refer to exactly once: they are joined and not
 * restricted further.
 */
function joinedOnce(
  joined: readonly Node[],
  conditions: readonly Node[],
  { rows }: Target,
): ReadonlyMap<string, Node> {
  const qualifiers: string[] = [];
  for (const condition of conditions)
    walk(condition, (node) => {
      const path = namesIn(fieldsOf(node, "ColumnRef")?.fields);
      const isOwn = rows?.relation.columns.some(({ name }) => name === path[0]) === true;
      if (path.length === 1 && !isOwn)
        qualifiers.push(...joined.flatMap((each) => aliasOf(each) ?? []));
      if (path.length > 1) qualifiers.push(path.at(-2) ?? "");
    });
  return new Map(
    joined.flatMap((each) => {
      const alias = aliasOf(each) ?? "";
      return qualifiers.filter((name) => name === alias).length === 1
        ? [[alias, each] as const]
        : [];
    }),
  );
}

/** Position of the first word. The tree may list nodes in another order. */
function firstPlace(conditions: readonly Node[]): number | undefined {
  let first = Infinity;
  for (const condition of conditions)
    walk(condition, (node) => {
      first = Math.min(first, locationOf(bodyOf(node)) ?? Infinity);
    });
  return Number.isFinite(first) ? first : undefined;
}

interface Change {
  readonly verb: UnrestrictedWrite["verb"];
  readonly range: RangeVar;
  /** Sources in USING or FROM. */
  readonly joined: readonly Node[];
  /** Conditions that must be true for a row to change; undefined for an absent one. */
  readonly conditions: readonly (Node | undefined)[];
}

function changesIn(node: Node): readonly Change[] {
  const truncated = fieldsOf(node, "TruncateStmt")?.relations ?? [];
  const merge = fieldsOf(node, "MergeStmt");
  const update = fieldsOf(node, "UpdateStmt");
  const { relation, whereClause } = update ?? fieldsOf(node, "DeleteStmt") ?? {};
  return [
    ...truncated.flatMap((each): Change[] => {
      const range = fieldsOf(each, "RangeVar");
      return range === undefined ? [] : [{ verb: "TRUNCATE", range, joined: [], conditions: [] }];
    }),
    ...(merge === undefined ? [] : mergedBy(merge)),
    ...(relation === undefined
      ? []
      : [
          {
            verb: update ? "UPDATE" : "DELETE",
            range: relation,
            joined: update?.fromClause ?? fieldsOf(node, "DeleteStmt")?.usingClause ?? [],
            conditions: [whereClause],
          } as const,
        ]),
  ];
}

/**
 * Lists the changes of a MERGE. Its join restricts the matched rows. For NOT MATCHED BY SOURCE only
 * the branch's own condition does, because those are all other rows of the table.
 */
function mergedBy({
  joinCondition,
  mergeWhenClauses = [],
  relation,
  sourceRelation,
}: MergeStmt): readonly Change[] {
  if (relation === undefined) return [];
  return mergeWhenClauses.flatMap((each): Change[] => {
    const { commandType, condition, matchKind } = fieldsOf(each, "MergeWhenClause") ?? {};
    if (commandType !== "CMD_UPDATE" && commandType !== "CMD_DELETE") return [];
    const isMatched = matchKind !== "MERGE_WHEN_NOT_MATCHED_BY_SOURCE";
    const conditions = isMatched ? [joinCondition, condition] : [condition];
    const joined = sourceRelation === undefined ? [] : [sourceRelation];
    return [{ verb: "MERGE", range: relation, joined, conditions }];
  });
}

function targetOf(range: RangeVar, pgCatalog: PgCatalog): Target {
  const relation: Relation | undefined = relationOf(range, pgCatalog);
  const name = range.alias?.aliasname ?? range.relname ?? "";
  return relation === undefined ? { name } : { name, rows: { relation, name } };
}

interface Choice {
  readonly assumed: Assumed;
  /** The same assumptions, plus one value of a column. */
  readonly assume: (fixed: FixedColumn) => Assumed;
  readonly target: Target;
}

/** True if a condition distinguishes rows of the table under the assumptions. */
function chooses(condition: Node, choice: Choice): boolean {
  const { assume, assumed, target } = choice;
  const truth = truthOf(condition, assumed);
  if (truth === TRUE) return false;
  const bool = fieldsOf(condition, "BoolExpr");
  const args = bool?.args ?? [];
  if (bool?.boolop === "AND_EXPR") {
    // A condition that is never true changes no row.
    return !(truth & TRUE) || args.some((each) => chooses(each, choice));
  }
  if (bool?.boolop === "OR_EXPR") {
    const possible = args.filter((each) => truthOf(each, assumed) & TRUE);
    if (possible.length === 0) return true;
    if (!possible.some((each) => chooses(each, choice))) return false;
  }
  if (!(truth & TRUE)) return true;
  if (!speaksOf(condition, assumed.pgCatalog, target)) return false;
  const truthWith = (fixed: FixedColumn) => truthOf(condition, assume(fixed));
  return (
    target.rows === undefined ||
    !isTrueOfEachValue(condition, target.rows, assumed.pgCatalog, truthWith)
  );
}

/** A table that a statement changes. */
interface Target {
  /** Absent if the catalog lacks the table. Any name may then be one of its columns. */
  readonly rows?: TargetRows;
  readonly name: string;
}

/** Names that refer to something else inside a query. */
interface Hidden {
  readonly tables: ReadonlySet<string>;
  readonly columns: ReadonlySet<string>;
}

const NOTHING: Hidden = { tables: new Set(), columns: new Set() };

/** True if an expression refers to a column of the table, the cursor's row, or a random value. */
function speaksOf(
  expression: Node,
  pgCatalog: PgCatalog,
  target: Target,
  hidden = NOTHING,
): boolean {
  let found = false;
  walk(expression, (node) => {
    const select = fieldsOf(node, "SelectStmt");
    if (select !== undefined && node !== expression) {
      found ||= speaksOf(node, pgCatalog, target, hiddenBy(select, hidden, pgCatalog));
      return false;
    }
    const where = echo(fieldsOf(node, "SubLink"), pgCatalog);
    if (where !== undefined) {
      found ||= speaksOf(
        where.within,
        pgCatalog,
        target,
        hiddenBy(where.select, hidden, pgCatalog),
      );
      return false;
    }
    found ||= isChance(node, pgCatalog) || isOfTarget(fieldsOf(node, "ColumnRef"), target, hidden);
    return !found;
  });
  return found;
}

function isChance(node: Node, pgCatalog: PgCatalog): boolean {
  const call = fieldsOf(node, "FuncCall");
  const called = call === undefined ? [] : pgCatalog.functions(namesIn(call.funcname));
  return "CurrentOfExpr" in node || called.some(({ volatility }) => volatility === "volatile");
}

function isOfTarget(
  reference: Fields<"ColumnRef"> | undefined,
  { name, rows }: Target,
  hidden: Hidden,
): boolean {
  if (reference === undefined) return false;
  const path = namesIn(reference.fields);
  const isStar = reference.fields?.some((each) => "A_Star" in each) === true;
  const [qualifier] = path.slice(isStar ? -1 : -2);
  if (path.length > 1 || isStar)
    return (qualifier === undefined || qualifier === name) && !hidden.tables.has(name);
  const [column] = path;
  return column === undefined || (!hidden.columns.has(column) && isColumn(column, name, rows));
}

const SYSTEM_COLUMNS: ReadonlySet<string> = new Set("ctid cmax cmin tableoid xmax xmin".split(" "));

function isColumn(name: string, table: string, rows: TargetRows | undefined): boolean {
  if (rows === undefined || name === table) return true;
  return SYSTEM_COLUMNS.has(name) || rows.relation.columns.some((each) => each.name === name);
}

/** Adds the tables of a query's own FROM, and their columns. */
function hiddenBy(select: Fields<"SelectStmt">, outer: Hidden, pgCatalog: PgCatalog): Hidden {
  const tables = new Set(outer.tables);
  const columns = new Set(outer.columns);
  for (const source of select.fromClause ?? [])
    walk(source, (node) => {
      const range = fieldsOf(node, "RangeVar");
      const alias = range === undefined ? undefined : aliasOf(node);
      if (alias !== undefined) tables.add(alias);
      for (const each of (range && relationOf(range, pgCatalog)?.columns) ?? [])
        columns.add(each.name);
    });
  return { tables, columns };
}

/**
 * Finds `sku IN (SELECT sku FROM orders WHERE …)` if `orders` has no column `sku`. PostgreSQL then
 * takes `sku` of the outer row, which is equal to itself, so only the query's own condition
 * restricts rows.
 */
function echo(
  query: Fields<"SubLink"> | undefined,
  pgCatalog: PgCatalog,
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
    return range && relationOf(range, pgCatalog);
  });
  const lacksIt = relations.every(
    (each) => each !== undefined && !each.columns.some((column) => column.name === name),
  );
  return lacksIt ? { select, within: { SelectStmt: { ...select, targetList: [] } } } : undefined;
}

/**
 * Limit on the constants that are tried. No author compares a column with so many by mistake:
 * `status <> 'a' OR status <> 'b'` has two.
 */
const maxConstants = 24;

/**
 * True if a condition is true for every value of one column: `id > 5 OR id <= 5`, `status <> 'open'
 * OR status <> 'paid'`. The function tries the constants of the condition and values between them;
 * a comparison can't distinguish others. Rows in which the column is NULL are ignored, as in the
 * rest of this folder.
 */
function isTrueOfEachValue(
  condition: Node,
  { relation }: TargetRows,
  pgCatalog: PgCatalog,
  truthWith: (fixed: FixedColumn) => number,
): boolean {
  const names = new Set<string>();
  const numbers: number[] = [];
  const texts: string[] = [];
  walk(condition, (node) => {
    if ("ColumnRef" in node) names.add(columnName(node) ?? "");
    const constant = fieldsOf(node, "A_Const");
    if (constant?.ival !== undefined) numbers.push(constant.ival.ival ?? 0);
    if (constant?.fval !== undefined) numbers.push(Number(constant.fval.fval));
    if (constant?.sval !== undefined) texts.push(constant.sval.sval ?? "");
  });
  if (numbers.length + texts.length > maxConstants) return false;
  return relation.columns
    .filter(({ name }) => names.has(name))
    .some((column) => {
      const values = valuesOf(column, pgCatalog, { numbers, texts });
      if (values === undefined || values.length === 0) return false;
      if (!column.notNull && truthWith({ name: column.name, value: null }) & FALSE) return false;
      return values.every((value) => truthWith({ name: column.name, value }) === TRUE);
    });
}

type Value = string | number | boolean;

/** Values to try for a column; undefined for a type whose values may have several spellings. */
function valuesOf(
  { type }: Column,
  pgCatalog: PgCatalog,
  { numbers, texts }: { readonly numbers: readonly number[]; readonly texts: readonly string[] },
): readonly Value[] | undefined {
  const { kind, labels, name = "" } = pgCatalog.typeOf(type) ?? {};
  if (kind === "enum") return labels;
  if (name === "bool") return [true, false];
  if (name === "text" || name === "varchar") return [...texts, `${texts.join("")}x`];
  if (/^int[248]$/.test(name)) return numbers.flatMap((each) => [each - 1, each, each + 1]);
  return /^(?:numeric|float[48])$/.test(name) ? withMiddles(numbers) : undefined;
}

function withMiddles(numbers: readonly number[]): readonly number[] {
  const sorted = [...numbers].toSorted((a, b) => a - b);
  const [first = 0] = sorted;
  return [
    first - 1,
    ...sorted.flatMap((each, at) => [each, (each + (sorted[at + 1] ?? each + 2)) / 2]),
  ];
}
