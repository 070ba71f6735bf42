import type { InsertStmt, Node } from "@pgsql/types";
import { childrenOf } from "../../statement/tree.js";
import { fieldsOf } from "../node.js";
import { versionOf } from "./item.js";
import { lateralScope } from "./lateral.js";
import { NO_FACTS } from "./facts.js";
import type { Analysis, Item, Output, Scope } from "./model.js";
import { returned } from "./returning.js";
import { changed, perhaps, recordWrites, targetOf, valuesByName, written } from "./target-table.js";

/** An INSERT: its RETURNING gives the stored row. */
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
  // Where a conflict updates, the row returned may be the one that was there.
  const indirect = insert.cols?.some(
    (each) => fieldsOf(each, "ResTarget")?.indirection !== undefined,
  );
  const values = valuesByName(names, updates || indirect === true ? undefined : source);
  const item = written(target, values, a);
  const scope = lateralScope(around, { items: [item], facts: NO_FACTS });
  return returned(insert.returningClause, scope, { old: perhaps(target.item, a), new: item }, a);
}

export function setNames(targets: readonly Node[] | undefined): readonly string[] {
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
