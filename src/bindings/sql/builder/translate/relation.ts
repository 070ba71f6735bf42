import type { Alias, RangeVar } from "@pgsql/types";
import { findRelation, type FoundRelation } from "../catalog.js";
import { call, type Chain, type ChainType, literal, sql } from "../chain.js";
import type { Place } from "../place.js";
import { type Columns, isPlain, type Source } from "../scope.js";
import { words } from "../words.js";
import { columnList, columnsType, hiddenRow, renamed } from "./columns.js";
import type { TableItem } from "./item.js";

/** A table in FROM. */
export function relationItem(range: RangeVar, place: Place): TableItem {
  const { relname = "", schemaname, alias } = range;
  const bare = schemaname === undefined ? relname : `${schemaname}.${relname}`;
  // With an alias, PostgreSQL no longer takes the table's name with its schema.
  const open = alias === undefined && place.names.qualified.has(bare);
  const named = alias?.aliasname ?? (open ? bare : relname);
  const found = findRelation(range, place.names);
  const columns = renamed(found.columns, alias);
  const source = sourceOf(named, found, columns, alias);
  const table = schemaname === undefined ? [relname] : [schemaname, relname];
  const only = range.inh ? [] : ["only "];
  const whole = {
    source: open ? { ...source, alias: relname } : source,
    lateral: false,
    tail: columnList(alias),
    row: rowOf(found, alias, columns),
    required: found.required ?? [],
    notNull: found.notNull ?? new Set<string>(),
  };
  const head = words`${only}${tableName(table)}`;
  const simple = found.types !== "hidden" && only.length === 0 && alias?.colnames === undefined;
  const key = table.join(".");
  if (!simple || !(open || isPlain(named)) || !table.every(isPlain)) return { ...whole, head };
  // The alias that PostgreSQL gives it anyway: with it, Kysely calls the columns as the author does.
  return { ...whole, head, text: named === key ? key : `${key} as ${named}` };
}

/** The row's type names the table beside it: that is the reference that `tsc` sees. */
function tableName(names: readonly string[]): Chain {
  if (names.every(isPlain)) return call(sql, "table", literal(names.join(".")));
  return call(sql, "id", ...names.map((each) => literal(each)));
}

function sourceOf(
  named: string,
  found: FoundRelation,
  columns: Columns | undefined,
  alias: Alias | undefined,
): Source {
  const types = alias?.colnames !== undefined && columns === undefined ? "hidden" : found.types;
  return { alias: named, key: named, types, columns };
}

function rowOf(
  found: FoundRelation,
  alias: Alias | undefined,
  columns: Columns | undefined,
): ChainType {
  if (found.types === "hidden") return hiddenRow;
  if (alias?.colnames === undefined && found.key !== undefined)
    return { kind: "row", table: found.key };
  return columns === undefined ? hiddenRow : columnsType(columns);
}
