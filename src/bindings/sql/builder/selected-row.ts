/**
 * Infers the row type of a chain as TypeScript does, as far as it comes from the Database
 * interface.
 */
import { pgCatalogOf, relationOf } from "../database/pg-catalog.js";
import type { Relation, Snapshot } from "../database/snapshot.js";
import { type SqlType, sqlTypeOf } from "../types/sql-type.js";
import type { Chain } from "./chain.js";
import { isInDatabase } from "./relations.js";

/**
 * Finds the selected columns whose types Kysely takes unchanged from the Database interface. These
 * are plain references to columns of tables, also through joins, common table expressions and
 * queries in FROM. For anything else, such as a cast, the generated code itself states the type, so
 * `tsc` can't detect a change of the schema.
 */
export function selectedRow(chain: Chain, snapshot: Snapshot): SelectedRow {
  const nothing: Scope = { database: databaseRows(snapshot), ctes: new Map(), tables: new Map() };
  return readQuery(chain, new Map([["db", nothing]]))?.row ?? new Map();
}

/** A partly built query. */
interface Query extends Scope {
  /** False for a mere starting point such as `db`. */
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
    const added = tablesOfChain(first, query, variables, readRow);
    return { ...query, begun, tables: joinedTables(query.tables, added, method) };
  }
  if (method === "select" || method === "selectNoFrom" || method === "returning")
    return {
      ...query,
      begun,
      row: merged([...query.row, ...itemsOfChain(first, query, variables)]),
    };
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
  const name = literalName(named).replace(/\(.*$/s, "");
  // Inside its own query, a recursive query may have any columns.
  const itself = method === "withRecursive" ? [[name, undefined] as const] : [];
  const inside = { ...query, tables: new Map(), ctes: new Map([...query.ctes, ...itself]) };
  const row =
    body?.kind === "lambda" ? readRow(body.body, insideOf(body, inside, new Map())) : undefined;
  // If two have the same name, Kysely's type combines both.
  const known = query.ctes.has(name) ? undefined : row;
  return { ...query, ctes: new Map([...query.ctes, [name, known]]) };
}

type Item = readonly [name: string, column: SelectedColumn | undefined];

/** If two columns have the same name, Kysely's type combines both. */
function merged(items: readonly Item[]): SelectedRow {
  const row = new Map<string, SelectedColumn | undefined>();
  for (const [name, column] of items) row.set(name, row.has(name) ? undefined : column);
  return row;
}

function allOf(table: Chain | undefined, { tables }: Query): SelectedRow {
  if (table === undefined) return allColumns(tables);
  return tables.get(literalName(table)) ?? new Map();
}

function itemsOfChain(
  chain: Chain | undefined,
  scope: Scope,
  variables: Variables,
): readonly Item[] {
  if (chain === undefined) return [];
  if (chain.kind === "lambda")
    return itemsOfChain(chain.body, scope, insideOf(chain, scope, variables));
  const items = chain.kind === "list" ? chain.items : [chain];
  return items.map((item) => itemOf(item, scope, variables));
}

function itemOf(item: Chain, scope: Scope, variables: Variables): Item {
  if (item.kind === "call")
    return [literalName(item.arguments[0]), selectedValue(item.on, variables)];
  const [text, alias = text.slice(text.lastIndexOf(".") + 1)] = splitAlias(literalName(item));
  return [alias, columnNamed(text, scope)];
}

/** The column of `eb.ref("o.id")`, or of a query of one column, which may return no row. */
function selectedValue(chain: Chain, variables: Variables): SelectedColumn | undefined {
  if (chain.kind !== "call") return undefined;
  const { arguments: given, method, on } = chain;
  const scope = on.kind === "name" ? variables.get(on.name) : undefined;
  if (scope !== undefined && method === "ref" && given.length === 1)
    return columnNamed(literalName(given[0]), scope);
  const query = readQuery(chain, variables);
  const [column] = query?.begun === true && query.row.size === 1 ? query.row.values() : [];
  return column && { ...column, nullable: true };
}

/**
 * Tables that Kysely's types know at one place of a chain. An undefined row may have any columns.
 */
interface Scope {
  readonly database: ReadonlyMap<string, SelectedRow>;
  readonly ctes: ReadonlyMap<string, SelectedRow | undefined>;
  /** Visible tables by alias, including those of the queries around. */
  readonly tables: ReadonlyMap<string, SelectedRow | undefined>;
}

/** The row of a table or common table expression. */
function rowNamed(name: string, { ctes, database }: Scope): SelectedRow | undefined {
  // If both have the name, Kysely's type combines them.
  if (ctes.has(name)) return database.has(name) ? undefined : ctes.get(name);
  return database.get(name);
}

/** Splits `orders as o`, or `orders` alone. */
function splitAlias(text: string): readonly [what: string, alias: string | undefined] {
  const at = text.indexOf(" as ");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + " as ".length)];
}

/** Looks up `o.id` or `id`. */
function columnNamed(text: string, { tables }: Scope): SelectedColumn | undefined {
  const dot = text.lastIndexOf(".");
  if (dot >= 0) return tables.get(text.slice(0, dot))?.get(text.slice(dot + 1));
  return allColumns(tables).get(text);
}

/** The columns of all tables. If several tables have a column, Kysely's type combines theirs. */
function allColumns(tables: Scope["tables"]): SelectedRow {
  const rows = [...tables.values()];
  const all = new Map<string, SelectedColumn | undefined>();
  // A table that may have any columns may have each of these too.
  if (!rows.every((row) => row !== undefined)) return all;
  for (const [name, column] of rows.flatMap((row) => [...row]))
    all.set(name, all.has(name) ? undefined : column);
  return all;
}

/** Makes the columns of the optional side of an outer join nullable. */
function missing(row: SelectedRow | undefined): SelectedRow | undefined {
  if (row === undefined) return undefined;
  return new Map([...row].map(([name, column]) => [name, column && { ...column, nullable: true }]));
}

/** Scopes of the variables of the lambdas around. */
type Variables = ReadonlyMap<string, Scope>;

/** The variables inside a lambda that Kysely calls with a builder of that scope. */
function insideOf(
  { parameters }: Extract<Chain, { kind: "lambda" }>,
  scope: Scope,
  variables: Variables,
): Variables {
  return new Map([...variables, ...parameters.map((each) => [each, scope] as const)]);
}

/** The text of a literal, also inside `(cte) => cte("sold").materialized()`. */
function literalName(chain: Chain | undefined): string {
  if (chain?.kind === "literal") return String(chain.value);
  if (chain?.kind === "lambda") return literalName(chain.body);
  if (chain?.kind === "call") return literalName(chain.on);
  return chain?.kind === "apply" ? literalName(chain.arguments[0]) : "";
}

/** A table in FROM. */
type Table = readonly [alias: string, row: SelectedRow | undefined];

/** Reads the row of a query; undefined if it may have any columns. */
type ReadRow = (query: Chain, variables: Variables) => SelectedRow | undefined;

/** The tables in the argument of `.selectFrom` and similar methods. */
function tablesOfChain(
  chain: Chain | undefined,
  scope: Scope,
  variables: Variables,
  readRow: ReadRow,
): readonly Table[] {
  if (chain?.kind === "list")
    return chain.items.flatMap((each) => tablesOfChain(each, scope, variables, readRow));
  if (chain?.kind === "lambda")
    return tablesOfChain(chain.body, scope, insideOf(chain, scope, variables), readRow);
  if (chain?.kind === "literal") {
    const [name, alias = name] = splitAlias(String(chain.value));
    return [[alias, rowNamed(name, scope)]];
  }
  if (chain?.kind !== "call") return [];
  const { on, types } = chain;
  const labels = types?.[0];
  const alias = labels?.kind === "labels" ? (labels.of[0] ?? "") : literalName(chain.arguments[0]);
  if (on.kind !== "template") return [[alias, readRow(on, variables)]];
  return [[alias, on.type.kind === "row" ? scope.database.get(on.type.table) : undefined]];
}

/** The visible tables after `.leftJoin` and similar methods. */
function joinedTables(
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

/** A column whose type Kysely takes from the Database interface. */
interface SelectedColumn {
  readonly type: SqlType;
  /** True if Kysely's type includes null, or may. */
  readonly nullable: boolean;
}

/** Columns by name; undefined if the type is not taken unchanged from the Database interface. */
type SelectedRow = ReadonlyMap<string, SelectedColumn | undefined>;

const known = new WeakMap<Snapshot, ReadonlyMap<string, SelectedRow>>();

/** The rows of the Database interface, by the names of its tables. */
function databaseRows(snapshot: Snapshot): ReadonlyMap<string, SelectedRow> {
  const before = known.get(snapshot);
  if (before !== undefined) return before;
  const pgCatalog = pgCatalogOf(snapshot);
  const rows = new Map(
    snapshot.relations.filter(isInDatabase).flatMap((relation) => {
      const { name, schema } = relation;
      const row = rowOf(relation, snapshot);
      const full = [`${schema}.${name}`, row] as const;
      return relationOf({ relname: name }, pgCatalog) === relation ? [[name, row], full] : [full];
    }),
  );
  known.set(snapshot, rows);
  return rows;
}

function rowOf({ columns }: Relation, snapshot: Snapshot): SelectedRow {
  const { typeOf } = pgCatalogOf(snapshot);
  return new Map(
    columns.map(({ name, notNull, type }) => [
      name,
      { type: sqlTypeOf(typeOf, type), nullable: !notNull },
    ]),
  );
}
