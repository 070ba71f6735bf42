import type { Cast, Column, Operator, PgFunction, PgType, Relation } from "./snapshot.js";

/** A row of a catalogue query: every value as PostgreSQL writes it. */
type Row = Readonly<Record<string, string | null>>;

export function readType(row: Row): PgType {
  const schema = text(row, "schema");
  const kind = row["element"] ? "array" : lookUp(TYPE_KINDS, row, "kind");
  return {
    oid: number(row, "oid"),
    schema,
    name: text(row, "name"),
    kind,
    builtIn: schema === "pg_catalog",
    ...(kind === "array" ? { element: number(row, "element") } : {}),
    ...(kind === "enum" ? { labels: list<string>(row, "labels") } : {}),
    ...(kind === "domain" ? { base: number(row, "base"), notNull: bool(row, "not_null") } : {}),
    ...(kind === "domain" && row["modifier"] != null ? { modifier: number(row, "modifier") } : {}),
    ...(kind === "domain" && row["checks"] != null ? { checks: list<string>(row, "checks") } : {}),
    ...(row["behind"] == null ? {} : { behind: list<number>(row, "behind") }),
    ...(row["bounds"] == null ? {} : { bounds: number(row, "bounds") }),
    ...(kind === "composite" ? { fields: list<NamedType>(row, "fields").map(named) } : {}),
  };
}

export function readRelation(row: Row): Relation {
  const definition = row["definition"];
  return {
    oid: number(row, "oid"),
    schema: text(row, "schema"),
    name: text(row, "name"),
    kind: lookUp(RELATION_KINDS, row, "kind"),
    columns: list<ColumnRow>(row, "columns").map(readColumn),
    intercepted: lookUp(INTERCEPTIONS, row, "intercepted"),
    fillsRows: bool(row, "fills_rows"),
    ...(definition == null ? {} : { definition }),
    ...(row["evaluated"] == null ? {} : { evaluated: list<string>(row, "evaluated") }),
    ...(row["planned"] == null ? {} : { planned: list<string>(row, "planned") }),
    ...(row["behind"] == null ? {} : { behind: list<number>(row, "behind") }),
    ...(row["program"] == null ? {} : { program: true }),
  };
}

type ColumnRow = readonly [
  name: string,
  type: number,
  modifier: number,
  notNull: boolean,
  hasDefault: boolean,
  generated: boolean,
];

function readColumn([name, type, modifier, notNull, hasDefault, generated]: ColumnRow): Column {
  return { name, type, modifier, notNull, hasDefault, generated };
}

export function readFunction(row: Row): PgFunction {
  return {
    oid: number(row, "oid"),
    schema: text(row, "schema"),
    name: text(row, "name"),
    kind: lookUp(FUNCTION_KINDS, row, "kind"),
    arguments: text(row, "arguments").split(" ").filter(Boolean).map(Number),
    variadic: bool(row, "variadic"),
    defaults: number(row, "defaults"),
    ...(row["default_values"] == null ? {} : { defaultValues: row["default_values"] }),
    returns: number(row, "returns"),
    returnsSet: bool(row, "set"),
    volatility: lookUp(VOLATILITIES, row, "volatility"),
    strict: bool(row, "strict"),
    ...(row["outputs"] == null ? {} : { outputs: list<NamedType>(row, "outputs").map(named) }),
    ...(row["extension"] == null ? {} : { extension: row["extension"] }),
  };
}

export function readOperator(row: Row): Operator {
  return {
    schema: text(row, "schema"),
    name: text(row, "name"),
    left: number(row, "left"),
    right: number(row, "right"),
    result: number(row, "result"),
    function: number(row, "function"),
    ...(row["instead"] == null ? {} : { instead: list<number>(row, "instead") }),
  };
}

export function readCast(row: Row): Cast {
  return {
    source: number(row, "source"),
    target: number(row, "target"),
    function: number(row, "function"),
    context: lookUp(CONTEXTS, row, "context"),
  };
}

const TYPE_KINDS = {
  b: "base",
  c: "composite",
  d: "domain",
  e: "enum",
  m: "multirange",
  p: "pseudo",
  r: "range",
} as const;
const RELATION_KINDS = {
  f: "foreign",
  m: "materialized",
  p: "partitioned",
  r: "table",
  S: "sequence",
  v: "view",
} as const;
const INTERCEPTIONS = {
  never: "never",
  "by triggers": "by triggers",
  "by rules": "by rules",
} as const;
const FUNCTION_KINDS = { a: "aggregate", f: "function", p: "procedure", w: "window" } as const;
const VOLATILITIES = { i: "immutable", s: "stable", v: "volatile" } as const;
const CONTEXTS = { a: "assignment", e: "explicit", i: "implicit" } as const;

type NamedType = readonly [name: string, type: number];

function named([name, type]: NamedType): { readonly name: string; readonly type: number } {
  return { name, type };
}

function text(row: Row, column: string): string {
  const value = row[column];
  if (value == null) throw new Error(`the catalogue query gives no ${column}`);
  return value;
}

function number(row: Row, column: string): number {
  return Number(text(row, column));
}

function bool(row: Row, column: string): boolean {
  return text(row, column) === "t";
}

/** A JSON list of the query's own making, so its items are what the query puts there. */
function list<Item>(row: Row, column: string): readonly Item[] {
  const items: readonly Item[] = JSON.parse(row[column] ?? "[]");
  return items;
}

function lookUp<Word>(words: Readonly<Record<string, Word>>, row: Row, column: string): Word {
  const word = words[text(row, column)];
  if (word === undefined)
    throw new Error(`the catalogue query gives an unknown ${column}: ${row[column]}`);
  return word;
}
