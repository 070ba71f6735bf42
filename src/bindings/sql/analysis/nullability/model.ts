/**
 * The types of the nullability analysis: values, columns in scope, and facts, which are columns
 * known not to be NULL. Also looks up names in a scope.
 */
import type { Alias, Node } from "@pgsql/types";
import type { PgCatalog } from "../../database/pg-catalog.js";
import type { Operator, PgFunction, Relation } from "../../database/snapshot.js";
import { fieldsOf, namesIn } from "../../statement/tree.js";
import { commonType, mayTurnNull, OID, type ValueType } from "../value-type.js";

/** Facts about the values of an expression. `"always"` means that all are NULL. */
export interface Value {
  readonly type: ValueType;
  readonly null: "never" | "maybe" | "always";
}

/** An expression about which nothing is known. */
export const UNKNOWN: Value = { type: undefined, null: "maybe" };

/** A column of a relation in the database. */
interface Origin {
  readonly relation: Relation;
  readonly column: string;
}

/**
 * A column that a statement can refer to. Facts refer to it by object identity. `groups` are the
 * outer joins that may set it to NULL. An outer join does so for all its columns at once, so a
 * value in one column proves the others present.
 */
export interface ScopeColumn {
  readonly name: string;
  readonly type: ValueType;
  /** True if it is never NULL, unless one of the groups makes it NULL. */
  readonly notNull: boolean;
  readonly groups: readonly number[];
  readonly origin?: Origin;
}

/** Facts about every row for which the current expression is evaluated. */
export interface Facts {
  /** Columns that are not NULL. */
  readonly columns: ReadonlySet<ScopeColumn>;
  /** Outer joins that found a match. */
  readonly groups: ReadonlySet<number>;
}

/** A name in a FROM clause, or the nameless result of a join. */
export interface Item {
  readonly name?: string;
  readonly schema?: string;
  /** Columns; undefined if unknown. */
  readonly columns: readonly ScopeColumn[] | undefined;
  /** System columns such as `ctid`: found by name, never by `*`. */
  readonly hidden: readonly ScopeColumn[];
  /** The row as a whole: `t` in `to_jsonb(t)`. */
  readonly row: ScopeColumn;
  /** True if `name.column` finds it. */
  readonly byName: boolean;
  /** True if a bare column name, or `*`, finds it. */
  readonly bare: boolean;
}

/** WITH queries by name, in nested scopes; the innermost is searched first. */
export interface CteFrame {
  readonly queries: ReadonlyMap<string, () => Columns>;
  readonly outer?: CteFrame | undefined;
}

/** Scope of an expression: the names that it can refer to, and the facts that hold there. */
export interface Scope {
  readonly items: readonly Item[];
  readonly facts: Facts;
  readonly outer?: Scope | undefined;
  readonly ctes?: CteFrame | undefined;
  /** True if an aggregate sees at least one row: only with a GROUP BY without grouping sets. */
  readonly grouped: boolean;
  /** Frame options by the name of the window. */
  readonly windows: ReadonlyMap<string, number>;
}

export interface OutputColumn {
  readonly name: string;
  readonly value: Value;
  /** Origin of a column that is returned unchanged. */
  readonly origin?: Origin | undefined;
  /** True if the name was written: `AS name`. */
  readonly aliased: boolean;
  readonly location?: number | undefined;
}

/** The columns of a query; undefined if neither they nor their number is known. */
export type Columns = readonly OutputColumn[] | undefined;

export interface Output {
  readonly columns: Columns;
  /** True if the result has exactly one row for any data. */
  readonly oneRow: boolean;
}

/**
 * Receives the relations, columns and functions that the analysis finds, for other analyses of the
 * same statement. `node` is the body of the node.
 */
export interface Recorder {
  relation(relation: Relation, access: "read" | "write", location: number | undefined): void;
  column(origin: Origin, access: "read" | "write"): void;
  functions(node: object, candidates: readonly PgFunction[]): void;
  operators(node: object, name: string, candidates: readonly Operator[]): void;
  cast(node: object, from: ValueType): void;
  /** A name that refers to a column, not to a function of a row. */
  reference(node: object): void;
  /** A type of some expression. */
  type(type: ValueType): void;
}

/** The functions of the analysis, through which its parts call each other. */
export interface Analysis {
  readonly pgCatalog: PgCatalog;
  readonly record: Recorder;
  /**
   * True if NOT NULL constraints are trusted. Rows stored before a constraint existed don't obey
   * it.
   */
  readonly trustsConstraints: boolean;
  /** True if `$n` is known not to be NULL. */
  hasValue(parameter: number): boolean;
  infer(node: Node | undefined, scope: Scope): Value;
  /** Facts that hold if an expression is true, is false, or is either. */
  prove(node: Node | undefined, scope: Scope, when: "true" | "false" | "known"): Facts;
  /** Analyzes any statement in its surrounding scope. */
  query(node: Node | undefined, scope: Scope): Output;
  fromItem(node: Node, scope: Scope, beside: Rows): Rows;
  /** The columns of a view's definition. */
  view(relation: Relation): Columns;
  newGroup(): number;
}

/** Items and facts of a FROM clause, or of a part of it. */
export interface Rows {
  readonly items: readonly Item[];
  readonly facts: Facts;
}

/** TRUE or FALSE, never NULL. */
export const TRUTH: Value = { type: OID.bool, null: "never" };

export function certain(type: ValueType): Value {
  return { type, null: "never" };
}

export function possible(type: ValueType): Value {
  return { type, null: "maybe" };
}

/** A value that is not NULL if all of the parts are not. */
export function whenAll(type: ValueType, parts: readonly Value[]): Value {
  return { type, null: parts.every((each) => each.null === "never") ? "never" : "maybe" };
}

/** One of several values that share a type: the branches of a CASE, the rows of a UNION. */
export function oneOf(pgCatalog: PgCatalog, values: readonly Value[]): Value {
  if (values.length === 0) return UNKNOWN;
  const type = commonType(values.map((each) => each.type));
  const always = values.every((each) => each.null === "always");
  const never = values.every((each) => each.null === "never" && !changes(pgCatalog, each, type));
  return { type, null: always ? "always" : never ? "never" : "maybe" };
}

/** The first of several that is not NULL: COALESCE, GREATEST. */
export function firstOf(pgCatalog: PgCatalog, values: readonly Value[]): Value {
  const type = commonType(values.map((each) => each.type));
  const always = values.every((each) => each.null === "always");
  const never = values.some((each) => each.null === "never" && !changes(pgCatalog, each, type));
  return { type, null: always ? "always" : never ? "never" : "maybe" };
}

/** True if a user's cast may convert a value to the common type. */
function changes(pgCatalog: PgCatalog, { type: from }: Value, to: ValueType): boolean {
  return (from === undefined || from !== to) && mayTurnNull(pgCatalog, from);
}

export const NO_FACTS: Facts = { columns: new Set(), groups: new Set() };

export const NO_ROWS: Rows = { items: [], facts: NO_FACTS };

/** Combines facts that all hold. */
export function allOf(facts: readonly Facts[]): Facts {
  const some = facts.filter(({ columns, groups }) => columns.size + groups.size > 0);
  if (some.length < 2) return some[0] ?? NO_FACTS;
  return {
    columns: new Set(some.flatMap(({ columns }) => [...columns])),
    groups: new Set(some.flatMap(({ groups }) => [...groups])),
  };
}

/** Combines facts of which at least one holds. */
export function anyOf([first = NO_FACTS, ...others]: readonly Facts[]): Facts {
  return {
    columns: new Set([...first.columns].filter((each) => others.every((o) => o.columns.has(each)))),
    groups: new Set([...first.groups].filter((each) => others.every((o) => o.groups.has(each)))),
  };
}

/**
 * Facts from a column that is not NULL: every outer join that might have set it to NULL found a
 * match.
 */
export function isValue(column: ScopeColumn): Facts {
  return { columns: new Set([column]), groups: new Set(column.groups) };
}

export function hasValue(column: ScopeColumn, { columns, groups }: Facts): boolean {
  return columns.has(column) || (column.notNull && column.groups.every((each) => groups.has(each)));
}

/**
 * Rows as the optional side of an outer join: facts about them now hold only where `group` found a
 * match. A column shared by several items stays one column.
 */
export function mayBeMissing({ items, facts }: Rows, group: number): Rows {
  const made = new Map<ScopeColumn, ScopeColumn>();
  const extend = (column: ScopeColumn): ScopeColumn => {
    const before = made.get(column);
    if (before !== undefined) return before;
    const open = facts.columns.has(column)
      ? []
      : column.groups.filter((each) => !facts.groups.has(each));
    const notNull = column.notNull || facts.columns.has(column);
    const extended = { ...column, notNull, groups: [...open, group] };
    made.set(column, extended);
    return extended;
  };
  return { items: items.map((item) => mapColumns(item, extend)), facts: NO_FACTS };
}

function mapColumns(item: Item, map: (column: ScopeColumn) => ScopeColumn): Item {
  return {
    ...item,
    columns: item.columns?.map(map),
    hidden: item.hidden.map(map),
    row: map(item.row),
  };
}

/** Rows of several items side by side, as a comma in FROM combines them. */
export function sideBySide(rows: readonly Rows[]): Rows {
  return {
    items: rows.flatMap(({ items }) => items),
    facts: allOf(rows.map(({ facts }) => facts)),
  };
}

interface More {
  /** Its name if no alias gives another. */
  readonly name?: string | undefined;
  readonly schema?: string | undefined;
  readonly hidden?: readonly ScopeColumn[];
  /** True if a row of it is never NULL as a whole. */
  readonly rowIsValue?: boolean;
}

/** Makes a FROM item. Its alias may rename the item and its first columns. */
export function makeItem(
  alias: Alias | undefined,
  columns: readonly ScopeColumn[] | undefined,
  { name, schema, hidden = [], rowIsValue = false }: More = {},
): Item {
  const names = namesIn(alias?.colnames);
  const called = alias?.aliasname ?? name;
  return {
    ...(called === undefined ? {} : { name: called }),
    ...(schema === undefined || alias !== undefined ? {} : { schema }),
    columns: columns?.map((each, place) => rename(each, names[place])),
    hidden,
    row: { name: called ?? "", type: undefined, notNull: rowIsValue, groups: [] },
    byName: called !== undefined,
    bare: true,
  };
}

function rename(column: ScopeColumn, name: string | undefined): ScopeColumn {
  return name === undefined ? column : { ...column, name };
}

/** An item with unknown columns, which could have any name. */
export function opaqueItem(alias?: Alias): Item {
  return makeItem(alias, undefined);
}

/** The columns of a query, as queries that select from it see them. */
export function scopeColumns(columns: Columns): readonly ScopeColumn[] | undefined {
  return columns?.map(({ name, value }) => ({
    name,
    type: value.type,
    notNull: value.null === "never",
    groups: [],
  }));
}

/** The same rows, found only under a name: `old`, `excluded`. */
export function versionOf({ columns, hidden, row }: Item, name: string): Item {
  return { name, columns, hidden, row, byName: true, bare: false };
}

/**
 * The scope of an expression that sees rows of its own query first, then those of the queries
 * around it.
 */
export function lateralScope(around: Scope, { items, facts }: Rows): Scope {
  return {
    ...around,
    items,
    facts: allOf([around.facts, facts]),
    outer: around,
    grouped: false,
  };
}

/**
 * Looks up a column by PostgreSQL's rules: the innermost query that has the name decides. Undefined
 * if no query has it, if the name is ambiguous, or if an item there has unknown columns.
 */
export function columnNamed(
  fields: readonly Node[] | undefined,
  scope: Scope,
): ScopeColumn | undefined {
  if (fields === undefined || fields.some((each) => fieldsOf(each, "String") === undefined))
    return undefined;
  const path = namesIn(fields);
  const name = path.at(-1);
  if (name === undefined) return undefined;
  if (path.length === 1) {
    const found = bareColumn(name, scope);
    return found === "unclear" ? undefined : (found ?? itemNamed(path, scope)?.row);
  }
  const item = itemNamed(path.slice(0, -1), scope);
  return item === undefined ? undefined : only(columnsNamed(item, name));
}

/** The FROM item that `name` or `schema.name` refers to. */
export function itemNamed(path: readonly string[], scope: Scope | undefined): Item | undefined {
  const [name, schema] = [path.at(-1), path.at(-2)];
  for (let at = scope; at !== undefined; at = at.outer) {
    const found = at.items.filter(
      (each) =>
        each.byName && each.name === name && (schema === undefined || each.schema === schema),
    );
    if (found.length > 0) return only(found);
  }
  return undefined;
}

/**
 * Looks up a bare name. It may still be that of a whole row if no query has, or might have, such a
 * column.
 */
function bareColumn(name: string, scope: Scope): ScopeColumn | "unclear" | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const bare = at.items.filter((each) => each.bare);
    const found = bare.flatMap((each) => columnsNamed(each, name));
    if (found.length > 0) return only(found) ?? "unclear";
    if (bare.some((each) => each.columns === undefined)) return "unclear";
  }
  return undefined;
}

function columnsNamed(item: Item, name: string): readonly ScopeColumn[] {
  const found = item.columns?.filter((each) => each.name === name) ?? [];
  return found.length > 0 ? found : item.hidden.filter((each) => each.name === name);
}

function only<Each>(found: readonly Each[]): Each | undefined {
  return found.length === 1 ? found[0] : undefined;
}

/** The columns that a `*` expands to, in order; undefined if unknown. */
export function starColumns(
  fields: readonly Node[],
  scope: Scope,
): readonly ScopeColumn[] | undefined {
  const path = namesIn(fields);
  if (path.length > 0) return itemNamed(path, scope)?.columns;
  const lists = scope.items.filter(({ bare }) => bare).map(({ columns }) => columns);
  const all = lists.flatMap((each) => each ?? []);
  return lists.includes(undefined) ? undefined : all;
}
