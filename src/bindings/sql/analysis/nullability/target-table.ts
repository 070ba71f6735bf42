import type { RangeVar } from "@pgsql/types";
import { relationOf } from "../../database/catalog.js";
import type { Relation } from "../../database/snapshot.js";
import { castKeepsValues } from "../catalog/cast.js";
import { locationOf } from "../node.js";
import { mayBeMissing, NO_FACTS } from "./facts.js";
import { opaqueItem } from "./item.js";
import type { Analysis, Item, OutputColumn, ScopeColumn, Value } from "./model.js";
import { relationItem } from "./tables.js";

/** The table that a statement writes. */
export interface Target {
  readonly relation: Relation | undefined;
  /** Its rows as they are before the statement. */
  readonly item: Item;
  /** Whether what is known of the table holds for what RETURNING gives: not so for views and behind rules. */
  readonly plain: boolean;
  /** Whether the table keeps, and RETURNING gives, what the statement says: no trigger or rule may change it. */
  readonly keepsValues: boolean;
}

export function targetOf(variable: RangeVar | undefined, a: Analysis): Target {
  const relation = relationOf(variable, a.catalog);
  if (variable === undefined || relation === undefined)
    return {
      relation: undefined,
      item: opaqueItem(variable?.alias),
      plain: false,
      keepsValues: false,
    };
  a.record.relation(relation, "write", locationOf(variable));
  const item = relationItem(variable, relation, a);
  // What a view, a rule or a foreign table returns need not fit what can be selected from it.
  const stored = relation.kind === "table" || relation.kind === "partitioned";
  const plain = stored && relation.intercepted !== "by rules";
  return {
    relation,
    item: plain ? item : changed(item, (column) => ({ ...column, notNull: false })),
    plain,
    keepsValues: plain && relation.intercepted === "never",
  };
}

/** The item with some columns made others. */
export function changed(item: Item, change: (column: ScopeColumn) => ScopeColumn): Item {
  return { ...item, columns: item.columns?.map(change) };
}

/** Rows of which some need not exist. */
export function perhaps(item: Item, a: Analysis): Item {
  return mayBeMissing({ items: [item], facts: NO_FACTS }, a.newGroup()).items[0] ?? item;
}

/** The target's rows once values were written to some columns, by name. */
export function written(
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
    const never = value.null === "never" && castKeepsValues(a.catalog, value.type, stored.type);
    return never ? { ...column, notNull: true } : column;
  });
}

/** Notes that a statement writes columns of its target. */
export function recordWrites({ relation }: Target, names: readonly string[], a: Analysis): void {
  if (relation === undefined) return;
  for (const column of names)
    if (relation.columns.some(({ name }) => name === column))
      a.record.column({ relation, column }, "write");
}

/** What an INSERT of these columns gives each column of the table. */
export function valuesByName(
  names: readonly string[],
  columns: readonly OutputColumn[] | undefined,
): ReadonlyMap<string, Value> {
  if (columns === undefined || columns.length > names.length) return new Map();
  return new Map(columns.flatMap(({ value }, place) => [[names[place] ?? "", value] as const]));
}
