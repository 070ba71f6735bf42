/**
 * What the Database interface knows of tables: their columns' types, and what a statement stores in
 * them.
 */
import type { Node, RangeVar } from "@pgsql/types";
import { pgCatalogOf, relationOf } from "../database/pg-catalog.js";
import type { Column, Relation, Snapshot } from "../database/snapshot.js";
import { storedValues } from "../parameters/column-uses.js";
import { fieldsOf, locationOf, walk } from "../statement/tree.js";
import { type SqlType, sqlTypeOf } from "../types/sql-type.js";
import { type ChainType, orNull } from "./chain.js";
import type { BuildFacts, Names, StoredColumn } from "./place.js";
import type { Columns } from "./scope.js";

/** What a table's name means. */
export interface FoundRelation {
  /** Its name in the Database interface. */
  readonly key?: string;
  readonly types: "checked" | "open" | "hidden";
  readonly columns?: Columns | undefined;
  /** Columns that Kysely wants in every INSERT. */
  readonly required?: readonly string[];
  readonly notNull?: ReadonlySet<string>;
}

/**
 * A common table expression, a table of the Database interface, or something that `tsc` does not
 * know.
 */
export function findRelation(range: RangeVar, names: Names): FoundRelation {
  const { schemaname, relname = "" } = range;
  const cte = schemaname === undefined ? names.ctes.get(relname) : undefined;
  if (cte !== undefined) {
    if (!names.startKnows.has(relname)) return { types: "hidden", columns: undefined };
    const types = cte.open ? "open" : queryTypes(cte.columns, names.facts);
    return { types, columns: cte.columns };
  }
  const key = schemaname === undefined ? relname : `${schemaname}.${relname}`;
  const { snapshot } = names.facts;
  if (snapshot === undefined) return { key, types: "checked" };
  const relation = relationOf(range, pgCatalogOf(snapshot));
  if (relation === undefined || !isInDatabase(relation)) return { types: "hidden" };
  const required = relation.columns.filter(isRequired).map(({ name }) => name);
  const filled = relation.columns.filter(({ notNull }) => notNull).map(({ name }) => name);
  const columns = columnTypesOf(relation, snapshot);
  return { key, types: "checked", columns, required, notNull: new Set(filled) };
}

/**
 * A query whose columns are not known even to one who knows the database has some that Kysely
 * doesn't know either.
 */
export function queryTypes(
  columns: Columns | undefined,
  { snapshot }: BuildFacts,
): "checked" | "hidden" {
  return columns === undefined && snapshot !== undefined ? "hidden" : "checked";
}

/** Whether the Database interface has it: everything of the user's own that has rows. */
export function isInDatabase({ kind, schema }: Relation): boolean {
  return kind !== "sequence" && !SYSTEM.has(schema);
}

const SYSTEM: ReadonlySet<string> = new Set(["pg_catalog", "information_schema", "pg_toast"]);

function columnTypesOf(relation: Relation, snapshot: Snapshot): Columns {
  return new Map(
    relation.columns.map(({ name, type }) => [name, typeOfColumn(snapshot, type)] as const),
  );
}

function isRequired({ notNull, hasDefault, generated }: Column): boolean {
  return notNull && !hasDefault && !generated;
}

/**
 * The TypeScript type of a column's values as the Database interface has it, without null;
 * undefined for JSON and for what the catalog does not know.
 */
function typeOfColumn(snapshot: Snapshot, oid: number): ChainType | undefined {
  const { typeOf } = pgCatalogOf(snapshot);
  return typeOf(oid) === undefined ? undefined : chainTypeOf(sqlTypeOf(typeOf, oid));
}

function chainTypeOf(type: SqlType): ChainType | undefined {
  if (type.kind === "enum") return { kind: "labels", of: type.labels };
  if (type.kind === "array") {
    const of = chainTypeOf(type.of);
    const orNull = of && ({ kind: "union", of: [of, { kind: "keyword", name: "null" }] } as const);
    return orNull && { kind: "array", of: orNull };
  }
  const { format, typeScript } = type.traits;
  if (typeScript === "JsonValue") return undefined;
  const isTold = typeScript !== "boolean";
  return { kind: "keyword", name: typeScript, ...(isTold && { format }) };
}

/**
 * Where parameters go to columns by their place among others, as in INSERT … SELECT: Kysely's types
 * know of no connection there. By the places of the parameters in the text.
 */
export function storedParameters(
  tree: Node,
  { snapshot }: BuildFacts,
): ReadonlyMap<number, StoredColumn> {
  const stored = new Map<number, StoredColumn>();
  if (snapshot === undefined) return stored;
  walk(tree, (node) => {
    const { onConflictClause: _, ...insert } = fieldsOf(node, "InsertStmt") ?? {};
    if (insert.selectStmt === undefined || isOneRow(insert.selectStmt)) return;
    const { relname = "", schemaname } = insert.relation ?? {};
    const table = schemaname === undefined ? relname : `${schemaname}.${relname}`;
    for (const { column, relation, value } of storedValues(
      { InsertStmt: insert },
      pgCatalogOf(snapshot),
    )) {
      const place = locationOf(fieldsOf(value, "ParamRef") ?? {});
      const type = column && typeOfColumn(snapshot, column.type);
      // What INSERT may leave out has another type for each use.
      const isPlain = column !== undefined && !column.hasDefault && !column.generated;
      if (place === undefined || type === undefined || !isPlain || !isInDatabase(relation))
        continue;
      const is = { kind: "column", table, column: column.name } as const;
      stored.set(place, { is, type: column.notNull ? type : orNull(type) });
    }
  });
  return stored;
}

/** Kysely takes one row as an object. */
function isOneRow(select: Node): boolean {
  return fieldsOf(select, "SelectStmt")?.valuesLists?.length === 1;
}

/** Whether every object in JavaScript has a property of that name: `constructor`, `toString`. */
export function isInherited(name: string): boolean {
  return Reflect.has(Object.prototype, name);
}

/**
 * A column of such a name, of a table that the statement gives values to. TypeScript takes the
 * property that an object inherits for the column's value when the column is left out, and Kysely's
 * types refuse it.
 */
export function inheritedColumn(tree: Node, { snapshot }: BuildFacts): string | undefined {
  if (snapshot === undefined) return undefined;
  const pgCatalog = pgCatalogOf(snapshot);
  let found: string | undefined;
  walk(tree, (node) => {
    const { relation } = {
      ...fieldsOf(node, "InsertStmt"),
      ...fieldsOf(node, "UpdateStmt"),
      ...fieldsOf(node, "MergeStmt"),
    };
    const columns = relationOf(relation, pgCatalog)?.columns ?? [];
    found ??= columns.find(({ name }) => isInherited(name))?.name;
  });
  return found;
}
