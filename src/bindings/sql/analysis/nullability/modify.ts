/**
 * Analyzes INSERT, UPDATE, DELETE and MERGE: the rows that they write, and the columns of
 * RETURNING.
 */
import type {
  DeleteStmt,
  InsertStmt,
  MergeStmt,
  Node,
  RangeVar,
  ReturningClause,
  UpdateStmt,
} from "@pgsql/types";
import { relationOf } from "../../database/pg-catalog.js";
import type { Relation } from "../../database/snapshot.js";
import { childrenOf, fieldsOf, locationOf } from "../../statement/tree.js";
import { castKeepsValues } from "../value-type.js";
import { fromClause, relationItem } from "./from.js";
import {
  allOf,
  type Analysis,
  hasValue,
  type Item,
  lateralScope,
  mayBeMissing,
  NO_FACTS,
  NO_ROWS,
  opaqueItem,
  type Output,
  type OutputColumn,
  type Rows,
  type Scope,
  type ScopeColumn,
  sideBySide,
  type Value,
  versionOf,
} from "./model.js";
import { outputOf } from "./select.js";

/**
 * Analyzes an UPDATE. Its RETURNING gives the updated row, and the rows of FROM that matched it.
 */
export function queryUpdate(update: UpdateStmt, around: Scope, a: Analysis): Output {
  const target = targetOf(update.relation, a);
  const rows = sideBySide([rowsOfItem(target.item), fromClause(update.fromClause, around, a)]);
  const scope = filtered(rows, update.whereClause, around, a);
  recordWrites(target, setNames(update.targetList), a);
  const values = new Map<string, Value>();
  for (const each of update.targetList ?? []) {
    const { name = "", val, indirection } = fieldsOf(each, "ResTarget") ?? {};
    const value = a.infer(val, scope);
    values.set(name, indirection === undefined ? value : { ...value, null: "maybe" });
  }
  const old = provenItem(target, scope);
  const kept = changed(target.item, (column) => keptBy(target, column, scope, values));
  const item = written({ ...target, item: kept }, values, a);
  const items = [item, ...scope.items.slice(1)];
  return returned(update.returningClause, { ...scope, items }, { old, new: item }, a);
}

/** Keeps facts that WHERE proved about a column if the statement doesn't write the column. */
function keptBy(
  { relation, keepsValues }: Target,
  column: NonNullable<Item["columns"]>[number],
  scope: Scope,
  values: ReadonlyMap<string, Value>,
): NonNullable<Item["columns"]>[number] {
  const name = column.origin?.column ?? "";
  const generated = relation?.columns.some((each) => each.name === name && each.generated);
  const untouched = keepsValues && generated === false && !values.has(name);
  return untouched && hasValue(column, scope.facts) ? { ...column, notNull: true } : { ...column };
}

/** Analyzes a DELETE. Its RETURNING gives the deleted row. */
export function queryDelete(remove: DeleteStmt, around: Scope, a: Analysis): Output {
  const target = targetOf(remove.relation, a);
  const rows = sideBySide([rowsOfItem(target.item), fromClause(remove.usingClause, around, a)]);
  const scope = filtered(rows, remove.whereClause, around, a);
  const item = provenItem(target, scope);
  const items = [item, ...scope.items.slice(1)];
  return returned(
    remove.returningClause,
    { ...scope, items },
    { old: item, new: perhaps(item, a) },
    a,
  );
}

/**
 * Analyzes a MERGE. An inserted row has no old version, a deleted row has no new one, and a row may
 * have no source.
 */
export function queryMerge(merge: MergeStmt, around: Scope, a: Analysis): Output {
  const target = targetOf(merge.relation, a);
  const { sourceRelation, mergeWhenClauses = [] } = merge;
  const source =
    sourceRelation === undefined ? NO_ROWS : a.fromItem(sourceRelation, around, NO_ROWS);
  const scope = lateralScope(around, sideBySide([rowsOfItem(target.item), source]));
  a.infer(merge.joinCondition, scope);
  const clauses = mergeWhenClauses.map((each) => fieldsOf(each, "MergeWhenClause"));
  for (const clause of clauses) {
    const { condition, targetList = [], values = [] } = clause ?? {};
    for (const each of [
      condition,
      ...targetList.map((each) => fieldsOf(each, "ResTarget")?.val),
      ...values,
    ])
      a.infer(each, scope);
    const all = target.relation?.columns.map(({ name }) => name).slice(0, values.length) ?? [];
    const listed =
      clause?.targetList === undefined && values.length > 0 ? all : setNames(targetList);
    recordWrites(target, listed, a);
  }
  const missing = clauses.some((each) => each?.matchKind === "MERGE_WHEN_NOT_MATCHED_BY_SOURCE");
  const beside = missing ? mayBeMissing(source, a.newGroup()) : source;
  // In MERGE, `*` lists the source first.
  const returning = lateralScope(around, sideBySide([beside, rowsOfItem(target.item)]));
  const version = perhaps(target.item, a);
  return returned(merge.returningClause, returning, { old: version, new: version }, a);
}

function rowsOfItem(item: Item): Rows {
  return { ...NO_ROWS, items: [item] };
}

function filtered(
  rows: Rows,
  where: Parameters<Analysis["infer"]>[0],
  around: Scope,
  a: Analysis,
): Scope {
  const scope = lateralScope(around, rows);
  a.infer(where, scope);
  return { ...scope, facts: allOf([scope.facts, a.prove(where, scope, "true")]) };
}

/** The target's rows, with the facts of WHERE. */
function provenItem({ item, plain }: Target, { facts }: Scope): Item {
  return changed(item, (column) => ({ ...column, notNull: plain && hasValue(column, facts) }));
}

/** Analyzes an INSERT. Its RETURNING gives the stored row. */
export function queryInsert(insert: InsertStmt, around: Scope, a: Analysis): Output {
  const target = targetOf(insert.relation, a);
  const source =
    insert.selectStmt === undefined ? undefined : a.query(insert.selectStmt, around).columns;
  const listed = insert.cols?.map((each) => fieldsOf(each, "ResTarget")?.name ?? "");
  const all = target.relation?.columns.map(({ name }) => name) ?? [];
  const names = listed ?? all.slice(0, source?.length);
  recordWrites(target, insert.selectStmt === undefined ? [] : names, a);
  const updates = insert.onConflictClause?.action === "ONCONFLICT_UPDATE";
  lookAtConflict(insert, target.item, around, a);
  recordWrites(target, updates ? setNames(insert.onConflictClause?.targetList) : [], a);
  // If a conflict updates, the returned row may be the existing one.
  const indirect = insert.cols?.some(
    (each) => fieldsOf(each, "ResTarget")?.indirection !== undefined,
  );
  const values = valuesByName(names, updates || indirect === true ? undefined : source);
  const item = written(target, values, a);
  const scope = lateralScope(around, { items: [item], facts: NO_FACTS });
  return returned(insert.returningClause, scope, { old: perhaps(target.item, a), new: item }, a);
}

function setNames(targets: readonly Node[] | undefined): readonly string[] {
  return (targets ?? []).map((each) => fieldsOf(each, "ResTarget")?.name ?? "");
}

function lookAtConflict(
  { onConflictClause: clause }: InsertStmt,
  item: Item,
  around: Scope,
  a: Analysis,
): void {
  if (clause === undefined) return;
  const proposed = changed(item, (column) => ({ ...column, notNull: false }));
  const excluded = versionOf(proposed, "excluded");
  const scope = lateralScope(around, { items: [item, excluded], facts: NO_FACTS });
  const { targetList = [], whereClause, infer } = clause;
  for (const each of targetList) a.infer(fieldsOf(each, "ResTarget")?.val, scope);
  a.infer(whereClause, scope);
  for (const each of infer === undefined ? [] : childrenOf({ InferClause: infer })) {
    const { name } = fieldsOf(each, "IndexElem") ?? {};
    a.infer(
      name === undefined ? each : { ColumnRef: { fields: [{ String: { sval: name } }] } },
      scope,
    );
  }
}

/** The columns of a RETURNING clause, including `old` and `new`; empty without the clause. */
function returned(
  clause: ReturningClause | undefined,
  scope: Scope,
  { old, new: now }: { readonly old: Item; readonly new: Item },
  a: Analysis,
): Output {
  if (clause === undefined) return { columns: [], oneRow: false };
  const names = { old: "old", new: "new" };
  for (const each of clause.options ?? []) {
    const { option, value = "" } = fieldsOf(each, "ReturningOption") ?? {};
    names[option === "RETURNING_OPTION_OLD" ? "old" : "new"] = value;
  }
  const taken = (name: string) => scope.items.some((each) => each.byName && each.name === name);
  const versions = [versionOf(old, names.old), versionOf(now, names.new)];
  const items = versions.filter(({ name = "" }) => !taken(name));
  return {
    columns: outputOf(clause.exprs, { ...scope, items: [...scope.items, ...items] }, a),
    oneRow: false,
  };
}

/** The table that a statement writes. */
interface Target {
  readonly relation: Relation | undefined;
  /** Its rows before the statement. */
  readonly item: Item;
  /**
   * True if constraints of the table apply to the rows of RETURNING. They don't for views and
   * tables with rules.
   */
  readonly plain: boolean;
  /**
   * True if the table stores the written values unchanged: it has no trigger or rule that may
   * change them.
   */
  readonly keepsValues: boolean;
}

export function targetOf(variable: RangeVar | undefined, a: Analysis): Target {
  const relation = relationOf(variable, a.pgCatalog);
  if (variable === undefined || relation === undefined)
    return {
      relation: undefined,
      item: opaqueItem(variable?.alias),
      plain: false,
      keepsValues: false,
    };
  a.record.relation(relation, "write", locationOf(variable));
  const item = relationItem(variable, relation, a);
  // Rows returned by a view, a rule or a foreign table may differ from those that a SELECT gives.
  const stored = relation.kind === "table" || relation.kind === "partitioned";
  const plain = stored && relation.intercepted !== "by rules";
  return {
    relation,
    item: plain ? item : changed(item, (column) => ({ ...column, notNull: false })),
    plain,
    keepsValues: plain && relation.intercepted === "never",
  };
}

/** Copies an item with changed columns. */
function changed(item: Item, change: (column: ScopeColumn) => ScopeColumn): Item {
  return { ...item, columns: item.columns?.map(change) };
}

/** Rows that may not exist. */
function perhaps(item: Item, a: Analysis): Item {
  return mayBeMissing({ items: [item], facts: NO_FACTS }, a.newGroup()).items[0] ?? item;
}

/** The target's rows after values were written to some columns, by name. */
function written(
  { relation, item, keepsValues }: Target,
  values: ReadonlyMap<string, Value>,
  a: Analysis,
): Item {
  return changed(item, (column) => {
    const name = column.origin?.column;
    const stored = relation?.columns.find((each) => each.name === name);
    const value = name === undefined ? undefined : values.get(name);
    if (stored === undefined || value === undefined || !keepsValues || stored.generated)
      return column;
    const never = value.null === "never" && castKeepsValues(a.pgCatalog, value.type, stored.type);
    return never ? { ...column, notNull: true } : column;
  });
}

/** Records that a statement writes columns of its target. */
function recordWrites({ relation }: Target, names: readonly string[], a: Analysis): void {
  if (relation === undefined) return;
  for (const column of names)
    if (relation.columns.some(({ name }) => name === column))
      a.record.column({ relation, column }, "write");
}

/** The values that an INSERT gives to columns, by name. */
function valuesByName(
  names: readonly string[],
  columns: readonly OutputColumn[] | undefined,
): ReadonlyMap<string, Value> {
  if (columns === undefined || columns.length > names.length) return new Map();
  return new Map(columns.flatMap(({ value }, place) => [[names[place] ?? "", value] as const]));
}
