import type { DeleteStmt, MergeStmt, UpdateStmt } from "@pgsql/types";
import { fieldsOf } from "../node.js";
import { allOf, hasValue, mayBeMissing, NO_ROWS, sideBySide } from "./facts.js";
import { fromClause } from "./from.js";
import { setNames } from "./insert.js";
import { lateralScope } from "./lateral.js";
import type { Analysis, Item, Output, Rows, Scope, Value } from "./model.js";
import { returned } from "./returning.js";
import { changed, perhaps, recordWrites, type Target, targetOf, written } from "./target-table.js";

/** An UPDATE: its RETURNING gives the row as it is afterwards, beside the rows of FROM that led to it. */
export function queryUpdate(update: UpdateStmt, around: Scope, a: Analysis): Output {
  const target = targetOf(update.relation, a);
  const rows = sideBySide([rowsOf(target.item), fromClause(update.fromClause, around, a)]);
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

/** What WHERE proves of a column still holds when nothing wrote to it. */
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

/** A DELETE: its RETURNING gives the row that was there. */
export function queryDelete(remove: DeleteStmt, around: Scope, a: Analysis): Output {
  const target = targetOf(remove.relation, a);
  const rows = sideBySide([rowsOf(target.item), fromClause(remove.usingClause, around, a)]);
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

/** A MERGE: a row that was inserted has no old version, one that was deleted no new one, and one may have no source. */
export function queryMerge(merge: MergeStmt, around: Scope, a: Analysis): Output {
  const target = targetOf(merge.relation, a);
  const { sourceRelation, mergeWhenClauses = [] } = merge;
  const source =
    sourceRelation === undefined ? NO_ROWS : a.fromItem(sourceRelation, around, NO_ROWS);
  const scope = lateralScope(around, sideBySide([rowsOf(target.item), source]));
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
  // Here `*` gives the source first.
  const returning = lateralScope(around, sideBySide([beside, rowsOf(target.item)]));
  const version = perhaps(target.item, a);
  return returned(merge.returningClause, returning, { old: version, new: version }, a);
}

function rowsOf(item: Item): Rows {
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

/** The target's rows as WHERE found them. */
function provenItem({ item, plain }: Target, { facts }: Scope): Item {
  return changed(item, (column) => ({ ...column, notNull: plain && hasValue(column, facts) }));
}
