/**
 * Compares the rows of a statement with `returns`: their columns, types, listed values and NULLs.
 */
import type { UnratedDiagnostic } from "../../../core/diagnostic.js";
import { getOwn, type JsonValue } from "../../../core/json.js";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel, ToolModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import { compare } from "../../../schema/compare/compare.js";
import type { Mismatch } from "../../../schema/compare/mismatch.js";
import { partSchemas } from "../../../schema/compare/normal-form.js";
import { acceptor } from "../../../schema/compare/values.js";
import { type JsonType, lookUp } from "../../../schema/look-up.js";
import { spanOfRequired, spanOfRest, spanOfType } from "../../../schema/schema-spans.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { mismatchCodes } from "../../../kit/mismatch-codes.js";
import { typeWords } from "../../../kit/type-words.js";
import type { ResultColumnModel, SqlConfig, StatementModel } from "../model.js";
import { jsonSchemaOf, type SqlElement, writtenType } from "../types/sql-type.js";
import { resultSchema, rowPath } from "./result-schema.js";

/**
 * Checks that `returns` accepts the statement's rows: columns, types, and NULL where it is
 * possible. `returns` may be narrower where PostgreSQL knows no details: in json, elements of
 * arrays, and forms of texts. Each call checks those.
 */
export function checkReturns(
  { returns }: ToolModel,
  config: SqlConfig,
  { columns }: StatementModel,
  report: Report,
): void {
  if (returns === undefined) return;
  const given = resultSchema(config.rows, columns, returns);
  const { schema } = returns;
  const all = compare({ schema: given, root: given }, { schema, root: schema });
  const held: Held = { returns, config, columns };
  const found = onePerPlace(all.map((each) => columnMismatch(each, held)));
  const wrong = found.flatMap((each) => contradiction(each, held) ?? []);
  // Narrower values are reported only if there is no contradiction.
  const reported = wrong.length > 0 ? wrong : found.flatMap((each) => narrowing(each, held) ?? []);
  for (const each of reported) report.add(each);
}

/** The two sides of the comparison. */
interface Held {
  readonly returns: SchemaModel;
  readonly config: SqlConfig;
  readonly columns: readonly ResultColumnModel[];
}

/** A mismatch, with the column at or around it. */
interface ColumnMismatch {
  readonly mismatch: Mismatch;
  /**
   * Name of the column, even if there is no such column; undefined for the row and the levels
   * around it.
   */
  readonly name?: string;
  readonly column?: ResultColumnModel;
  /** Number of steps below the column. */
  readonly depth: number;
}

function columnMismatch(mismatch: Mismatch, { columns, config: { rows } }: Held): ColumnMismatch {
  const [name, ...inside] = mismatch.path.slice(rowPath(rows).length);
  if (typeof name !== "string") return { mismatch, depth: 0 };
  const column = columns.find((each) => each.name === name);
  return { mismatch, name, depth: inside.length, ...(column !== undefined && { column }) };
}

/** The most serious mismatch at each place. Null and the values beside it are two places. */
function onePerPlace(found: readonly ColumnMismatch[]): readonly ColumnMismatch[] {
  const gravestLast = found.toReversed().toSorted((a, b) => weight(a) - weight(b));
  const byPlace = gravestLast.map((each) => {
    const { ofNull = false, path } = each.mismatch;
    return [JSON.stringify([ofNull, path]), each] as const;
  });
  // If entries have the same key, the last one stays.
  const kept = new Set(new Map(byPlace).values());
  return found.filter((each) => kept.has(each));
}

function weight({ mismatch: { fits, promised } }: ColumnMismatch): number {
  return fits === "no" ? 2 : promised ? 0 : 1;
}

/** A diagnostic for a mismatch that every row has. */
function contradiction(found: ColumnMismatch, held: Held): UnratedDiagnostic | undefined {
  const { column, depth, mismatch, name } = found;
  const { fits, kind, ofNull } = mismatch;
  if (name === undefined || kind === "exclusive")
    return fits === "no" && !ofNull ? wholeMismatch(mismatch, held) : undefined;
  if (kind === "missing") return depth === 0 ? missingColumn(name, held) : undefined;
  if (kind === "unknown") return depth === 0 ? forbiddenColumn(name, found, held) : undefined;
  return column !== undefined && isOtherType(found, column, held)
    ? otherType(found, column, held)
    : undefined;
}

/** A diagnostic for a mismatch of the rows as a whole. */
function wholeMismatch(
  { given, path, wanted }: Mismatch,
  { columns, config, returns }: Held,
): UnratedDiagnostic {
  const { rows, rowsSpan } = config;
  const types = typesAt(returns, path);
  const own = columns.length > 0 && rows === "many" && path.length === 0 ? "array" : "object";
  const gives =
    columns.length === 0
      ? "returns no rows but an object with `affected_rows`"
      : rows === "many"
        ? "returns an array of rows"
        : "returns one row, an object";
  const help =
    columns.length === 0
      ? "describe `{ affected_rows }` in `returns`, or add RETURNING to the statement"
      : "`rows: many` returns an array of objects, `one` an object, `optional` an object or null";
  return {
    code: "sql/returns-mismatch",
    span: spanAt(returns, path),
    message: types.includes(own)
      ? `the result of the statement ${given}, but \`returns\` ${wanted}`
      : `the statement ${gives}, but \`returns\` expects ${typeWords(types)}`,
    help,
    ...(rowsSpan !== undefined && { related: [{ span: rowsSpan, message: "said here" }] }),
  };
}

function missingColumn(name: string, { columns, config, returns }: Held): UnratedDiagnostic {
  const path = rowPath(config.rows);
  const names = columns.map((each) => each.name);
  const given = names.map((each) => `\`${shown(each)}\``).join(", ");
  const at = { model: returns, pointer: nearestPointer(returns, path) };
  return {
    code: "sql/returns-mismatch",
    span: spanOfRequired(at, name, lookUp(returns, [...path, name], "stated").schema),
    message: `\`returns\` requires \`${shown(name)}\`, but the statement does not return it`,
    help: didYouMean(name, names) ?? `its columns are ${given}`,
  };
}

/**
 * A diagnostic for a column that `returns` forbids. An open object also reports names that resemble
 * its own; only closed objects count here.
 */
function forbiddenColumn(
  name: string,
  { mismatch }: ColumnMismatch,
  { returns }: Held,
): UnratedDiagnostic | undefined {
  const { path } = mismatch;
  if (lookUp(returns, path, "stated").presence !== "never") return undefined;
  const at = { model: returns, pointer: nearestPointer(returns, path.slice(0, -1)) };
  return {
    code: "sql/returns-mismatch",
    span: spanOfRest(at, name, undefined),
    message: `the statement returns \`${shown(name)}\`, but \`returns\` forbids it`,
    help: `declare \`${shown(name)}\` in \`returns\` too, or remove it from the statement`,
  };
}

/** True if a column, or an item of it, has another JSON type than `returns` expects. */
function isOtherType(
  { depth, mismatch }: ColumnMismatch,
  column: ResultColumnModel,
  held: Held,
): boolean {
  if (mismatch.fits !== "no" || mismatch.ofNull || isJson(column)) return false;
  const own = ownType(column, depth);
  const types = typesAt(held.returns, mismatch.path);
  if (own === "number" || own === "integer")
    return !types.some((each) => each === "number" || each === "integer");
  return !types.includes(own);
}

function otherType(
  { depth, mismatch }: ColumnMismatch,
  column: ResultColumnModel,
  held: Held,
): UnratedDiagnostic {
  const isItem = depth > 0;
  const name = shown(column.name);
  const what = isItem
    ? `an item of \`${name}\` is`
    : `\`${name}\` is of the type \`${writtenType(column.type)}\` and`;
  const nulls: readonly JsonType[] = isItem || column.nullable ? ["null"] : [];
  const types = typeWords([ownType(column, depth), ...nulls]);
  const asked = typeWords(typesAt(held.returns, mismatch.path));
  return {
    code: "sql/returns-mismatch",
    span: spanAt(held.returns, mismatch.path),
    message: `${what} returned as ${types}, but \`returns\` expects ${asked}`,
    help: "change `returns`, or cast in the statement",
    related: [{ span: column.span, message: "the column" }],
  };
}

/** A diagnostic for a mismatch that only some rows or values have. */
function narrowing(found: ColumnMismatch, held: Held): UnratedDiagnostic | undefined {
  const { column, depth, mismatch } = found;
  const { kind, ofNull } = mismatch;
  if (kind !== "value") return undefined;
  if (column === undefined) return ofNull ? deniedRow(held) : undefined;
  if (ofNull) return depth === 0 ? deniedNull(column, mismatch, held) : undefined;
  if (elementOf(column).kind === "enum") return otherLabels(found, column, held);
  return isTold(found, column, held) ? narrowerColumn(found, column, held) : undefined;
}

/** Only the author's `!` can declare that a nullable column is never NULL. */
function deniedNull(
  { name, span }: ResultColumnModel,
  { path }: Mismatch,
  { returns }: Held,
): UnratedDiagnostic {
  const [type = "string"] = typesAt(returns, path);
  return {
    code: "sql/returns-denies-null",
    span,
    message: `\`${shown(name)}\` may be NULL, but \`returns\` allows no null there`,
    help: `allow null in \`returns\` (\`type: [${type}, "null"]\`), or, if the column is never NULL, write \`AS "${shown(name)}!"\``,
    related: [{ span: placeAt(returns, path), message: "denied here" }],
  };
}

function deniedRow({ config: { rowsSpan }, returns }: Held): UnratedDiagnostic {
  return {
    code: "sql/returns-denies-null",
    span: rowsSpan ?? returns.span,
    message: "there may be no row, but `returns` allows no null",
    help: 'allow null in `returns`: `type: [object, "null"]`',
    related: [{ span: returns.span, message: "`returns`" }],
  };
}

/**
 * PostgreSQL knows every label of an enum. A label that `returns` lacks would fail the call that
 * returns it.
 */
function otherLabels(
  { mismatch }: ColumnMismatch,
  column: ResultColumnModel,
  { returns }: Held,
): UnratedDiagnostic | undefined {
  const type = elementOf(column);
  if (type.kind !== "enum") return undefined;
  const missing = type.labels.filter((label) => !isAccepted(label, returns, mismatch.path));
  const labels = missing.map((label) => `\`${shown(label)}\``).join(" or ");
  if (missing.length === 0) return undefined;
  return {
    code: mismatchCodes.sql.returns[missing.length === type.labels.length ? "no" : "some"],
    span: placeAt(returns, mismatch.path),
    message: `\`${shown(column.name)}\` may be ${labels}, but \`returns\` doesn't list that`,
    help: `list every value of \`${type.name}\`, or cast the column with \`::text\` in the statement`,
    related: [{ span: column.span, message: "the column" }],
  };
}

function isAccepted(value: JsonValue, { schema }: SchemaModel, path: Mismatch["path"]): boolean {
  return partSchemas(schema, path).some((each) => acceptor({ schema: each, root: schema })(value));
}

/**
 * True if a mismatch is certain enough to report. PostgreSQL knows only the form of texts. So a
 * mismatch of texts is reported if `returns` accepts none of them, or lists only some, unless the
 * column may contain any text.
 */
function isTold(
  { depth, mismatch }: ColumnMismatch,
  column: ResultColumnModel,
  { returns }: Held,
): boolean {
  const { fits, isUnsaid, path, promised, unseen } = mismatch;
  const type = elementOf(column);
  if (unseen || isUnsaid || isJson(column) || type.kind === "enum") return false;
  if (fits === "no" || hasOrdinaryMisfits(type, path, returns)) return true;
  if (depth > 0 || column.type.kind === "array" || type.traits.format === "text") return false;
  if (type.traits.typeScript !== "string") return !promised;
  return lookUp(returns, path, "stated").enum !== undefined;
}

/** True if a format accepts some texts of a type but rejects others that are as common. */
function hasOrdinaryMisfits(
  { name }: SqlElement,
  path: Mismatch["path"],
  returns: SchemaModel,
): boolean {
  if (name !== "interval") return false;
  return partSchemas(returns.schema, path).some(
    (each) => typeof each === "object" && each["format"] === "duration",
  );
}

function narrowerColumn(
  { depth, mismatch }: ColumnMismatch,
  column: ResultColumnModel,
  { returns }: Held,
): UnratedDiagnostic {
  const { fits, path, wanted } = mismatch;
  const name = shown(column.name);
  const type = depth > 0 ? elementOf(column).name : writtenType(column.type);
  const what = depth > 0 ? `an item of \`${name}\`` : `\`${name}\``;
  return {
    code: mismatchCodes.sql.returns[fits],
    span: placeAt(returns, path),
    message: `${what} has the type \`${type}\`, but \`returns\` ${wanted}`,
    help:
      fits === "no"
        ? "change `returns`, or cast in the statement"
        : "remove that from `returns`, or cast in the statement: a call with another value fails",
    related: [{ span: column.span, message: "the column" }],
  };
}

function elementOf({ type }: ResultColumnModel): SqlElement {
  return type.kind === "array" ? type.of : type;
}

function isJson(column: ResultColumnModel): boolean {
  const type = elementOf(column);
  return type.kind === "scalar" && type.traits.typeScript === "JsonValue";
}

/** The JSON type of a column, or of a value some steps below it. */
function ownType(column: ResultColumnModel, depth: number): JsonType {
  if (column.type.kind === "array" && depth === 0) return "array";
  // The schema of a type other than json has one JSON type.
  return jsonSchemaOf(elementOf(column))["type"] as JsonType;
}

function typesAt(returns: SchemaModel, path: Mismatch["path"]): readonly JsonType[] {
  return lookUp(returns, path, "stated").types;
}

function spanAt(model: SchemaModel, path: Mismatch["path"]): Span {
  return spanOfType({ model, pointer: nearestPointer(model, path) });
}

/** Span of the schema for a path, or of the whole `returns`. */
function placeAt(returns: SchemaModel, path: Mismatch["path"]): Span {
  const pointer = lookUp(returns, path, "stated").schema ?? "";
  return getOwn(returns.places, pointer) ?? returns.span;
}

/** Pointer to the schema of a path, or to the nearest one around it. */
function nearestPointer(returns: SchemaModel, path: Mismatch["path"]): string {
  for (let length = path.length; length > 0; length -= 1) {
    const { schema } = lookUp(returns, path.slice(0, length), "stated");
    if (schema !== undefined) return schema;
  }
  return "";
}
