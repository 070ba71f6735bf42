/** Translates one item of FROM: a table, a subquery or a function, with its alias and columns. */
import type {
  Alias,
  Node,
  RangeFunction,
  RangeSubselect,
  RangeTableSample,
  RangeVar,
} from "@pgsql/types";
import { type PgCatalog, pgCatalogOf } from "../../database/pg-catalog.js";
import type { PgFunction } from "../../database/snapshot.js";
import { outputName } from "../../statement/output-name.js";
import { nodeOf } from "../../statement/tree.js";
import {
  call,
  type Chain,
  type ChainType,
  joinWords,
  literal,
  quoted,
  quotedList,
  sql,
  template,
  typedCall,
  unknownType,
  type Words,
  words,
} from "../chain.js";
import { namesOf, NoWords } from "../nodes.js";
import { type TranslationContext, type Query, startInside } from "../place.js";
import { findRelation, type FoundRelation, queryTypes } from "../relations.js";
import { type Columns, isPlain, type Source } from "../scope.js";

/** Translates one item of FROM; `place` has the tables that a lateral item may see. */
export function tableItem(node: Node, place: TranslationContext): TableItem {
  if ("RangeVar" in node) return relationItem(node.RangeVar, place);
  if ("RangeSubselect" in node) return subqueryItem(node.RangeSubselect, place);
  if ("RangeFunction" in node) return functionItem(node.RangeFunction, place);
  if ("RangeTableSample" in node) return sampleItem(node.RangeTableSample, place);
  return otherItem(node, place);
}

/** The name that PostgreSQL gives to a query in FROM without a name. */
export const UNNAMED = "unnamed_subquery";

function subqueryItem(range: RangeSubselect, place: TranslationContext): TableItem {
  if (range.subquery === undefined || !("SelectStmt" in range.subquery))
    throw new NoWords("a query in FROM other than SELECT");
  const inside = startInside(place);
  const { frame } = place;
  const start = range.lateral
    ? inside
    : { ...inside, outer: frame.outer, seesOuter: frame.seesOuter };
  const query = place.say.query(range.subquery.SelectStmt, start);
  return queryItem(query, range.alias, range.lateral ?? false, place);
}

function queryItem(
  query: Query,
  alias: Alias | undefined,
  lateral: boolean,
  { names: { facts } }: TranslationContext,
): TableItem {
  const named = alias?.aliasname ?? UNNAMED;
  const columns = withColumnAliases(query.columns, alias);
  const hidden = columns === undefined && alias?.colnames !== undefined;
  const source: Source = {
    alias: named,
    key: named,
    types: hidden ? "hidden" : queryTypes(columns, facts),
    columns,
  };
  const raw = query.chain.kind === "template";
  const row = columns === undefined ? hiddenRow : columnsType(columns);
  const whole = { source, tail: columnList(alias), row, lateral };
  if (raw) return { ...whole, head: words`(${query.chain})` };
  const head = words`${query.chain}`;
  return whole.tail.length === 0 ? { ...whole, head, query: query.chain } : { ...whole, head };
}

function functionItem(range: RangeFunction, place: TranslationContext): TableItem {
  const { head, alias, tail, columns, partial } = functionWords(range, place);
  const types = columns === undefined ? "hidden" : "checked";
  const source: Source = { alias, key: alias, types, columns, partial };
  return { source, head, tail, row: columns ? columnsType(columns) : hiddenRow, lateral: false };
}

/** `TABLESAMPLE` follows the table's alias. */
function sampleItem(sample: RangeTableSample, place: TranslationContext): TableItem {
  if (sample.relation === undefined || !("RangeVar" in sample.relation))
    throw new NoWords("a sample of something other than a table");
  const { text: _, ...item } = relationItem(sample.relation.RangeVar, place);
  const written = place.say.words(
    {
      RangeTableSample: {
        ...sample,
        relation: { RangeVar: { relname: "t", inh: true, relpersistence: "p" } },
      },
    },
    place,
  );
  return { ...item, tail: [...item.tail, ...withoutFirst(written, "t")] };
}

function withoutFirst(written: Words, start: string): Words {
  const [first = "", ...rest] = written;
  if (typeof first !== "string" || !first.startsWith(start))
    throw new NoWords("a part of FROM with this text");
  return [first.slice(start.length), ...rest];
}

function otherItem(node: Node, place: TranslationContext): TableItem {
  const fields: unknown = Object.values(node)[0];
  const alias = aliasIn(fields);
  if (alias?.aliasname === undefined) throw new NoWords("a part of FROM without an alias");
  // The same node without its alias, which is added separately.
  const bare = nodeOf(Object.keys(node)[0] ?? "", { ...Object(fields), alias: undefined });
  const source: Source = { alias: alias.aliasname, key: alias.aliasname, types: "hidden" };
  const head = place.say.words(bare, place);
  return { source, head, tail: columnList(alias), row: hiddenRow, lateral: false };
}

function aliasIn(fields: unknown): Alias | undefined {
  if (typeof fields !== "object" || fields === null || !("alias" in fields)) return undefined;
  // The `alias` of any node in FROM has this type.
  return fields.alias as Alias;
}

/** One item of FROM: a table, a query or a function. */
export interface TableItem {
  readonly source: Source;
  /** Further tables of a join that is one fragment. */
  readonly others?: readonly Source[];
  /** Columns that an INSERT must name. */
  readonly required?: readonly string[];
  /** Columns of a table that are never NULL. */
  readonly notNull?: ReadonlySet<string>;
  /** The item as a string for Kysely, `orders as o`; absent if it must be an expression. */
  readonly text?: string;
  /** A query in Kysely's own form, still without its alias. */
  readonly query?: Chain;
  /** Text before `as`. */
  readonly head: Words;
  /** Text after the alias: a list of columns, USING… */
  readonly tail: Words;
  /** The TypeScript type of its rows, for an expression. */
  readonly row: ChainType;
  /** True for a query with LATERAL. */
  readonly lateral: boolean;
}

/** The item as an argument for Kysely, followed by further text if given. */
export function tableChain(item: TableItem, after: Words = []): Chain {
  const tail = [...item.tail, ...after];
  const { alias } = item.source;
  if (tail.length === 0 && item.text !== undefined) return literal(item.text, 1);
  if (tail.length === 0 && item.query !== undefined) return call(item.query, "as", literal(alias));
  const head = template(item.head, item.row);
  const names: ChainType = { kind: "labels", of: [alias] };
  if (tail.length === 0) return call(head, "as", literal(alias));
  return typedCall(head, "as", [names], template([...quoted(alias), ...tail]));
}

/** Translates a table in FROM. */
export function relationItem(range: RangeVar, place: TranslationContext): TableItem {
  const { relname = "", schemaname, alias } = range;
  const bare = schemaname === undefined ? relname : `${schemaname}.${relname}`;
  // With an alias, PostgreSQL rejects references that use the table's name and schema.
  const open = alias === undefined && place.names.qualified.has(bare);
  const named = alias?.aliasname ?? (open ? bare : relname);
  const found = findRelation(range, place.names);
  const columns = withColumnAliases(found.columns, alias);
  const source = sourceOf(named, found, columns, alias);
  const table = schemaname === undefined ? [relname] : [schemaname, relname];
  const only = range.inh ? [] : ["only "];
  const whole = {
    source: open ? { ...source, alias: relname } : source,
    lateral: false,
    tail: columnList(alias),
    row: rowOf(found, alias, columns),
    required: found.required ?? [],
    notNull: found.notNull ?? new Set<string>(),
  };
  const head = words`${only}${tableName(table)}`;
  const simple = found.types !== "hidden" && only.length === 0 && alias?.colnames === undefined;
  const key = table.join(".");
  if (!simple || !(open || isPlain(named)) || !table.every(isPlain)) return { ...whole, head };
  // PostgreSQL assigns this alias in any case. With it, Kysely names columns as the author does.
  return { ...whole, head, text: named === key ? key : `${key} as ${named}` };
}

/**
 * The name of a table in a fragment. The type of its row names the table too, and `tsc` checks that
 * reference.
 */
function tableName(names: readonly string[]): Chain {
  if (names.every(isPlain)) return call(sql, "table", literal(names.join(".")));
  return call(sql, "id", ...names.map((each) => literal(each)));
}

function sourceOf(
  named: string,
  found: FoundRelation,
  columns: Columns | undefined,
  alias: Alias | undefined,
): Source {
  const types = alias?.colnames !== undefined && columns === undefined ? "hidden" : found.types;
  return { alias: named, key: named, types, columns };
}

function rowOf(
  found: FoundRelation,
  alias: Alias | undefined,
  columns: Columns | undefined,
): ChainType {
  if (found.types === "hidden") return hiddenRow;
  if (alias?.colnames === undefined && found.key !== undefined)
    return { kind: "row", table: found.key };
  return columns === undefined ? hiddenRow : columnsType(columns);
}

/** Type of a row with columns unknown to `tsc`. */
export const hiddenRow: ChainType = { kind: "columns", of: [] };

/** Type of a row with known columns. */
export function columnsType(columns: Columns): ChainType {
  return {
    kind: "columns",
    of: [...columns].map(([name, type]) => [name, type ?? unknownType]),
  };
}

/** The columns, renamed by the list of an alias, which may be shorter. */
function withColumnAliases(
  columns: Columns | undefined,
  alias: Alias | undefined,
): Columns | undefined {
  if (alias?.colnames === undefined) return columns;
  const names = namesOf(alias.colnames);
  if (columns === undefined) return undefined;
  // The known types leave out null. Behind a list of names Kysely has no other source for it, so
  // the types are unknown here.
  return new Map([...columns].map(([name], index) => [names[index] ?? name, unknownType]));
}

function columnList(alias: Alias | undefined): Words {
  const names = namesOf(alias?.colnames);
  return names.length === 0 ? [] : words`(${quotedList(names)})`;
}

interface TableFunction {
  readonly head: Words;
  readonly alias: string;
  /** Text after the alias: names or definitions of columns. */
  readonly tail: Words;
  /** Columns; undefined if only the function's definition states them. */
  readonly columns?: Columns | undefined;
  /** True if it may have more columns. */
  readonly partial: boolean;
}

/** Translates a function in FROM, with its ordinality and column definitions. */
function functionWords(range: RangeFunction, place: TranslationContext): TableFunction {
  const calls = (range.functions ?? []).map((each) => callWords(each, place));
  const [first] = calls;
  if (first === undefined) throw new NoWords("a malformed function in FROM");
  const one = range.is_rowsfrom ? words`rows from (${joinWords(calls, ", ")})` : first;
  const head = range.ordinality ? words`${one} with ordinality` : one;
  const alias = range.alias?.aliasname ?? functionAlias(range);
  const defined = (range.coldeflist ?? []).map((each) => columnDefinition(each, place));
  const tail = defined.length > 0 ? words`(${joinWords(defined, ", ")})` : columnList(range.alias);
  const { names, partial } = functionColumns(range, alias, place);
  const columns = new Map(names.map((each) => [each, unknownType]));
  return { head, alias, tail, columns, partial };
}

function callWords(node: Node, place: TranslationContext): Words {
  const [call, definitions] = "List" in node ? (node.List.items ?? []) : [];
  if (call === undefined) throw new NoWords("a malformed function in FROM");
  const written = place.say.words(call, place);
  const columns =
    definitions !== undefined && "List" in definitions ? (definitions.List.items ?? []) : [];
  if (columns.length === 0) return written;
  const defined = columns.map((each) => columnDefinition(each, place));
  return words`${written} as (${joinWords(defined, ", ")})`;
}

function columnDefinition(node: Node, place: TranslationContext): Words {
  if (!("ColumnDef" in node)) throw new NoWords("a malformed column");
  const { colname = "", typeName, collClause } = node.ColumnDef;
  if (typeName === undefined || collClause !== undefined) throw new NoWords("a column definition");
  return words`${quoted(colname)} ${place.say.words({ TypeName: typeName }, place)}`;
}

interface FunctionColumns {
  readonly names: readonly string[];
  /** True if only the function's definition states all columns. */
  readonly partial: boolean;
}

/** The columns of a function in FROM with an alias. */
function functionColumns(
  range: RangeFunction,
  alias: string,
  place: TranslationContext,
): FunctionColumns {
  const last = range.ordinality ? ["ordinality"] : [];
  const defined = definedNames(range);
  if (defined.length > 0) return { names: [...defined, ...last], partial: false };
  const listed = namesOf(range.alias?.colnames);
  const known = knownColumns(range, alias, place);
  if (known === undefined) return { names: listed.length > 0 ? listed : [alias], partial: true };
  const names = [...known, ...last].map((each, index) => listed[index] ?? each);
  return { names, partial: false };
}

/**
 * The columns that every function of that name returns; undefined if they depend on more than the
 * name.
 */
function knownColumns(
  range: RangeFunction,
  alias: string,
  place: TranslationContext,
): readonly string[] | undefined {
  const { snapshot } = place.names.facts;
  if (range.is_rowsfrom) return undefined;
  const call = firstCall(range);
  if (call === undefined || !("FuncCall" in call)) return undefined;
  const path = namesOf(call.FuncCall.funcname);
  if (snapshot === undefined) return ROW_COLUMNS.get(path.at(-1) ?? "");
  const pgCatalog = pgCatalogOf(snapshot);
  const overloads = pgCatalog
    .functions(path)
    .map((each) => outputColumnsOf(each, alias, pgCatalog));
  const [first] = overloads;
  return overloads.every((each) => each?.join() === first?.join()) ? first : undefined;
}

/**
 * The columns of a function: its OUT arguments whatever the alias, the fields of its composite
 * type, or a single column named like the alias.
 */
function outputColumnsOf(
  { outputs, returns }: PgFunction,
  alias: string,
  pgCatalog: PgCatalog,
): readonly string[] | undefined {
  if (outputs !== undefined) {
    const names = outputs.map(({ name }) => name);
    return names.includes("") ? undefined : names;
  }
  const type = pgCatalog.typeOf(returns);
  if (type?.fields !== undefined) return type.fields.map(({ name }) => name);
  // A polymorphic result may be a row; so may a domain.
  const single = type !== undefined && !["pseudo", "domain", "composite"].includes(type.kind);
  return single ? [alias] : undefined;
}

/** PostgreSQL's own functions whose row columns have fixed names. */
const ROW_COLUMNS: ReadonlyMap<string, readonly string[]> = new Map(
  ["json_each", "json_each_text", "jsonb_each", "jsonb_each_text"].map((each) => [
    each,
    ["key", "value"],
  ]),
);

/** The name that PostgreSQL gives to a function in FROM without an alias: the function's name. */
export function functionAlias(range: RangeFunction): string {
  const call = firstCall(range);
  const named = call === undefined ? undefined : outputName({ val: call });
  if (named === undefined || named === "?column?") throw new NoWords("a function without a name");
  return named;
}

function firstCall({ functions = [] }: RangeFunction): Node | undefined {
  const [first] = functions;
  return first !== undefined && "List" in first ? first.List.items?.[0] : undefined;
}

function definedNames({ coldeflist = [] }: RangeFunction): readonly string[] {
  return coldeflist.map((each) => ("ColumnDef" in each ? (each.ColumnDef.colname ?? "") : ""));
}
