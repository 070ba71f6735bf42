/** Looks up names in a snapshot by PostgreSQL's rules. */
import type { RangeVar } from "@pgsql/types";
import { groupBy } from "../../../core/group-by.js";
import type { Cast, Operator, PgFunction, PgType, Relation, Snapshot } from "./snapshot.js";

/**
 * A snapshot with lookups by name, as PostgreSQL resolves names. A path is `["name"]` or
 * `["schema", "name"]`.
 */
export interface PgCatalog {
  readonly searchPath: readonly string[];
  relation(path: readonly string[]): Relation | undefined;
  /**
   * Functions of that name in the order of the search path. A function is left out if an earlier
   * one with the same arguments hides it.
   */
  functions(path: readonly string[]): readonly PgFunction[];
  /** Operators of that name, in the same way as `functions`. */
  operators(path: readonly string[]): readonly Operator[];
  functionOf(oid: number): PgFunction | undefined;
  typeOf(oid: number): PgType | undefined;
  typeNamed(path: readonly string[]): PgType | undefined;
  /** The array type whose elements have that type. */
  arrayOf(oid: number): PgType | undefined;
  castsTo(oid: number): readonly Cast[];
  castsFrom(oid: number): readonly Cast[];
  /**
   * Implicit casts whose function is outside pg_catalog. PostgreSQL may run such a cast in any
   * expression.
   */
  readonly foreignImplicitCasts: readonly Cast[];
}

const known = new WeakMap<Snapshot, PgCatalog>();

/** Returns the catalog of a snapshot, which is made once. */
export function pgCatalogOf(snapshot: Snapshot): PgCatalog {
  const before = known.get(snapshot);
  if (before !== undefined) return before;
  const pgCatalog = readPgCatalog(snapshot);
  known.set(snapshot, pgCatalog);
  return pgCatalog;
}

/**
 * Finds the table or view that a range variable names. The caller checks first whether a WITH query
 * has that name.
 */
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

/** Cached, because a statement may name an operator ten thousand times. */
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

/** In `database.schema.name` the database is ignored: PostgreSQL allows only the connected one. */
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
 * The explicit part of a search path. PostgreSQL searches pg_catalog implicitly, and before it the
 * session's temporary tables.
 */
export function namedPath(searchPath: readonly string[]): readonly string[] {
  const named = searchPath.filter((each) => !each.startsWith("pg_temp"));
  return named[0] === "pg_catalog" ? named.slice(1) : named;
}

/** Name for messages: `schema.name`. */
export function qualifiedName({ schema, name }: SchemaItem): string {
  return `${schema}.${name}`;
}

/** Name for SQL: `"schema"."name"`. */
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
