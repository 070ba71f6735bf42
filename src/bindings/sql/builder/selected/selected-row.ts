import type { Snapshot } from "../../database/snapshot.js";
import type { Chain } from "../chain.js";
import { databaseRows, type SelectedColumn, type SelectedRow } from "./database-rows.js";
import {
  allColumns,
  columnNamed,
  insideOf,
  nameOf,
  type Scope,
  splitAlias,
  type Variables,
} from "./scope.js";
import { joinedTables, type ReadRow, tablesOf } from "./tables.js";

/**
 * The columns that a statement's code selects and whose types Kysely takes from the Database interface as they stand there: plain references to columns
 * of tables, also through joins, common table expressions and queries in FROM. Of everything else, casts among it, `tsc` would only see what the generated
 * code says itself.
 */
export function selectedRow(chain: Chain, snapshot: Snapshot): SelectedRow {
  const nothing: Scope = { database: databaseRows(snapshot), ctes: new Map(), tables: new Map() };
  return readQuery(chain, new Map([["db", nothing]]))?.row ?? new Map();
}

/** A query as far as it is written. */
interface Query extends Scope {
  /** False for what is only a place to begin one. */
  readonly begun: boolean;
  readonly row: SelectedRow;
}

function readQuery(chain: Chain, variables: Variables): Query | undefined {
  if (chain.kind === "name") {
    const scope = variables.get(chain.name);
    return scope && { ...scope, begun: false, row: new Map() };
  }
  if (chain.kind !== "call") return undefined;
  const before = readQuery(chain.on, variables);
  return before && afterCall(before, chain, variables);
}

const readRow: ReadRow = (query, variables) => readQuery(query, variables)?.row;

const STARTS: ReadonlySet<string> = new Set(
  "selectFrom insertInto updateTable deleteFrom mergeInto".split(" "),
);
const FROM: ReadonlySet<string> = new Set([...STARTS, "from", "using"]);
const JOIN = /^(?:inner|left|right|full|cross)Join/;

function afterCall(
  query: Query,
  { arguments: given, method }: Extract<Chain, { kind: "call" }>,
  variables: Variables,
): Query {
  const [first, second] = given;
  if (method === "with" || method === "withRecursive") return withCte(query, first, second, method);
  const begun = query.begun || STARTS.has(method) || method === "selectNoFrom";
  if (FROM.has(method) || JOIN.test(method)) {
    const added = tablesOf(first, query, variables, readRow);
    return { ...query, begun, tables: joinedTables(query.tables, added, method) };
  }
  if (method === "select" || method === "selectNoFrom" || method === "returning")
    return { ...query, begun, row: merged([...query.row, ...itemsOf(first, query, variables)]) };
  if (method === "selectAll" || method === "returningAll")
    return { ...query, row: merged([...query.row, ...allOf(first, query)]) };
  if (!method.startsWith("$")) return query;
  return { ...query, row: new Map([...query.row.keys()].map((name) => [name, undefined])) };
}

function withCte(
  query: Query,
  named: Chain | undefined,
  body: Chain | undefined,
  method: string,
): Query {
  const name = nameOf(named).replace(/\(.*$/s, "");
  // Inside its own query, a recursive one may have any columns.
  const itself = method === "withRecursive" ? [[name, undefined] as const] : [];
  const inside = { ...query, tables: new Map(), ctes: new Map([...query.ctes, ...itself]) };
  const row =
    body?.kind === "lambda" ? readRow(body.body, insideOf(body, inside, new Map())) : undefined;
  // Of one name twice, Kysely's type is of both at once.
  const known = query.ctes.has(name) ? undefined : row;
  return { ...query, ctes: new Map([...query.ctes, [name, known]]) };
}

type Item = readonly [name: string, column: SelectedColumn | undefined];

/** Of two columns of one name, Kysely's type is of both at once. */
function merged(items: readonly Item[]): SelectedRow {
  const row = new Map<string, SelectedColumn | undefined>();
  for (const [name, column] of items) row.set(name, row.has(name) ? undefined : column);
  return row;
}

function allOf(table: Chain | undefined, { tables }: Query): SelectedRow {
  if (table === undefined) return allColumns(tables);
  return tables.get(nameOf(table)) ?? new Map();
}

function itemsOf(chain: Chain | undefined, scope: Scope, variables: Variables): readonly Item[] {
  if (chain === undefined) return [];
  if (chain.kind === "lambda") return itemsOf(chain.body, scope, insideOf(chain, scope, variables));
  const items = chain.kind === "list" ? chain.items : [chain];
  return items.map((item) => itemOf(item, scope, variables));
}

function itemOf(item: Chain, scope: Scope, variables: Variables): Item {
  if (item.kind === "call") return [nameOf(item.arguments[0]), valueOf(item.on, variables)];
  const [text, alias = text.slice(text.lastIndexOf(".") + 1)] = splitAlias(nameOf(item));
  return [alias, columnNamed(text, scope)];
}

/** `eb.ref("o.id")`, or a query of one column, which may give no row. */
function valueOf(chain: Chain, variables: Variables): SelectedColumn | undefined {
  if (chain.kind !== "call") return undefined;
  const { arguments: given, method, on } = chain;
  const scope = on.kind === "name" ? variables.get(on.name) : undefined;
  if (scope !== undefined && method === "ref" && given.length === 1)
    return columnNamed(nameOf(given[0]), scope);
  const query = readQuery(chain, variables);
  const [column] = query?.begun === true && query.row.size === 1 ? query.row.values() : [];
  return column && { ...column, nullable: true };
}
