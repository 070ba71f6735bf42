import { type Code, code, imported, join, literal, memberKey } from "../../../core/code.js";
import { runtimeEntry } from "../../../core/runtime-entry.js";
import { pgCatalogOf, qualifiedName, relationOf } from "../database/pg-catalog.js";
import type { Column, Relation, Snapshot } from "../database/snapshot.js";
import { columnTypeScript, sqlTypeOf } from "../types/sql-type.js";
import { isInDatabase } from "./relations.js";

const RUNTIME = runtimeEntry("sql");

/**
 * The interface of a connection's tables, for Kysely: a property a table or view, by its bare name
 * where the search path finds it, and by `schema.name` always. Columns have the types in which they
 * travel, told apart by PostgreSQL type; those that PostgreSQL fills may be left out of an INSERT.
 * In the order of their names, so that the same database gives the same text.
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
  // Also what is generated always: ON CONFLICT may read it from `excluded`, and PostgreSQL refuses
  // to write it.
  if (!column.hasDefault && !column.generated) return nullable;
  return code`${imported(RUNTIME, "Generated", true)}<${nullable}>`;
}
