import type { Facts, Item, Rows, ScopeColumn } from "./model.js";

export const NO_FACTS: Facts = { columns: new Set(), groups: new Set() };

export const NO_ROWS: Rows = { items: [], facts: NO_FACTS };

/** All of these hold. */
export function allOf(facts: readonly Facts[]): Facts {
  const some = facts.filter(({ columns, groups }) => columns.size + groups.size > 0);
  if (some.length < 2) return some[0] ?? NO_FACTS;
  return {
    columns: new Set(some.flatMap(({ columns }) => [...columns])),
    groups: new Set(some.flatMap(({ groups }) => [...groups])),
  };
}

/** One of these holds, nobody knows which. */
export function anyOf([first = NO_FACTS, ...others]: readonly Facts[]): Facts {
  return {
    columns: new Set([...first.columns].filter((each) => others.every((o) => o.columns.has(each)))),
    groups: new Set([...first.groups].filter((each) => others.every((o) => o.groups.has(each)))),
  };
}

/** A column holds a value: so every outer join that might have emptied it found a match. */
export function isValue(column: ScopeColumn): Facts {
  return { columns: new Set([column]), groups: new Set(column.groups) };
}

export function hasValue(column: ScopeColumn, { columns, groups }: Facts): boolean {
  return columns.has(column) || (column.notNull && column.groups.every((each) => groups.has(each)));
}

/**
 * The rows as the side of an outer join that may be missing: what was proven of them now holds where `group` found a match, and no longer everywhere.
 * A column that stands in several items stays one column.
 */
export function mayBeMissing({ items, facts }: Rows, group: number): Rows {
  const made = new Map<ScopeColumn, ScopeColumn>();
  const extend = (column: ScopeColumn): ScopeColumn => {
    const before = made.get(column);
    if (before !== undefined) return before;
    const open = facts.columns.has(column)
      ? []
      : column.groups.filter((each) => !facts.groups.has(each));
    const notNull = column.notNull || facts.columns.has(column);
    const extended = { ...column, notNull, groups: [...open, group] };
    made.set(column, extended);
    return extended;
  };
  return { items: items.map((item) => mapColumns(item, extend)), facts: NO_FACTS };
}

function mapColumns(item: Item, map: (column: ScopeColumn) => ScopeColumn): Item {
  return {
    ...item,
    columns: item.columns?.map(map),
    hidden: item.hidden.map(map),
    row: map(item.row),
  };
}

/** Rows side by side, as a comma in FROM puts them. */
export function sideBySide(rows: readonly Rows[]): Rows {
  return {
    items: rows.flatMap(({ items }) => items),
    facts: allOf(rows.map(({ facts }) => facts)),
  };
}
