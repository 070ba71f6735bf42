/**
 * What the analysis of nullability speaks of: values, the columns in scope, and facts, which are
 * columns that hold values. Names are looked up here, too.
 */
import type { Alias, Node } from "@pgsql/types";
import type { PgCatalog } from "../../database/pg-catalog.js";
import type { Operator, PgFunction, Relation } from "../../database/snapshot.js";
import { fieldsOf, namesIn } from "../../statement/tree.js";
import { commonType, mayTurnNull, OID, type ValueType } from "../value-type.js";

/** What is proven of the values of an expression. `"always"`: they are all NULL. */
export interface Value {
  readonly type: ValueType;
  readonly null: "never" | "maybe" | "always";
}

/** Nothing is known. */
export const UNKNOWN: Value = { type: undefined, null: "maybe" };

/** A column of a relation in the database. */
interface Origin {
  readonly relation: Relation;
  readonly column: string;
}

/**
 * A column that a statement can refer to. Its identity counts: a proof is about this object.
 * `groups` are the outer joins that may put NULL in its place; one of them does so for all its
 * columns at once, so that a value in one column is a proof for the others.
 */
export interface ScopeColumn {
  readonly name: string;
  readonly type: ValueType;
  /** No NULL, as long as none of the groups puts it there. */
  readonly notNull: boolean;
  readonly groups: readonly number[];
  readonly origin?: Origin;
}

/** What is proven for every row that gets as far as the expression looked at. */
export interface Facts {
  /** These are not NULL. */
  readonly columns: ReadonlySet<ScopeColumn>;
  /** These outer joins found a match. */
  readonly groups: ReadonlySet<number>;
}

/** A name in a FROM clause, or the nameless result of a join. */
export interface Item {
  readonly name?: string;
  readonly schema?: string;
  /** Undefined when they cannot be told. */
  readonly columns: readonly ScopeColumn[] | undefined;
  /** `ctid` and the like: found by name, never by `*`. */
  readonly hidden: readonly ScopeColumn[];
  /** The row as a whole: `t` in `to_jsonb(t)`. */
  readonly row: ScopeColumn;
  /** `name.column` finds it. */
  readonly byName: boolean;
  /** A bare column name, or `*`, finds it. */
  readonly bare: boolean;
}

/** Names of WITH queries, the innermost first. */
export interface CteFrame {
  readonly queries: ReadonlyMap<string, () => Columns>;
  readonly outer?: CteFrame | undefined;
}

/** Where an expression stands: what it can refer to, and what is proven there. */
export interface Scope {
  readonly items: readonly Item[];
  readonly facts: Facts;
  readonly outer?: Scope | undefined;
  readonly ctes?: CteFrame | undefined;
  /** Whether an aggregate sees at least one row: only under a GROUP BY without grouping sets. */
  readonly grouped: boolean;
  /** Frame options by the name of the window. */
  readonly windows: ReadonlyMap<string, number>;
}

export interface OutputColumn {
  readonly name: string;
  readonly value: Value;
  /** Of a column given on as it is. */
  readonly origin?: Origin | undefined;
  /** The name was written: `AS name`. */
  readonly aliased: boolean;
  readonly location?: number | undefined;
}

/** The columns of a query; undefined when they cannot be told, not even how many. */
export type Columns = readonly OutputColumn[] | undefined;

export interface Output {
  readonly columns: Columns;
  /** It has exactly one row, whatever the tables hold. */
  readonly oneRow: boolean;
}

/**
 * What the walk comes across, for those who ask other questions of the same statement. `node` is
 * the body of the node.
 */
export interface Recorder {
  relation(relation: Relation, access: "read" | "write", location: number | undefined): void;
  column(origin: Origin, access: "read" | "write"): void;
  functions(node: object, candidates: readonly PgFunction[]): void;
  operators(node: object, name: string, candidates: readonly Operator[]): void;
  cast(node: object, from: ValueType): void;
  /** A name that means a column, not a function of a row. */
  reference(node: object): void;
  /** A type that some expression has. */
  type(type: ValueType): void;
}

/** The walk's parts, by which they reach one another. */
export interface Analysis {
  readonly pgCatalog: PgCatalog;
  readonly record: Recorder;
  /**
   * Whether NOT NULL columns are believed: not for what was stored before the constraint was made.
   */
  readonly trustsConstraints: boolean;
  /** Whether the value of `$n` is known not to be NULL. */
  hasValue(parameter: number): boolean;
  infer(node: Node | undefined, scope: Scope): Value;
  /** What holds when an expression is true, is false, or is either. */
  prove(node: Node | undefined, scope: Scope, when: "true" | "false" | "known"): Facts;
  /** Any statement; `scope` is what surrounds it. */
  query(node: Node | undefined, scope: Scope): Output;
  fromItem(node: Node, scope: Scope, beside: Rows): Rows;
  /** The columns of a view's definition. */
  view(relation: Relation): Columns;
  newGroup(): number;
}

/** What a FROM clause, or a part of it, gives. */
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

/** Not NULL when all of these are not. */
export function whenAll(type: ValueType, parts: readonly Value[]): Value {
  return { type, null: parts.every((each) => each.null === "never") ? "never" : "maybe" };
}

/** One of several values, which share a type: the branches of a CASE, the rows of a UNION. */
export function oneOf(pgCatalog: PgCatalog, values: readonly Value[]): Value {
  if (values.length === 0) return UNKNOWN;
  const type = commonType(values.map((each) => each.type));
  const always = values.every((each) => each.null === "always");
  const never = values.every((each) => each.null === "never" && !changes(pgCatalog, each, type));
  return { type, null: always ? "always" : never ? "never" : "maybe" };
}

/** The first of several that is a value: COALESCE, GREATEST. */
export function firstOf(pgCatalog: PgCatalog, values: readonly Value[]): Value {
  const type = commonType(values.map((each) => each.type));
  const always = values.every((each) => each.null === "always");
  const never = values.some((each) => each.null === "never" && !changes(pgCatalog, each, type));
  return { type, null: always ? "always" : never ? "never" : "maybe" };
}

/** Whether a user's cast may stand between a value and the type it takes. */
function changes(pgCatalog: PgCatalog, { type: from }: Value, to: ValueType): boolean {
  return (from === undefined || from !== to) && mayTurnNull(pgCatalog, from);
}

export const NO_FACTS: Facts = { columns: new Set(), groups: new Set() };

export const NO_ROWS: Rows = { items: [], facts: NO_FACTS };

/** All of these hold. */
export function allOf(facts: readonly Facts[]): Facts {
  const some = facts.filter(({ columns, groups }) => columns.size + groups.size > 0);
  if (some.length < 2) return some[0] ?? NO_FACTS;
  return {
    columns: new Set(some.flatMap(({ columns }) => [...columns])),
    groups: new Set(some.flatMap(({ groups }) => [...groups])),
  };
}

/** One of these holds, nobody knows which. */
export function anyOf([first = NO_FACTS, ...others]: readonly Facts[]): Facts {
  return {
    columns: new Set([...first.columns].filter((each) => others.every((o) => o.columns.has(each)))),
    groups: new Set([...first.groups].filter((each) => others.every((o) => o.groups.has(each)))),
  };
}

/** A column holds a value: so every outer join that might have emptied it found a match. */
export function isValue(column: ScopeColumn): Facts {
  return { columns: new Set([column]), groups: new Set(column.groups) };
}

export function hasValue(column: ScopeColumn, { columns, groups }: Facts): boolean {
  return columns.has(column) || (column.notNull && column.groups.every((each) => groups.has(each)));
}

/**
 * The rows as the side of an outer join that may be missing: what was proven of them now holds
 * where `group` found a match, and no longer everywhere. A column that stands in several items
 * stays one column.
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

/** Rows side by side, as a comma in FROM puts them. */
export function sideBySide(rows: readonly Rows[]): Rows {
  return {
    items: rows.flatMap(({ items }) => items),
    facts: allOf(rows.map(({ facts }) => facts)),
  };
}

interface More {
  /** Its name when no alias gives it another. */
  readonly name?: string | undefined;
  readonly schema?: string | undefined;
  readonly hidden?: readonly ScopeColumn[];
  /** A row of it is never NULL as a whole. */
  readonly rowIsValue?: boolean;
}

/** A FROM item, with the names that its alias gives it and its first columns. */
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

/** An item of which nothing is known: its columns could have any name. */
export function opaqueItem(alias?: Alias): Item {
  return makeItem(alias, undefined);
}

/** The columns of a query as those who select from it see them. */
export function scopeColumns(columns: Columns): readonly ScopeColumn[] | undefined {
  return columns?.map(({ name, value }) => ({
    name,
    type: value.type,
    notNull: value.null === "never",
    groups: [],
  }));
}

/** The same rows under a name by which alone they are found: `old`, `excluded`. */
export function versionOf({ columns, hidden, row }: Item, name: string): Item {
  return { name, columns, hidden, row, byName: true, bare: false };
}

/**
 * Where something stands that sees rows of its own query: those of the queries around it come
 * after.
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
 * The column that a name means, found as PostgreSQL finds it: the innermost query that knows the
 * name decides. Undefined when none does, when two do, or when one of the items there has columns
 * that are not known.
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

/** The FROM item behind `name` or `schema.name`. */
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
 * A bare name may still be that of a whole row when no query has such a column, and none might
 * have.
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

/** The columns that a `*` stands for, in order; undefined when that is not known. */
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
