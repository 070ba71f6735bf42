/**
 * Translates INSERT, with objects if Kysely can take them and otherwise as text, and ON CONFLICT.
 */
import type {
  IndexElem,
  InferClause,
  InsertStmt,
  Node,
  OnConflictClause,
  ResTarget,
  SelectStmt,
} from "@pgsql/types";
import {
  call,
  type Chain,
  joinWords,
  lambda,
  list,
  literal,
  name,
  quoted,
  template,
  type Words,
  words,
} from "../chain.js";
import { NoWords } from "../nodes.js";
import {
  type TranslationContext,
  type Query,
  type QueryStart,
  startInside,
  withBuilder,
} from "../place.js";
import { extend, isPlain, type Source } from "../scope.js";
import {
  assignedValue,
  columnName,
  columnPath,
  readAssignments,
  recordOf,
  type WrittenTable,
  writtenTable,
} from "./assignments.js";
import { conditionCalls } from "./condition.js";
import { valuesWords } from "./select.js";
import type { TableItem } from "./table.js";
import { insertedCalls } from "./targets.js";

/** Translates INSERT. */
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

/** The table's own name, because Kysely's INSERT takes no alias here. */
function bareName({ item }: WrittenTable): string {
  if (item.text === undefined) throw new NoWords("a table whose name Kysely would split");
  return item.text.replace(/ as .*$/, "");
}

/**
 * Renames the target. With an alias, Kysely knows its columns only unqualified; with a schema, in
 * both ways.
 */
function withName(place: TranslationContext, named: string, aliased: boolean): TranslationContext {
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
    const listed = insertedColumnNames(cols, table);
    const worded = listed && wordedInsert(on, listed, selectStmt, table);
    if (worded !== undefined) return worded;
  }
  return call(on, "expression", withBuilder(insertText(insert, table.place), table.place));
}

/** The columns by name; undefined if one is a part of a column, or unknown to Kysely. */
function insertedColumnNames(
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
  if (!("SelectStmt" in source)) throw new NoWords("INSERT from something other than a query");
  const select = source.SelectStmt;
  if (select.valuesLists !== undefined) return valuesCall(on, listed, select, table);
  const { place } = table;
  const inside = startInside(place);
  // The query that gives the rows doesn't see the written table.
  const start = { ...inside, outer: place.frame.outer, seesOuter: place.frame.seesOuter };
  const { chain } = place.say.query(select, start);
  const named = listed.length === 0 ? on : columnsCall(on, listed);
  return call(named, "expression", withBuilder(chain, place));
}

/**
 * Emits one row as an object if it contains every column that Kysely requires. Several rows become
 * text, because TypeScript accepts any key in a list of objects.
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
  place: TranslationContext,
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

/** The context of INSERT's values, which see no columns of the table. */
function outside(place: TranslationContext): TranslationContext {
  return { ...place, frame: { ...place.frame, sources: [] } };
}

const OVERRIDES: Readonly<Record<string, string>> = {
  OVERRIDING_SYSTEM_VALUE: "overriding system value ",
  OVERRIDING_USER_VALUE: "overriding user value ",
};

/** The text after the table's name. */
function insertText(insert: InsertStmt, place: TranslationContext): Chain {
  const { cols = [], selectStmt, override, relation } = insert;
  const alias = relation?.alias?.aliasname;
  const named: Words = alias === undefined ? [] : words`as ${quoted(alias)} `;
  const columns = cols.map((each) => {
    if (!("ResTarget" in each)) throw new NoWords("a malformed column");
    return columnPath(each.ResTarget, place);
  });
  const listed = columns.length === 0 ? [] : words`(${joinWords(columns, ", ")}) `;
  const overriding = [OVERRIDES[override ?? ""] ?? ""];
  return template(words`${named}${listed}${overriding}${sourceWords(selectStmt, place)}`);
}

function sourceWords(source: Node | undefined, place: TranslationContext): Words {
  if (source === undefined) return ["default values"];
  if (!("SelectStmt" in source)) throw new NoWords("INSERT from something other than a query");
  const { valuesLists, withClause, sortClause, limitCount } = source.SelectStmt;
  const plain = !(withClause ?? sortClause ?? limitCount);
  if (valuesLists !== undefined && plain) return valuesWords(valuesLists, outside(place));
  const inside = startInside(place);
  const start = { ...inside, outer: place.frame.outer, seesOuter: place.frame.seesOuter };
  return words`${place.say.query(source.SelectStmt, start).chain}`;
}

/** Translates ON CONFLICT. */
function conflictCalls(
  on: Chain,
  clause: OnConflictClause | undefined,
  place: TranslationContext,
): Chain {
  if (clause === undefined) return on;
  const target = inferCalls(name("oc"), clause.infer, place);
  const action =
    clause.action === "ONCONFLICT_NOTHING"
      ? call(target, "doNothing")
      : update(target, clause, place);
  return call(on, "onConflict", lambda("oc", action));
}

function inferCalls(on: Chain, infer: InferClause | undefined, place: TranslationContext): Chain {
  if (infer === undefined) return on;
  if (infer.conname !== undefined) return call(on, "constraint", literal(infer.conname));
  const elements = (infer.indexElems ?? []).map(indexElement);
  const columns = elements.map(plainColumn);
  const known = place.frame.sources[0]?.columns;
  const worded = columns.every((each) => each !== undefined && known?.has(each) !== false);
  const named = worded
    ? columnCalls(
        on,
        columns.map((each) => literal(each ?? "", 1)),
      )
    : call(on, "expression", expression(elements, place));
  return conditionCalls(named, "where", infer.whereClause, place);
}

function columnCalls(on: Chain, columns: readonly Chain[]): Chain {
  const [only, ...others] = columns;
  return only !== undefined && others.length === 0
    ? call(on, "column", only)
    : call(on, "columns", list(columns));
}

function indexElement(node: Node): IndexElem {
  if (!("IndexElem" in node)) throw new NoWords("a conflict target");
  return node.IndexElem;
}

function plainColumn({ name, collation, opclass }: IndexElem): string | undefined {
  const bare = collation === undefined && opclass === undefined;
  return name !== undefined && bare && isPlain(name) ? name : undefined;
}

/** Kysely takes no function of the builder here, so names inside are not checked. */
function expression(elements: readonly IndexElem[], place: TranslationContext): Chain {
  const sources = place.frame.sources.map((source) => ({ ...source, types: "hidden" as const }));
  const unchecked = { ...place, frame: { ...place.frame, sources } };
  const written: readonly Words[] = elements.map(({ name, expr, collation, opclass }) => {
    if (collation !== undefined || opclass !== undefined) throw new NoWords("an operator class");
    const node = expr ?? { ColumnRef: { fields: [{ String: { sval: name ?? "" } }] } };
    return expr === undefined
      ? unchecked.say.words(node, unchecked)
      : words`(${unchecked.say.words(node, unchecked)})`;
  });
  return template(joinWords(written, ", "));
}

function update(on: Chain, clause: OnConflictClause, place: TranslationContext): Chain {
  const [target] = place.frame.sources;
  if (target === undefined) throw new NoWords("ON CONFLICT without a table");
  const excluded: Source = { ...target, alias: "excluded", key: "excluded", unqualified: false };
  // An unqualified column is the table's own; `excluded` must be named.
  const both = { ...place, frame: extend(place.frame, [{ ...excluded, qualifiedOnly: true }]) };
  const record = recordOf(readAssignments(clause.targetList ?? [], target, both), both);
  if (record === undefined) throw new NoWords("ON CONFLICT that sets a part of a column");
  const updated = call(on, "doUpdateSet", record);
  return conditionCalls(updated, "where", clause.whereClause, both);
}
