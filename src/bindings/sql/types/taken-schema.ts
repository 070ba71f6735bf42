/** Makes JSON Schemas of the values that PostgreSQL accepts, with which parameters are compared. */
import { type JsonObject, type JsonSchema } from "../../../core/json.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import { listedIn, partSchemas, looseBranches } from "../../../schema/compare/normal-form.js";
import { withWords } from "../../../schema/form-words.js";
import { lookUp } from "../../../schema/look-up.js";
import { scalarForms } from "./parameter-schema.js";
import type { SqlElement, SqlType } from "./sql-type.js";

/** Limits of a column within its type. */
export interface ColumnLimits {
  /** Number of characters: `varchar(n)`, `char(n)`. */
  readonly maxLength?: number;
  /** Digits of `numeric(precision, scale)`. */
  readonly digits?: { readonly precision: number; readonly scale: number };
}

/** The given values, usually those of a parameter. */
export interface GivenValues {
  readonly model: SchemaModel;
  /** Path in the model. */
  readonly path: readonly string[];
}

/**
 * JSON Schema of the non-null values that the type accepts. A schema can describe only the usual
 * texts, and PostgreSQL reads many more. So the schema includes texts that the parameter's schema
 * lists or describes by a pattern; PostgreSQL itself tests the listed ones.
 *
 * @param losing true to include texts of which PostgreSQL silently drops a part
 */
export function takenSchema(
  type: SqlType,
  given: GivenValues,
  limits: ColumnLimits,
  losing: boolean,
): JsonSchema {
  const depth = type.kind === "array" ? 1 + nesting(given) : 0;
  const element = type.kind === "array" ? type.of : type;
  return listsOf(takenByElement(element, branchesAt(given, depth), limits, losing), depth);
}

/** Depth of nested arrays. PostgreSQL's types don't state it, but the parameter's schema does. */
function nesting({ model, path }: GivenValues, depth = 0): number {
  const items = lookUp(model, [...path, ...zeros(depth + 1)]);
  const isList =
    items.known &&
    items.types.includes("array") &&
    items.types.every((each) => each === "array" || each === "null");
  return isList && depth < deepest ? nesting({ model, path }, depth + 1) : depth;
}

/** PostgreSQL's arrays have at most six dimensions. */
const deepest = 6;

function zeros(count: number): readonly number[] {
  return Array.from({ length: count }, () => 0);
}

function branchesAt({ model, path }: GivenValues, depth: number): readonly JsonObject[] {
  const schemas = partSchemas(model.schema, [...path, ...zeros(depth)]);
  const branches = schemas.flatMap((each) => looseBranches(each, model.schema));
  return branches.filter((each) => each !== true);
}

function listsOf(schema: JsonSchema, depth: number): JsonSchema {
  return depth === 0 ? schema : { type: "array", items: listsOf(schema, depth - 1) };
}

function takenByElement(
  type: SqlElement,
  given: readonly JsonObject[],
  limits: ColumnLimits,
  losing: boolean,
): JsonSchema {
  if (type.kind === "enum") return { type: "string", enum: type.labels };
  const { names, typeScript } = type.traits;
  if (typeScript === "JsonValue") return true;
  const { digits, maxLength } = limits;
  if (names.includes("text") || type.name === "citext")
    return { type: "string", ...(maxLength !== undefined && { maxLength }) };
  const forms = formsOf(type, losing);
  if (digits !== undefined) return oneOf(withinDigits(forms, given, digits));
  if (!forms.some((form) => form["type"] === "string")) return oneOf(forms);
  return oneOf([...forms, ...textsOf(given)]);
}

function oneOf(forms: readonly JsonObject[]): JsonObject {
  const [only, ...others] = forms;
  return only !== undefined && others.length === 0 ? only : { anyOf: forms };
}

/** The usual JSON forms of a type's values, with a name for each. */
function formsOf(
  type: Extract<SqlElement, { readonly kind: "scalar" }>,
  losing: boolean,
): readonly JsonObject[] {
  const also = alsoTaken.get(type.name) ?? [];
  const usual = [
    ...scalarForms(type.traits).filter((form) => also.length === 0 || !isBare(form)),
    ...also,
  ];
  const all = losing ? [...usual, ...(losses.get(type.name)?.forms ?? [])] : usual;
  return all.map((form) => {
    if (isBare(form)) return { ...form, pattern: unsayable, ...withWords("only its own") };
    return form["pattern"] === undefined ? form : { ...form, ...wordsOf(form, type.name) };
  });
}

/** True for a schema that accepts texts without describing them. */
function isBare(form: JsonObject): boolean {
  return form["type"] === "string" && Object.keys(form).length === 1;
}

/**
 * Pattern for texts of a type that no schema describes. No other schema contains it, so that no
 * text is known to match.
 */
const unsayable = "^(?:[^]*)$";

export const digitsAlone = "^-?[0-9]+$";

function wordsOf({ pattern }: JsonObject, name: string): JsonObject {
  if (name === "int8" || name === "numeric") return withWords("digits", { pattern: digitsAlone });
  return typeof pattern === "string" ? withWords("only its own") : {};
}

const formatted = (format: string): JsonObject => ({ type: "string", format });

/** Forms that PostgreSQL reads, but which are not inferred for untyped parameters. */
const alsoTaken: ReadonlyMap<string, readonly JsonObject[]> = new Map([
  ["interval", [formatted("duration")]],
  ["inet", [formatted("ipv4"), formatted("ipv6")]],
  ["cidr", [formatted("ipv4"), formatted("ipv6")]],
]);

interface Loss {
  readonly forms: readonly JsonObject[];
  /** Description for messages: `is a date-time, of which `date` drops its time of day`. */
  readonly what: string;
  readonly part: string;
}

/** Texts that PostgreSQL reads while it silently drops a part, by type. */
export const losses: ReadonlyMap<string, Loss> = new Map([
  ["timestamp", { forms: [formatted("date-time")], what: "a date-time", part: "its offset" }],
  ["date", { forms: [formatted("date-time")], what: "a date-time", part: "its time of day" }],
  ["time", { forms: [formatted("time")], what: "a time", part: "its offset" }],
]);

/**
 * Numbers that fit a column with limited digits, and texts that the author lists. A schema can't
 * express that a number is rejected only because rounding makes it too large.
 */
function withinDigits(
  forms: readonly JsonObject[],
  given: readonly JsonObject[],
  { precision, scale }: NonNullable<ColumnLimits["digits"]>,
): readonly JsonObject[] {
  const limit = 10 ** (precision - scale);
  const numbers = forms.filter((form) => form["type"] !== "string");
  const bounded = { exclusiveMinimum: -limit, exclusiveMaximum: limit };
  // A text that is no number, such as `NaN`, is within the limit.
  const isWithin = (text: string) => !(Math.abs(Number(text)) >= limit);
  return [...numbers.map((form) => ({ ...form, ...bounded })), ...textsOf(given, isWithin)];
}

/** The texts that an author lists, or describes by a pattern. */
function textsOf(
  given: readonly JsonObject[],
  isTaken: (text: string) => boolean = () => true,
): readonly JsonObject[] {
  return given.flatMap((branch): readonly JsonObject[] => {
    const listed = listedIn(branch);
    const { pattern } = branch;
    if (listed === undefined)
      return typeof pattern === "string" ? [{ type: "string", pattern }] : [];
    const taken = listed.filter((each) => typeof each === "string" && isTaken(each));
    return taken.length > 0 ? [{ enum: taken }] : [];
  });
}
