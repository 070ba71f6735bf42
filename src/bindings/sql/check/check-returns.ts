/** The rows of a statement, held against `returns`: their columns, types, listed values and NULLs. */
import type { Finding } from "../../../core/diagnostic.js";
import { getOwn, type JsonObject } from "../../../core/json.js";
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel, ToolModel } from "../../../core/skill-model.js";
import { type CertainMismatch, certainMismatches } from "../../../schema/certain-mismatches.js";
import { areScalarsApart } from "../../../schema/compare/disjoint.js";
import { acceptor } from "../../../schema/compare/values.js";
import { type JsonType, lookUp } from "../../../schema/look-up.js";
import { type StatedFacts, statedFacts } from "../../../schema/stated-facts.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { mismatchCodes } from "../../mismatch-codes.js";
import { typeWords } from "../../type-words.js";
import type { ResultColumnModel, SqlConfig, StatementModel } from "../model.js";
import { isOtherFormat } from "../types/fits.js";
import { jsonSchemaOf, orNull, type SqlType, writtenType } from "../types/sql-type.js";

/** What `returns` says must leave room for what the statement gives: its columns, their types, and NULL where it may come. */
export function checkReturns(
  tool: ToolModel,
  config: SqlConfig,
  statement: StatementModel,
  report: Report,
): void {
  const { returns } = tool;
  if (returns === undefined) return;
  const given = { model: resultModel(config, statement, returns), at: [] };
  const all = certainMismatches(given, { model: returns, at: [] });
  const wrong = all.filter((each) => !isOfLabels(each, statement));
  for (const each of wrong) report.add(mismatch(each, config, statement));
  if (wrong.length > 0) return;
  checkLabels(returns, config, statement, report);
  checkNulls(returns, config, statement, report);
  checkNarrowing(returns, config, statement, report);
}

function mismatch(
  { found, kind, path, wanted }: CertainMismatch,
  config: SqlConfig,
  { columns }: StatementModel,
): Finding {
  const name = path.find((step) => typeof step === "string");
  const finding = { code: "sql/returns-mismatch", span: wanted.span } as const;
  if (name === undefined) return wholeMismatch(wanted, config, columns);
  const column = columns.find((each) => each.name === name);
  const given = columns.map((each) => `\`${shown(each.name)}\``).join(", ");
  if (kind === "missing") {
    const names = columns.map((each) => each.name);
    const help = didYouMean(name, names) ?? `its columns are ${given}`;
    const message = `\`returns\` requires \`${shown(name)}\`, which the statement does not give`;
    return { ...finding, message, help };
  }
  if (kind === "refused") {
    const message = `the statement gives \`${shown(name)}\`, which \`returns\` forbids`;
    const help = `declare \`${shown(name)}\` in \`returns\` too, or leave it out of the statement`;
    return { ...finding, message, help };
  }
  const isItem = path.indexOf(name) < path.length - 1;
  const what = `${isItem ? "an item of " : ""}\`${shown(name)}\``;
  const type = column === undefined ? "" : ` of the type \`${writtenType(column.type)}\` and`;
  const asked = `\`returns\` asks for ${typeWords(wanted.types)}`;
  // Null was set aside: whether it may come is another question.
  const nulls: readonly JsonType[] = isItem || column?.nullable === true ? ["null"] : [];
  const types = typeWords([...found.types, ...nulls]);
  return {
    ...finding,
    message: `${what} is${isItem ? "" : type} given as ${types}, and ${asked}`,
    help: "change `returns`, or cast in the statement",
    ...(column !== undefined && { related: [{ span: column.span, message: "the column" }] }),
  };
}

function wholeMismatch(
  wanted: CertainMismatch["wanted"],
  { rows, rowsSpan }: SqlConfig,
  columns: readonly ResultColumnModel[],
): Finding {
  const asked = `\`returns\` asks for ${typeWords(wanted.types)}`;
  const gives =
    columns.length === 0
      ? "gives no rows but an object with `affected_rows`"
      : rows === "many"
        ? "gives an array of rows"
        : "gives one row, an object";
  const help =
    columns.length === 0
      ? "describe `{ affected_rows }` in `returns`, or add RETURNING to the statement"
      : "`rows: many` gives an array of objects, `one` an object, `optional` an object or null";
  return {
    code: "sql/returns-mismatch",
    span: wanted.span,
    message: `the statement ${gives}, and ${asked}`,
    help,
    ...(rowsSpan !== undefined && { related: [{ span: rowsSpan, message: "said here" }] }),
  };
}

/** Of an enum's column, that another type is asked for, or else other labels. */
function isOfLabels({ kind, path, wanted }: CertainMismatch, { columns }: StatementModel): boolean {
  const type = columns.find(({ name }) => path.includes(name))?.type;
  const of = type?.kind === "array" ? type.of : type;
  return kind === "values" && of?.kind === "enum" && wanted.types.includes("string");
}

/** PostgreSQL knows every label of an enum: one that `returns` leaves out fails the call that meets it. */
function checkLabels(
  returns: SchemaModel,
  { rows }: SqlConfig,
  { columns }: StatementModel,
  report: Report,
): void {
  for (const { name, span, type } of columns) {
    const path = [...(rows === "many" ? [0] : []), name, ...(type.kind === "array" ? [0] : [])];
    const { enum: values, known, schema = "" } = lookUp(returns, path, "stated");
    const of = type.kind === "array" ? type.of : type;
    if (of.kind !== "enum" || !known || values === undefined) continue;
    const missing = of.labels.filter((label) => !values.includes(label));
    if (missing.length === 0) continue;
    report.add({
      code: mismatchCodes.sql.returns[missing.length === of.labels.length ? "no" : "some"],
      span: getOwn(returns.places, schema) ?? returns.span,
      message: `\`${shown(name)}\` may be ${missing.map((label) => `\`${shown(label)}\``).join(" or ")}, which \`returns\` does not list`,
      help: `list every value of \`${of.name}\`; text may be narrowed: \`::text\` in the statement`,
      related: [{ span, message: "the column" }],
    });
  }
}

/** Where NULL may come, `returns` must take it: only the author's `!` can say that it never does. */
function checkNulls(
  returns: SchemaModel,
  { rows, rowsSpan }: SqlConfig,
  { columns }: StatementModel,
  report: Report,
): void {
  const above = rows === "many" ? [0] : [];
  for (const { name, nullable, span } of columns) {
    const { known, schema = "", types } = lookUp(returns, [...above, name], "stated");
    if (!nullable || !known || types.includes("null")) continue;
    const place = getOwn(returns.places, schema) ?? returns.span;
    report.add({
      code: "sql/returns-denies-null",
      span,
      message: `\`${shown(name)}\` may be NULL, and \`returns\` allows no null there`,
      help: `let \`returns\` take null (\`type: [${types[0] ?? "string"}, "null"]\`), or, if it never is NULL, write \`AS "${shown(name)}!"\``,
      related: [{ span: place, message: "denied here" }],
    });
  }
  if (columns.length === 0 || rows !== "optional") return;
  if (lookUp(returns, [], "stated").types.includes("null")) return;
  report.add({
    code: "sql/returns-denies-null",
    span: rowsSpan ?? returns.span,
    message: "there may be no row, and `returns` allows no null",
    help: 'let `returns` take null: `type: [object, "null"]`',
    related: [{ span: returns.span, message: "`returns`" }],
  });
}

/**
 * `returns` may narrow what PostgreSQL doesn't know: json, elements of arrays, which texts. A column of any other type has values that PostgreSQL knows: where
 * `returns` denies some, a call that meets one fails.
 */
function checkNarrowing(
  returns: SchemaModel,
  { rows }: SqlConfig,
  { columns }: StatementModel,
  report: Report,
): void {
  const above = rows === "many" ? [0] : [];
  for (const column of columns) {
    const path = [...above, column.name];
    const { known, schema = "" } = lookUp(returns, path, "stated");
    if (!known || column.type.kind !== "scalar") continue;
    const place = getOwn(returns.places, schema) ?? returns.span;
    checkColumn(column, column.type, statedFacts(returns, path), place, report);
  }
}

function checkColumn(
  { name, span }: ResultColumnModel,
  type: Extract<SqlType, { kind: "scalar" }>,
  facts: StatedFacts,
  place: SchemaModel["span"],
  report: Report,
): void {
  const related = [{ span, message: "the column" }];
  const is = `\`${shown(name)}\` is of the type \`${type.name}\``;
  if (facts.format !== undefined && isOtherFormat(type.name, facts.format))
    report.add({
      code: "sql/returns-mismatch",
      span: place,
      message: `${is}, and \`returns\` asks for the format \`${shown(facts.format)}\``,
      help: "leave the format out, or cast in the statement",
      related,
    });
  const narrower = narrowerThan(type, facts);
  if (narrower === undefined) return;
  report.add({
    code: mismatchCodes.sql.returns[isNever(type, facts) ? "no" : "some"],
    span: place,
    message: `${is}, and \`returns\` allows only ${narrower}`,
    help: "leave that out of `returns`, or cast in the statement: a call that meets another value fails",
    related,
  });
}

/** Whether the type has no number in the bounds, and none of the values, that `returns` allows. */
function isNever(
  { traits }: Extract<SqlType, { kind: "scalar" }>,
  { maximum, minimum, values }: StatedFacts,
): boolean {
  const { schema } = traits;
  const accepts = acceptor({ schema, root: schema });
  if (values !== undefined) return !values.some((each) => each !== null && accepts(each));
  const bounds = {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
  return areScalarsApart(schema, { type: "number", ...bounds });
}

/** Zero as the least is left alone: counts and lengths have it. */
function narrowerThan(
  { name, traits }: Extract<SqlType, { kind: "scalar" }>,
  { maximum, minimum, types, values }: StatedFacts,
): string | undefined {
  if (traits.typeScript === "JsonValue" || traits.format === "text") return undefined;
  const listed = values?.filter((each) => each !== null);
  if (listed !== undefined && !isEveryBoolean(listed))
    return listed.map((each) => quote(String(each))).join(", ");
  if (traits.typeScript !== "number") return undefined;
  const { maximum: most = Infinity } = traits.schema;
  if (maximum !== undefined && maximum < Number(most)) return `what is at most ${maximum}`;
  if (minimum !== undefined && minimum > 0) return `what is at least ${minimum}`;
  const isFraction = name === "float4" || name === "float8";
  return isFraction && !types.includes("number") ? "integers" : undefined;
}

function isEveryBoolean(values: readonly unknown[]): boolean {
  return values.includes(true) && values.includes(false);
}

type Path = readonly (string | number)[];

/**
 * What the statement gives, as a schema of what is not NULL: two schemas that have nothing but null in common contradict each other. Arrays nest as deep as
 * `returns` says, which PostgreSQL doesn't know.
 */
function resultModel(
  config: SqlConfig,
  { columns }: StatementModel,
  returns: SchemaModel,
): SchemaModel {
  const schema = resultSchema(config.rows, columns, returns);
  return { kind: "schema", schema, span: config.query.span, places: {} };
}

function resultSchema(
  rows: SqlConfig["rows"],
  columns: readonly ResultColumnModel[],
  returns: SchemaModel,
): JsonObject {
  if (columns.length === 0) return objectOf({ affected_rows: { type: "integer", minimum: 0 } });
  const above = rows === "many" ? [0] : [];
  const members = columns.map(
    (column) => [column.name, columnSchema(column, returns, [...above, column.name])] as const,
  );
  const row = objectOf(Object.fromEntries(members));
  return rows === "many" ? { type: "array", items: row } : row;
}

/** Only where `returns` wants nothing but null, the null of a column answers. */
function columnSchema(
  { nullable, type }: ResultColumnModel,
  returns: SchemaModel,
  path: Path,
): JsonObject {
  const schema = valueSchema(type, returns, path);
  const wanted = typesAt(returns, path);
  return nullable && wanted.every((each) => each === "null") ? orNull(schema) : schema;
}

/** Steps into items; PostgreSQL's arrays have six dimensions at most. */
const mostDimensions = 6;

function valueSchema(type: SqlType, returns: SchemaModel, path: Path, depth = 1): JsonObject {
  if (type.kind !== "array") return jsonSchemaOf(type);
  const inside = [...path, 0];
  const wanted = typesAt(returns, inside).filter((each) => each !== "null");
  const isNested = wanted.length === 1 && wanted[0] === "array" && depth < mostDimensions;
  const items = isNested ? valueSchema(type, returns, inside, depth + 1) : jsonSchemaOf(type.of);
  return { type: "array", items };
}

function typesAt(returns: SchemaModel, path: Path): readonly string[] {
  return lookUp(returns, path, "stated").types;
}

function objectOf(properties: JsonObject): JsonObject {
  const required = Object.keys(properties);
  return { type: "object", additionalProperties: false, required, properties };
}
