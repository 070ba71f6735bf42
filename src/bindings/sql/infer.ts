import type { JsonObject } from "../../core/json.js";
import { shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import { type InferredParameters, strayKeyword } from "../../schema/silent.js";
import type { SilentParameters } from "../../kit/kind-engine.js";
import { placeOfParameter } from "../../kit/unused-parameters.js";
import type { KnownDatabase } from "./database/open-database.js";
import { pgCatalogOf } from "./database/pg-catalog.js";
import { findUses } from "./describe/parameters.js";
import { type SqlConfig, type ValueSource, within } from "./model.js";
import { limitingPlaceholders, shownPlaceholders } from "./parameters/placeholder-places.js";
import { sourceOf } from "./sources.js";
import { loadParser } from "./statement/lexer.js";
import { parseStatement } from "./statement/parse.js";
import { numberApart } from "./statement/placeholders.js";
import { readPlaces } from "./statement/places.js";
import type { Statement } from "./statement/statement.js";
import { parameterSchema, withMaxLength } from "./types/parameter-schema.js";
import { type SqlType, sqlTypeOf, writtenType } from "./types/sql-type.js";

export interface Inferring {
  readonly tool: ToolModel;
  readonly config: SqlConfig;
  readonly silent: SilentParameters;
  readonly database: KnownDatabase;
  readonly report: Report;
}

/** One use of a placeholder, and the type that PostgreSQL expects there. */
interface PlaceholderUse {
  readonly parameter: ValueSource;
  readonly span: Span;
  readonly type: SqlType;
  /** True if the value is a number of rows, which can't be negative. */
  readonly counts: boolean;
  /** True if nothing around the placeholder determines a type, so that PostgreSQL assumes text. */
  readonly open: boolean;
  /** Maximal number of characters of the column that the value is written to. */
  readonly maxLength: number | undefined;
}

/**
 * Infers schemas for parameters without a type from the types that PostgreSQL expects at their
 * placeholders. Returns nothing if the statement can't be parsed or PostgreSQL rejects it; the
 * analysis reports that later. A parameter without a placeholder is left out.
 */
export async function inferSqlParameters(input: Inferring): Promise<InferredParameters> {
  await loadParser();
  const parsed = parseStatement(input.config.query.value);
  const places = parsed.kind === "invalid" ? undefined : await placesIn(parsed.statement, input);
  if (places === undefined) return {};
  reportUnused(input, places);
  const schemas = [...input.silent].flatMap(([name, own]): [string, JsonObject][] => {
    const schema = schemaFor(
      name,
      own,
      places.filter(({ parameter }) => parameter === name),
      input.report,
    );
    return schema === undefined ? [] : [[name, schema]];
  });
  return Object.fromEntries(schemas);
}

/** Finds all placeholders and their types; undefined if PostgreSQL rejects the statement. */
async function placesIn(
  statement: Statement,
  input: Inferring,
): Promise<readonly PlaceholderUse[] | undefined> {
  const { config, database } = input;
  const { engine, snapshot } = database;
  const apart = numberApart(config.query.value, statement);
  const described = await engine.describe(apart.sql);
  if (described.kind === "error") return undefined;
  const located = readPlaces(statement);
  const spanOf = (byte: number | undefined): Span =>
    byte === undefined ? config.query.span : within(config, located.ofByte(byte));
  const isAmong = (found: readonly { readonly location: number | undefined }[]) => {
    const starts = new Set(found.map(({ location }) => spanOf(location).start));
    return ({ start }: Span) => starts.has(start);
  };
  const counts = isAmong(limitingPlaceholders(statement.tree));
  const isShown = isAmong(shownPlaceholders(statement.tree));
  const uses = findUses({ statement, config, snapshot, spanOf });
  return apart.placeholders.flatMap(({ at: [at], name }, index): PlaceholderUse[] => {
    const oid = described.parameters[index];
    if (at === undefined || oid === undefined) return [];
    const span = within(config, at);
    const type = sqlTypeOf(pgCatalogOf(snapshot).typeOf, oid);
    const stored = uses.find((each) => each.how === "stored" && each.span.start === span.start);
    return [
      {
        parameter: sourceOf(name, config),
        span,
        type,
        counts: counts(span),
        open: type.name === "text" && isShown(span),
        maxLength: stored?.maxLength,
      },
    ];
  });
}

function schemaFor(
  name: string,
  own: JsonObject,
  places: readonly PlaceholderUse[],
  report: Report,
): JsonObject | undefined {
  const [first] = places;
  if (first === undefined) return undefined;
  if (places.every(({ open }) => open)) {
    reportOpen(name, first, report);
    return undefined;
  }
  const counts = places.some((each) => each.counts);
  const schema = parameterSchema(
    places.map(({ type }) => type),
    counts || speaksOfNumbers(own),
  );
  if (schema === undefined) reportApart(name, places, report);
  else reportStray(name, strayKeyword(own, schema), first, report);
  return schema && narrowed(schema, places);
}

/**
 * Limits a schema by the column's length and by row counts. A stored text must fit into the column.
 * A text that is only compared need not: the comparison just finds nothing.
 */
function narrowed(schema: JsonObject, places: readonly PlaceholderUse[]): JsonObject {
  const lengths = places.flatMap(({ maxLength }) => maxLength ?? []);
  const fitting = lengths.length === 0 ? schema : withMaxLength(schema, Math.min(...lengths));
  const isCounted = places.some(({ counts }) => counts) && fitting["type"] === "integer";
  return isCounted ? { ...fitting, minimum: Math.max(0, Number(fitting["minimum"])) } : fitting;
}

const ofNumbers = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/**
 * True if the author's keywords concern numbers. An `int8` or `numeric` parameter is then a JSON
 * number, not a text of digits.
 */
function speaksOfNumbers(own: JsonObject): boolean {
  return (
    typeof own["default"] === "number" || ofNumbers.some((keyword) => own[keyword] !== undefined)
  );
}

/**
 * Reports untyped parameters that occur nowhere in the statement. A parameter listed as unused has
 * no placeholder from which to infer a type.
 */
function reportUnused(
  { report, silent, tool }: Inferring,
  places: readonly PlaceholderUse[],
): void {
  for (const { name } of tool.unused) {
    if (!silent.has(name) || places.some(({ parameter }) => parameter === name)) continue;
    report.add({
      code: "sql/untyped-parameter",
      span: placeOfParameter(tool.parameters, name),
      message: `skillc can't infer the type of \`${shown(name)}\`: the statement doesn't use it`,
      help: `give the parameter a type: \`${shown(name)}: string\``,
    });
  }
}

function reportOpen(name: string, { span }: PlaceholderUse, report: Report): void {
  report.add({
    code: "sql/untyped-parameter",
    span,
    message: `skillc can't infer the type of \`${shown(name)}\`: PostgreSQL accepts any value here`,
    help: `give the parameter a type, \`${shown(name)}: string\`, or cast it here, \`:${shown(name)}::text\``,
  });
}

/**
 * Reports a keyword that doesn't apply to the inferred type. It would have no effect, for example a
 * number's limit on a text.
 */
function reportStray(
  name: string,
  stray: ReturnType<typeof strayKeyword>,
  { span, type }: PlaceholderUse,
  report: Report,
): void {
  if (stray === undefined) return;
  const { keyword, values } = stray;
  report.add({
    code: "sql/parameter-may-not-fit",
    span,
    message: `\`${shown(name)}\` is \`${shown(writtenType(type))}\` here, but \`${keyword}\` is for ${values}`,
    help: "remove it, or write the type that you mean",
  });
}

function reportApart(name: string, places: readonly PlaceholderUse[], report: Report): void {
  // The assumed text of an untyped place is not necessarily what the author meant, so typed places
  // come first.
  const [first, ...others] = places.toSorted((one, other) => Number(one.open) - Number(other.open));
  const second = others.find(
    (each) => first && parameterSchema([first.type, each.type], false) === undefined,
  );
  const last = second ?? others.at(-1);
  if (first === undefined || last === undefined) return;
  const [one, other] = [first, last].map(({ type }) => shown(writtenType(type)));
  const why = last.open ? " by default" : "";
  const written = `:${shown(name)}::${one}`;
  report.add({
    code: "sql/parameter-types-apart",
    span: last.span,
    message: `\`${shown(name)}\` is \`${other}\` here${why} and \`${one}\` in another place, but no value is both`,
    help: last.open
      ? `cast it here: \`${written}\``
      : `use two parameters, or convert it here: \`(${written})::${other}\``,
    related: [{ span: first.span, message: `\`${one}\` here` }],
  });
}
