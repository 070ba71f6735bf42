import type { Chain } from "../chain.js";
import type { SelectedRow } from "./database-rows.js";
import {
  insideOf,
  missing,
  nameOf,
  rowNamed,
  type Scope,
  splitAlias,
  type Variables,
} from "./scope.js";

/** A table in FROM. */
export type Table = readonly [alias: string, row: SelectedRow | undefined];

/** The row of a query; undefined for what may have any columns. */
export type ReadRow = (query: Chain, variables: Variables) => SelectedRow | undefined;

/** What `.selectFrom` and its like are given. */
export function tablesOf(
  chain: Chain | undefined,
  scope: Scope,
  variables: Variables,
  readRow: ReadRow,
): readonly Table[] {
  if (chain?.kind === "list")
    return chain.items.flatMap((each) => tablesOf(each, scope, variables, readRow));
  if (chain?.kind === "lambda")
    return tablesOf(chain.body, scope, insideOf(chain, scope, variables), readRow);
  if (chain?.kind === "literal") {
    const [name, alias = name] = splitAlias(String(chain.value));
    return [[alias, rowNamed(name, scope)]];
  }
  if (chain?.kind !== "call") return [];
  const { on, types } = chain;
  const labels = types?.[0];
  const alias = labels?.kind === "labels" ? (labels.of[0] ?? "") : nameOf(chain.arguments[0]);
  if (on.kind !== "template") return [[alias, readRow(on, variables)]];
  return [[alias, on.type.kind === "row" ? scope.database.get(on.type.table) : undefined]];
}

/** The tables in sight after `.leftJoin` and its like. */
export function joinedTables(
  before: ReadonlyMap<string, SelectedRow | undefined>,
  added: readonly Table[],
  method: string,
): ReadonlyMap<string, SelectedRow | undefined> {
  const mayMiss = (side: string) => method.startsWith(side) || method.startsWith("full");
  const left = mayMiss("right") ? allMissing([...before]) : before;
  const right = mayMiss("left") ? allMissing(added) : added;
  return new Map([...left, ...right]);
}

function allMissing(tables: readonly Table[]): readonly Table[] {
  return tables.map(([alias, row]) => [alias, missing(row)]);
}
