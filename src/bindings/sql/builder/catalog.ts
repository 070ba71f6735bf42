import type { RangeVar } from "@pgsql/types";
import { catalogOf, relationOf } from "../database/catalog.js";
import type { Column, Relation, Snapshot } from "../database/snapshot.js";
import { typeOfColumn } from "./column-type.js";
import type { BuildFacts, Names } from "./place.js";
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

/** A common table expression, a table of the Database interface, or something that `tsc` does not know. */
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
  const relation = relationOf(range, catalogOf(snapshot));
  if (relation === undefined || !isInDatabase(relation)) return { types: "hidden" };
  const required = relation.columns.filter(isRequired).map(({ name }) => name);
  const filled = relation.columns.filter(({ notNull }) => notNull).map(({ name }) => name);
  const columns = columnsOf(relation, snapshot);
  return { key, types: "checked", columns, required, notNull: new Set(filled) };
}

/** A query whose columns are not known even to one who knows the database has some that Kysely doesn't know either. */
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

function columnsOf(relation: Relation, snapshot: Snapshot): Columns {
  return new Map(
    relation.columns.map(({ name, type }) => [name, typeOfColumn(snapshot, type)] as const),
  );
}

export function isRequired({ notNull, hasDefault, generated }: Column): boolean {
  return notNull && !hasDefault && !generated;
}
