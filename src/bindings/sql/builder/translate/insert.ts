import type { InsertStmt, Node, ResTarget, SelectStmt } from "@pgsql/types";
import { call, type Chain, list, literal } from "../chain.js";
import { NoWords } from "../nodes.js";
import { type Place, type Query, type QueryStart, startInside, withBuilder } from "../place.js";
import { isPlain } from "../scope.js";
import { template } from "../words.js";
import { assignedValue, recordOf } from "./assignments.js";
import { insertText, outside } from "./insert-text.js";
import { conflictCalls } from "./on-conflict.js";
import { insertedCalls } from "./returning.js";
import type { TableItem } from "./item.js";
import { type WrittenTable, writtenTable } from "./target-table.js";
import { valuesWords } from "./values.js";
import { columnName } from "./written-column.js";

/** INSERT. */
export function insertQuery(insert: InsertStmt, start: QueryStart): Query {
  const { relation } = insert;
  if (relation === undefined) throw new NoWords("INSERT into nothing");
  const { alias, ...bare } = relation;
  const table = writtenTable(bare, start);
  const named = alias?.aliasname ?? relation.relname ?? "";
  const key = bareName(table);
  const place = withName(table.place, named, alias !== undefined || key !== named);
  const begun = call(start.names.start, "insertInto", literal(key, 1));
  const filled = filledBy(begun, insert, { ...table, place });
  const resolved = conflictCalls(filled, insert.onConflictClause, place);
  return insertedCalls(resolved, insert.returningClause, place);
}

/** Kysely gives the table no alias here: its own name serves, also behind a schema. */
function bareName({ item }: WrittenTable): string {
  if (item.text === undefined) throw new NoWords("a table whose name Kysely would take apart");
  return item.text.replace(/ as .*$/, "");
}

/** Under an alias, Kysely knows the columns by themselves only; behind a schema, under both names. */
function withName(place: Place, named: string, aliased: boolean): Place {
  const sources = place.frame.sources.map((source) => ({
    ...source,
    alias: named,
    key: named,
    unqualified: aliased,
  }));
  return { ...place, frame: { ...place.frame, sources } };
}

function filledBy(on: Chain, insert: InsertStmt, table: WrittenTable): Chain {
  const { selectStmt, cols = [], override, relation } = insert;
  const plain = override === undefined || override === "OVERRIDING_NOT_SET";
  const aliased = relation?.alias?.aliasname;
  if (plain && aliased === undefined) {
    if (selectStmt === undefined) return call(on, "defaultValues");
    const listed = listedColumns(cols, table);
    const worded = listed && wordedInsert(on, listed, selectStmt, table);
    if (worded !== undefined) return worded;
  }
  return call(on, "expression", withBuilder(insertText(insert, table.place), table.place));
}

/** The columns by name; undefined when one is a part of a column, or Kysely does not know it. */
function listedColumns(
  cols: readonly Node[],
  { item }: WrittenTable,
): readonly string[] | undefined {
  const names = cols.map((each) => {
    const target: ResTarget = "ResTarget" in each ? each.ResTarget : {};
    const name = target.name ?? "";
    const known = item.source.columns?.has(name) !== false && isPlain(name);
    return target.indirection === undefined && known ? name : undefined;
  });
  return names.every((each) => each !== undefined) ? names : undefined;
}

function wordedInsert(
  on: Chain,
  listed: readonly string[],
  source: Node,
  table: WrittenTable,
): Chain | undefined {
  if (!("SelectStmt" in source)) throw new NoWords("INSERT of what is no query");
  const select = source.SelectStmt;
  if (select.valuesLists !== undefined) return valuesCall(on, listed, select, table);
  const { place } = table;
  const inside = startInside(place);
  // The rows come from a query of its own: it does not see the table.
  const start = { ...inside, outer: place.frame.outer, seesOuter: place.frame.seesOuter };
  const { chain } = place.say.query(select, start);
  const named = listed.length === 0 ? on : columnsCall(on, listed);
  return call(named, "expression", withBuilder(chain, place));
}

/**
 * One row as an object, when every column that Kysely wants is in it. Several rows are spelled out: in a list of objects, TypeScript takes any key.
 */
function valuesCall(
  on: Chain,
  listed: readonly string[],
  select: SelectStmt,
  { item, place }: WrittenTable,
): Chain | undefined {
  const plain = !(select.withClause ?? select.sortClause ?? select.limitCount);
  const required = item.required ?? [];
  const rows = select.valuesLists ?? [];
  if (listed.length === 0 || !plain || !required.every((each) => listed.includes(each)))
    return undefined;
  if (rows.length > 1) {
    const rest = template(valuesWords(rows, outside(place)));
    return call(columnsCall(on, listed), "expression", withBuilder(rest, place));
  }
  const record = rowRecord(rows[0], listed, item, outside(place));
  return record === undefined ? undefined : call(on, "values", record);
}

function rowRecord(
  row: Node | undefined,
  listed: readonly string[],
  { source }: TableItem,
  place: Place,
): Chain | undefined {
  const items = row !== undefined && "List" in row ? (row.List.items ?? []) : [];
  if (items.length !== listed.length) return undefined;
  const assigned = items.map((each, index) => {
    const name = listed[index] ?? "";
    return {
      kind: "one" as const,
      name,
      value: assignedValue(each, name, source, place),
    };
  });
  return recordOf(assigned, place);
}

function columnsCall(on: Chain, listed: readonly string[]): Chain {
  return call(on, "columns", list(listed.map((each) => columnName(each))));
}
