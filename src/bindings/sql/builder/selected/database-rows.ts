import { catalogOf, relationOf } from "../../database/catalog.js";
import type { Relation, Snapshot } from "../../database/snapshot.js";
import { type SqlType, sqlTypeOf } from "../../types/sql-type.js";
import { isInDatabase } from "../catalog.js";

/** A column whose type Kysely takes from the Database interface. */
export interface SelectedColumn {
  readonly type: SqlType;
  /** Whether Kysely's type has null; never false where it has. */
  readonly nullable: boolean;
}

/** Columns by name; undefined: not taken from the Database interface as it stands. */
export type SelectedRow = ReadonlyMap<string, SelectedColumn | undefined>;

const known = new WeakMap<Snapshot, ReadonlyMap<string, SelectedRow>>();

/** The rows of the Database interface, by the names that it has for its tables. */
export function databaseRows(snapshot: Snapshot): ReadonlyMap<string, SelectedRow> {
  const before = known.get(snapshot);
  if (before !== undefined) return before;
  const catalog = catalogOf(snapshot);
  const rows = new Map(
    snapshot.relations.filter(isInDatabase).flatMap((relation) => {
      const { name, schema } = relation;
      const row = rowOf(relation, snapshot);
      const full = [`${schema}.${name}`, row] as const;
      return relationOf({ relname: name }, catalog) === relation ? [[name, row], full] : [full];
    }),
  );
  known.set(snapshot, rows);
  return rows;
}

function rowOf({ columns }: Relation, snapshot: Snapshot): SelectedRow {
  const { typeOf } = catalogOf(snapshot);
  return new Map(
    columns.map(({ name, notNull, type }) => [
      name,
      { type: sqlTypeOf(typeOf, type), nullable: !notNull },
    ]),
  );
}
