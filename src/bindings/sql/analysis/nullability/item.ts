import type { Alias } from "@pgsql/types";
import { namesIn } from "../node.js";
import type { Columns, Item, ScopeColumn } from "./model.js";

interface More {
  /** Its name when no alias gives it another. */
  readonly name?: string | undefined;
  readonly schema?: string | undefined;
  readonly hidden?: readonly ScopeColumn[];
  /** A row of it is never NULL as a whole. */
  readonly rowIsValue?: boolean;
}

/** A FROM item, with the names that its alias gives it and its first columns. */
export function makeItem(
  alias: Alias | undefined,
  columns: readonly ScopeColumn[] | undefined,
  { name, schema, hidden = [], rowIsValue = false }: More = {},
): Item {
  const names = namesIn(alias?.colnames);
  const called = alias?.aliasname ?? name;
  return {
    ...(called === undefined ? {} : { name: called }),
    ...(schema === undefined || alias !== undefined ? {} : { schema }),
    columns: columns?.map((each, place) => rename(each, names[place])),
    hidden,
    row: { name: called ?? "", type: undefined, notNull: rowIsValue, groups: [] },
    byName: called !== undefined,
    bare: true,
  };
}

function rename(column: ScopeColumn, name: string | undefined): ScopeColumn {
  return name === undefined ? column : { ...column, name };
}

/** An item of which nothing is known: its columns could have any name. */
export function opaqueItem(alias?: Alias): Item {
  return makeItem(alias, undefined);
}

/** The columns of a query as those who select from it see them. */
export function scopeColumns(columns: Columns): readonly ScopeColumn[] | undefined {
  return columns?.map(({ name, value }) => ({
    name,
    type: value.type,
    notNull: value.null === "never",
    groups: [],
  }));
}

/** The same rows under a name by which alone they are found: `old`, `excluded`. */
export function versionOf({ columns, hidden, row }: Item, name: string): Item {
  return { name, columns, hidden, row, byName: true, bare: false };
}
