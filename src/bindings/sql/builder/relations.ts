/**
 * Looks up tables for the translation: their columns' types in the Database interface, and the
 * values that a statement stores in them.
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

/** The relation that a table's name refers to. */
export interface FoundRelation {
  /** Its name in the Database interface. */
  readonly key?: string;
  readonly types: "checked" | "open" | "hidden";
  readonly columns?: Columns | undefined;
  /** Columns that Kysely requires in every INSERT. */
  readonly required?: readonly string[];
  readonly notNull?: ReadonlySet<string>;
}

/**
 * Finds a common table expression, a table of the Database interface, or something unknown to
 * `tsc`.
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

/** If the columns are unknown even with a snapshot, Kysely doesn't know them either. */
export function queryTypes(
  columns: Columns | undefined,
  { snapshot }: BuildFacts,
): "checked" | "hidden" {
  return columns === undefined && snapshot !== undefined ? "hidden" : "checked";
}

/** True if the Database interface contains the relation: any user relation that has rows. */
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
 * The TypeScript type of a column's values in the Database interface, without null; undefined for
 * JSON and for types that the catalog lacks.
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
 * Finds parameters that are stored in columns by their position in a list, as in INSERT … SELECT.
 * Kysely's types don't connect the two there. The keys are positions in the text.
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
      // For a column that INSERT may leave out, the Database interface has a different type for
      // each use.
      const isPlain = column !== undefined && !column.hasDefault && !column.generated;
      if (place === undefined || type === undefined || !isPlain || !isInDatabase(relation))
        continue;
      const is = { kind: "column", table, column: column.name } as const;
      stored.set(place, { is, type: column.notNull ? type : orNull(type) });
    }
  });
  return stored;
}

/** True for a single row, which Kysely takes as an object. */
function isOneRow(select: Node): boolean {
  return fieldsOf(select, "SelectStmt")?.valuesLists?.length === 1;
}

/** True for names that every JavaScript object inherits: `constructor`, `toString`. */
export function isInherited(name: string): boolean {
  return Reflect.has(Object.prototype, name);
}

/**
 * Finds a column with such a name in a table that the statement writes. If the column is left out,
 * TypeScript takes the inherited property for its value, and Kysely's types reject it.
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
