/**
 * Analyzes the parameters of a statement: the columns that they meet, conditions that can't be true
 * while they are NULL, and writes that they leave unrestricted.
 */
import type { SchemaModel, ToolModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import { type JsonType, lookUp } from "../../../schema/look-up.js";
import { type Chain, type ChainType, childrenOf } from "../builder/chain.js";
import { isInDatabase } from "../builder/relations.js";
import { neverTrueWithout, nullComparisons } from "../conditions/never-true.js";
import { unrestrictedWrites } from "../conditions/unrestricted-writes.js";
import { pgCatalogOf } from "../database/pg-catalog.js";
import type { Column, PgType, Snapshot } from "../database/snapshot.js";
import {
  type ColumnUseModel,
  type FilledTableModel,
  type LeftOutModel,
  type NeverTrue,
  type SqlConfig,
  type StatementModel,
  type UnrestrictedWriteModel,
  within,
  type WrittenNullModel,
} from "../model.js";
import {
  type ColumnUse,
  columnUses,
  type Insertion,
  insertions,
  writtenNulls,
} from "../parameters/column-uses.js";
import {
  comparedPlaceholders,
  limitingPlaceholders,
  type NumberedPlace,
  sortedPlaceholders,
} from "../parameters/placeholder-places.js";
import { placeOfSource, sourceOf } from "../sources.js";
import { readPlaces } from "../statement/places.js";
import type { Statement } from "../statement/statement.js";
import { sqlTypeOf, type TypeLookup } from "../types/sql-type.js";
import { placeOfWrite } from "./write-reason.js";

/** A statement, with the data to find positions in its text. */
interface Located {
  readonly statement: Statement;
  readonly config: SqlConfig;
  readonly snapshot: Snapshot;
  readonly spanOf: (byte: number | undefined) => Span;
}

/** Maximal number of parameters that are analyzed one by one. */
const maxParameters = 100;

/** Finds the columns that parameters are stored in or compared with. */
export function findUses(located: Located): readonly ColumnUseModel[] {
  const { snapshot, statement } = located;
  return columnUses(statement.tree, snapshot).flatMap((use) => modelOf(use, located));
}

function modelOf(
  { cast, column, how, location, number, relation }: ColumnUse,
  located: Located,
): readonly ColumnUseModel[] {
  const placeholder = located.statement.placeholders[number - 1]?.name;
  if (placeholder === undefined) return [];
  const type = sqlTypeOf(pgCatalogOf(located.snapshot).typeOf, column.type);
  const limits = cast ? {} : limitsOf(column, pgCatalogOf(located.snapshot).typeOf);
  // A trigger or a rule may store another value.
  const asWritten = relation.intercepted === undefined || relation.intercepted === "never";
  return [
    {
      parameter: sourceOf(placeholder, located.config),
      span: located.spanOf(location),
      how,
      column: `${relation.name}.${column.name}`,
      type,
      ...limits,
      notNull: column.notNull && asWritten,
    },
  ];
}

/** Finds conditions that can't be true while one of these parameters is NULL. */
export function findNeverTrue(
  located: Located,
  mayBeNull: (parameter: string) => boolean,
): readonly NeverTrue[] {
  const { snapshot, spanOf, statement } = located;
  return placeholdersOf(located, mayBeNull).flatMap(({ numbers, parameter }) => {
    const places = neverTrueWithout(statement.tree, new Set(numbers), snapshot);
    const placeholder = statement.placeholders[(numbers[0] ?? 1) - 1]?.name ?? parameter;
    return places.map((byte) => ({ parameter, placeholder, span: spanOf(byte) }));
  });
}

/**
 * Finds writes that change or remove every row of a table, always or while parameters are NULL or
 * empty.
 */
export function findUnrestrictedWrites(
  located: Located,
  mayBeNull: (parameter: string) => boolean,
  mayBeEmpty: (parameter: string) => boolean,
): readonly UnrestrictedWriteModel[] {
  const { config, snapshot, spanOf, statement } = located;
  const nullable = placeholdersOf(located, mayBeNull);
  const emptied = placeholdersOf(located, mayBeEmpty);
  const absent = nullable.map(({ numbers }) => numbers);
  const empty = emptied.map(({ numbers }) => numbers);
  const valued = statement.placeholders.flatMap(({ name }, at) =>
    mayBeNull(sourceOf(name, located.config)) ? [] : [at + 1],
  );
  const found = unrestrictedWrites(
    statement.tree,
    { absent, empty, valued: new Set(valued) },
    snapshot,
  );
  const places = readPlaces(statement);
  return found.map(({ empty: numbers, location, table, verb, why, without }) => {
    const reason = {
      kind: "modifies",
      name: verb,
      ...(location !== undefined && { location }),
    } as const;
    const isVerb = why === "unconditional";
    return {
      verb,
      table,
      why,
      without: namesAmong(nullable, without),
      empty: namesAmong(emptied, numbers),
      span: isVerb
        ? within(config, placeOfWrite(reason, places, config.query.value))
        : spanOf(location),
    };
  });
}

/** A parameter, and the numbers of its placeholders. */
interface NumberedParameter {
  readonly parameter: string;
  readonly numbers: readonly number[];
}

function namesAmong(
  placed: readonly NumberedParameter[],
  numbers: readonly number[],
): readonly string[] {
  return placed
    .filter((each) => each.numbers.some((number) => numbers.includes(number)))
    .map(({ parameter }) => parameter);
}

/** The parameters that satisfy a condition. */
function placeholdersOf(
  located: Located,
  isOne: (parameter: string) => boolean,
): readonly NumberedParameter[] {
  const names = located.statement.placeholders.map(({ name }) => sourceOf(name, located.config));
  const chosen = [...new Set(names)].filter(isOne).slice(0, maxParameters);
  return chosen.map((parameter) => ({
    parameter,
    numbers: names.flatMap((name, at) => (name === parameter ? [at + 1] : [])),
  }));
}

/**
 * The TypeScript type of a placeholder's value in the tool, including null; undefined if the type
 * isn't plain.
 */
export function argumentTypes(
  tool: ToolModel,
  config: SqlConfig,
): (placeholder: string) => ChainType | undefined {
  return (placeholder) => {
    const { model, path } = placeOfSource(tool, sourceOf(placeholder, config));
    return typeAt(model, path);
  };
}

/** Maximal depth of items, because an open schema has no end. */
const deepest = 4;

function typeAt(model: SchemaModel, path: readonly (string | number)[]): ChainType | undefined {
  if (path.length > deepest) return undefined;
  const facts = lookUp(model, path);
  const types: ChainType[] = [];
  const values = facts.enum?.filter((each) => each !== null);
  const labels = values?.every((each) => typeof each === "string") === true ? values : undefined;
  if (labels !== undefined) types.push({ kind: "labels", of: labels });
  for (const type of new Set(facts.types.map(keywordOf))) {
    if (type === "other") return undefined;
    if (type === "array") {
      const item = typeAt(model, [...path, 0]);
      if (item === undefined) return undefined;
      types.push({ kind: "array", of: item });
    } else if (type !== "string" || labels === undefined) {
      types.push({ kind: "keyword", name: type });
    }
  }
  if (facts.presence === "sometimes") types.push({ kind: "keyword", name: "null" });
  return types.length === 1 ? types[0] : { kind: "union", of: types };
}

function keywordOf(type: JsonType): "string" | "number" | "boolean" | "null" | "array" | "other" {
  if (type === "integer") return "number";
  return type === "object" ? "other" : type;
}

/**
 * Finds expressions that PostgreSQL accepts but the author hardly means, and comparisons with a
 * whole array.
 */
export function findSuspicious({
  spanOf,
  statement: { placeholders, tree },
}: Located): Pick<StatementModel, "nullComparisons" | "sortedBy" | "limitedBy" | "comparedWith"> {
  const placed = ({ location, number }: NumberedPlace) => ({
    placeholder: placeholders[number - 1]?.name ?? "",
    span: spanOf(location),
  });
  const limits = limitingPlaceholders(tree).map(placed);
  return {
    nullComparisons: nullComparisons(tree).map(({ location, ...rest }) => ({
      ...rest,
      span: spanOf(location),
    })),
    sortedBy: sortedPlaceholders(tree).map(placed),
    ...(limits.length > 0 && { limitedBy: limits }),
    comparedWith: comparedPlaceholders(tree).map((each) => ({
      ...placed(each),
      each: each.negated ? ("<> ALL" as const) : ("= ANY" as const),
    })),
  };
}

/** Limits of a column within its type; empty if there are none. */
interface ColumnLimits {
  /** For `varchar(n)` and `char(n)`, and arrays of them: length in characters. */
  readonly maxLength?: number;
  /** For `numeric(p, s)`, and arrays of it. */
  readonly digits?: Digits;
}

interface Digits {
  readonly precision: number;
  /** A negative scale rounds digits before the point. */
  readonly scale: number;
}

function limitsOf({ modifier, type }: Column, typeOf: TypeLookup): ColumnLimits {
  const { name, builtIn, modifier: kept } = innermost(typeOf(type), modifier, typeOf);
  // PostgreSQL stores n + 4.
  const packed = kept - 4;
  if (!builtIn || packed <= 0) return {};
  if (name === "varchar" || name === "bpchar") return { maxLength: packed };
  return name === "numeric" ? { digits: digitsOf(packed) } : {};
}

/** The upper half is the precision; the lower eleven bits are the signed scale. */
function digitsOf(packed: number): Digits {
  return { precision: packed >> 16, scale: ((packed & 0x7ff) ^ 1024) - 1024 };
}

type Limited = Pick<PgType, "name" | "builtIn"> & { readonly modifier: number };

/**
 * Follows domains, which have their own modifier, and arrays, which have that of their elements.
 */
function innermost(type: PgType | undefined, modifier: number, typeOf: TypeLookup): Limited {
  if (type === undefined) return { name: "", builtIn: false, modifier };
  const { base, element, kind } = type;
  if (kind === "domain" && base !== undefined && base !== type.oid)
    return innermost(typeOf(base), type.modifier ?? -1, typeOf);
  if (kind === "array" && element !== undefined && element !== type.oid)
    return innermost(typeOf(element), modifier, typeOf);
  return { name: type.name, builtIn: type.builtIn, modifier };
}

/** Finds required columns that rows of an INSERT leave out. */
export function findLeftOut({ snapshot, spanOf, statement }: Located): readonly LeftOutModel[] {
  return insertions(statement.tree, snapshot).flatMap(({ leftOut, location, relation }) => {
    if (leftOut.length === 0) return [];
    const columns = leftOut.map(({ name }) => name);
    const mayBeFilled = relation.fillsRows !== false;
    return [{ table: relation.name, columns, mayBeFilled, span: spanOf(location) }];
  });
}

/** Finds a literal NULL for a NOT NULL column. */
export function findWrittenNulls({
  snapshot,
  spanOf,
  statement,
}: Located): readonly WrittenNullModel[] {
  return writtenNulls(statement.tree, snapshot).map(({ column, location, relation, word }) => ({
    column: `${relation.name}.${column.name}`,
    word,
    span: spanOf(location),
  }));
}

/**
 * Finds the tables for whose new rows Kysely can't see a missing column. It sees one only if a
 * single row is written as an object.
 */
export function findFilled(
  chain: Chain,
  { snapshot, statement }: Located,
): readonly FilledTableModel[] {
  const seen = tablesOfObjects(chain);
  const tables = new Map<string, ReadonlySet<string>>();
  for (const each of insertions(statement.tree, snapshot)) {
    const table = tableKey(each);
    // The columns of a view come from its query, so none is required.
    if (
      !isInDatabase(each.relation) ||
      each.relation.kind === "view" ||
      each.leftOut.length > 0 ||
      seen.has(table)
    )
      continue;
    const names = each.given.map(({ name }) => name);
    const before = tables.get(table);
    tables.set(table, new Set(names.filter((name) => before?.has(name) !== false)));
  }
  return [...tables].map(([table, columns]) => ({ table, columns: [...columns] }));
}

function tableKey({ range: { relname = "", schemaname } }: Insertion): string {
  return schemaname === undefined ? relname : `${schemaname}.${relname}`;
}

function tablesOfObjects(chain: Chain): ReadonlySet<string> {
  const own = chain.kind === "call" && chain.method === "values" ? tableOf(chain.on) : [];
  return new Set([...own, ...childrenOf(chain).flatMap((each) => [...tablesOfObjects(each)])]);
}

function tableOf(chain: Chain): readonly string[] {
  if (chain.kind !== "call" || chain.method !== "insertInto") return [];
  return chain.arguments.flatMap((each) => (each.kind === "literal" ? [String(each.value)] : []));
}
