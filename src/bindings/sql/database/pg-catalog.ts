/** A snapshot with its names looked up as PostgreSQL looks them up. */
import type { RangeVar } from "@pgsql/types";
import { groupBy } from "../../../core/group-by.js";
import type { Cast, Operator, PgFunction, PgType, Relation, Snapshot } from "./snapshot.js";

/**
 * A snapshot with its names looked up as PostgreSQL does. A path is `["name"]` or `["schema",
 * "name"]`.
 */
export interface PgCatalog {
  readonly searchPath: readonly string[];
  relation(path: readonly string[]): Relation | undefined;
  /**
   * In the order of the search path, with those left out that an earlier one of the same arguments
   * hides.
   */
  functions(path: readonly string[]): readonly PgFunction[];
  /** Like `functions`. */
  operators(path: readonly string[]): readonly Operator[];
  functionOf(oid: number): PgFunction | undefined;
  typeOf(oid: number): PgType | undefined;
  typeNamed(path: readonly string[]): PgType | undefined;
  /** The array type of elements of that type. */
  arrayOf(oid: number): PgType | undefined;
  castsTo(oid: number): readonly Cast[];
  castsFrom(oid: number): readonly Cast[];
  /**
   * Casts that run a function from outside pg_catalog in any expression, without being asked for.
   */
  readonly foreignImplicitCasts: readonly Cast[];
}

const known = new WeakMap<Snapshot, PgCatalog>();

/** The catalog of a snapshot: made once. */
export function pgCatalogOf(snapshot: Snapshot): PgCatalog {
  const before = known.get(snapshot);
  if (before !== undefined) return before;
  const pgCatalog = readPgCatalog(snapshot);
  known.set(snapshot, pgCatalog);
  return pgCatalog;
}

/** The table or view that a name in FROM, or a target, means, unless a WITH query has that name. */
export function relationOf(
  variable: Pick<RangeVar, "relname" | "schemaname"> | undefined,
  pgCatalog: PgCatalog,
): Relation | undefined {
  const { relname = "", schemaname } = variable ?? {};
  return pgCatalog.relation(schemaname === undefined ? [relname] : [schemaname, relname]);
}

function readPgCatalog(snapshot: Snapshot): PgCatalog {
  const { searchPath } = snapshot;
  const relations = groupBy(snapshot.relations, ({ name }) => name);
  const functions = groupBy(snapshot.functions, ({ name }) => name);
  const operators = groupBy(snapshot.operators, ({ name }) => name);
  const typesByName = groupBy(snapshot.types, ({ name }) => name);
  const types = new Map(snapshot.types.map((each) => [each.oid, each]));
  const functionsByOid = new Map(snapshot.functions.map((each) => [each.oid, each]));
  const arrays = new Map(
    snapshot.types.flatMap((each) => (each.kind === "array" ? [[each.element ?? 0, each]] : [])),
  );
  const targets = groupBy(snapshot.casts, ({ target }) => target);
  const sources = groupBy(snapshot.casts, ({ source }) => source);
  return {
    searchPath,
    relation: (path) => visible(relations, path, searchPath)[0],
    functions: onceForEach((path) => unhidden(visible(functions, path, searchPath), ownArguments)),
    operators: onceForEach((path) =>
      unhidden(visible(operators, path, searchPath), ({ left, right }) => `${left},${right}`),
    ),
    functionOf: (oid) => functionsByOid.get(oid),
    typeOf: (oid) => types.get(oid),
    typeNamed: (path) => visible(typesByName, path, searchPath)[0],
    arrayOf: (oid) => arrays.get(oid),
    castsTo: (oid) => targets.get(oid) ?? [],
    castsFrom: (oid) => sources.get(oid) ?? [],
    foreignImplicitCasts: snapshot.casts.filter(
      (each) =>
        each.context === "implicit" &&
        each.function !== 0 &&
        functionsByOid.get(each.function)?.schema !== "pg_catalog",
    ),
  };
}

/** A statement may name an operator ten thousand times. */
function onceForEach<Answer>(
  look: (path: readonly string[]) => Answer,
): (path: readonly string[]) => Answer {
  const known = new Map<string, Answer>();
  return (path) => {
    const key = JSON.stringify(path);
    const answer = known.get(key) ?? look(path);
    known.set(key, answer);
    return answer;
  };
}

function ownArguments(each: PgFunction): string {
  return `${each.arguments.join()}${each.variadic ? "…" : ""}`;
}

/**
 * `database.schema.name` is read without the database: it can only be the one that is connected.
 */
function visible<Item extends { readonly schema: string }>(
  byName: ReadonlyMap<string, readonly Item[]>,
  path: readonly string[],
  searchPath: readonly string[],
): readonly Item[] {
  const schema = path.at(-2);
  const named = byName.get(path.at(-1) ?? "") ?? [];
  if (schema !== undefined) return named.filter((each) => each.schema === schema);
  return searchPath.flatMap((schema) => named.filter((each) => each.schema === schema));
}

function unhidden<Item>(
  items: readonly Item[],
  signature: (item: Item) => string,
): readonly Item[] {
  const seen = new Set<string>();
  return items.filter((each) => {
    const key = signature(each);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * The part of a search path that is named: PostgreSQL looks into pg_catalog, and before it into the
 * session's own temporary tables, unasked.
 */
export function namedPath(searchPath: readonly string[]): readonly string[] {
  const named = searchPath.filter((each) => !each.startsWith("pg_temp"));
  return named[0] === "pg_catalog" ? named.slice(1) : named;
}

/** `schema.name`, for people. */
export function qualifiedName({ schema, name }: SchemaItem): string {
  return `${schema}.${name}`;
}

/** `"schema"."name"`, for SQL. */
export function quotedName({ schema, name }: SchemaItem): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

interface SchemaItem {
  readonly schema: string;
  readonly name: string;
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
