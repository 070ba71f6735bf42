import type { Alias } from "@pgsql/types";
import { type ChainType, unknownType } from "../chain.js";
import { namesOf } from "../nodes.js";
import type { Columns } from "../scope.js";
import { quotedList, type Words, words } from "../words.js";

/** Types of a row that `tsc` knows nothing of. */
export const hiddenRow: ChainType = { kind: "columns", of: [] };

/** A row's type from what is known of its columns. */
export function columnsType(columns: Columns): ChainType {
  return {
    kind: "columns",
    of: [...columns].map(([name, type]) => [name, type ?? unknownType]),
  };
}

/** The columns under the names of an alias' list, which may be shorter. */
export function renamed(
  columns: Columns | undefined,
  alias: Alias | undefined,
): Columns | undefined {
  if (alias?.colnames === undefined) return columns;
  const names = namesOf(alias.colnames);
  if (columns === undefined) return undefined;
  // Kysely keeps null in types; behind a list of names it knows only what is said here.
  return new Map([...columns].map(([name], index) => [names[index] ?? name, unknownType]));
}

export function columnList(alias: Alias | undefined): Words {
  const names = namesOf(alias?.colnames);
  return names.length === 0 ? [] : words`(${quotedList(names)})`;
}
