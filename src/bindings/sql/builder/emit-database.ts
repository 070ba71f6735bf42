import { type Code, code, imported, join, literal, memberKey } from "../../../core/code.js";
import { runtimeEntry } from "../../../core/runtime-entry.js";
import { pgCatalogOf, qualifiedName, relationOf } from "../database/pg-catalog.js";
import type { Column, Relation, Snapshot } from "../database/snapshot.js";
import { columnTypeScript, sqlTypeOf } from "../types/sql-type.js";
import { isInDatabase } from "./relations.js";

const RUNTIME = runtimeEntry("sql");

/**
 * Emits the interface of a connection's tables for Kysely. Each table or view is a property
 * `schema.name`, and also its bare name if the search path finds it. Columns have the types of
 * their JSON values, marked by PostgreSQL type. Columns that PostgreSQL fills are optional in
 * INSERT. Tables are sorted by name, so that the same database gives the same text.
 */
export function emitDatabase(snapshot: Snapshot): Code {
  const relations = snapshot.relations.filter(isInDatabase).toSorted(byName);
  const members = relations.flatMap((relation) => relationMembers(relation, snapshot));
  return code`export interface Database {\n${join(members)}}\n`;
}

function byName(a: Relation, b: Relation): number {
  const [left, right] = [qualifiedName(a), qualifiedName(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function relationMembers(relation: Relation, snapshot: Snapshot): readonly Code[] {
  const { name } = relation;
  const row = rowType(relation, snapshot);
  const full = memberKey(qualifiedName(relation));
  const found = relationOf({ relname: name }, pgCatalogOf(snapshot)) === relation;
  if (!found) return [code`${full}: ${row};\n`];
  return [code`${memberKey(name)}: ${row};\n`, code`${full}: Database[${literal(name)}];\n`];
}

function rowType({ columns }: Relation, snapshot: Snapshot): Code {
  const members = columns.map(
    (column) => code`${memberKey(column.name)}: ${columnType(column, snapshot)};\n`,
  );
  return code`{\n${join(members)}}`;
}

function columnType(column: Column, snapshot: Snapshot): Code {
  const value = columnTypeScript(sqlTypeOf(pgCatalogOf(snapshot).typeOf, column.type));
  const nullable = column.notNull ? value : code`${value} | null`;
  // Includes generated columns: ON CONFLICT may read them from `excluded`, and PostgreSQL itself
  // rejects writes to them.
  if (!column.hasDefault && !column.generated) return nullable;
  return code`${imported(RUNTIME, "Generated", true)}<${nullable}>`;
}
