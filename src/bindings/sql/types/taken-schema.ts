/**
 * What PostgreSQL takes for a parameter, as JSON Schema: what the parameter's own is compared with.
 */
import { type JsonObject, type JsonSchema } from "../../../core/json.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import { listedIn, partSchemas, looseBranches } from "../../../schema/compare/normal-form.js";
import { withWords } from "../../../schema/form-words.js";
import { lookUp } from "../../../schema/look-up.js";
import { scalarForms } from "./parameter-schema.js";
import type { SqlElement, SqlType } from "./sql-type.js";

/** What a column holds beside what its type does. */
export interface ColumnLimits {
  /** Characters: `varchar(n)`, `char(n)`. */
  readonly maxLength?: number;
  /** `numeric(precision, scale)`. */
  readonly digits?: { readonly precision: number; readonly scale: number };
}

/** The values that are given: a parameter's, as a rule. */
export interface GivenValues {
  readonly model: SchemaModel;
  /** Where the model says of them. */
  readonly path: readonly string[];
}

/**
 * JSON Schema of the values, null aside, that the type takes. Of texts a schema says only how they
 * usually look, and PostgreSQL reads many more: those that the parameter's schema lists or
 * describes by a pattern are part of it. Listed ones are put to PostgreSQL itself.
 *
 * @param losing whether with the texts of which PostgreSQL silently drops a part
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

/** PostgreSQL's arrays nest without a type that says so: how deep, the parameter does. */
function nesting({ model, path }: GivenValues, depth = 0): number {
  const items = lookUp(model, [...path, ...zeros(depth + 1)]);
  const isList =
    items.known &&
    items.types.includes("array") &&
    items.types.every((each) => each === "array" || each === "null");
  return isList && depth < deepest ? nesting({ model, path }, depth + 1) : depth;
}

/** PostgreSQL's arrays have six dimensions at most. */
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

/** The usual forms of a type's values, with what they are called. */
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

/** Says of texts that they are some, and not which. */
function isBare(form: JsonObject): boolean {
  return form["type"] === "string" && Object.keys(form).length === 1;
}

/**
 * Stands for the texts of a type that no schema describes. What it says is nobody's: that no text
 * is known to be one is what counts.
 */
const unsayable = "^(?:[^]*)$";

export const digitsAlone = "^-?[0-9]+$";

function wordsOf({ pattern }: JsonObject, name: string): JsonObject {
  if (name === "int8" || name === "numeric") return withWords("digits", { pattern: digitsAlone });
  return typeof pattern === "string" ? withWords("only its own") : {};
}

const formatted = (format: string): JsonObject => ({ type: "string", format });

/** What PostgreSQL reads, and would not be guessed for a parameter without a type. */
const alsoTaken: ReadonlyMap<string, readonly JsonObject[]> = new Map([
  ["interval", [formatted("duration")]],
  ["inet", [formatted("ipv4"), formatted("ipv6")]],
  ["cidr", [formatted("ipv4"), formatted("ipv6")]],
]);

interface Loss {
  readonly forms: readonly JsonObject[];
  /** In words: `is a date-time, of which `date` drops its time of day`. */
  readonly what: string;
  readonly part: string;
}

/** By type: texts that PostgreSQL reads, of which it drops a part without a word. */
export const losses: ReadonlyMap<string, Loss> = new Map([
  ["timestamp", { forms: [formatted("date-time")], what: "a date-time", part: "its offset" }],
  ["date", { forms: [formatted("date-time")], what: "a date-time", part: "its time of day" }],
  ["time", { forms: [formatted("time")], what: "a time", part: "its offset" }],
]);

/**
 * Numbers that a column of so many digits holds, and of the texts those that an author names. That
 * a number is refused which only its rounding makes too large, no schema says.
 */
function withinDigits(
  forms: readonly JsonObject[],
  given: readonly JsonObject[],
  { precision, scale }: NonNullable<ColumnLimits["digits"]>,
): readonly JsonObject[] {
  const limit = 10 ** (precision - scale);
  const numbers = forms.filter((form) => form["type"] !== "string");
  const bounded = { exclusiveMinimum: -limit, exclusiveMaximum: limit };
  // What is no number, as `NaN` is none, isn't beyond it.
  const isWithin = (text: string) => !(Math.abs(Number(text)) >= limit);
  return [...numbers.map((form) => ({ ...form, ...bounded })), ...textsOf(given, isWithin)];
}

/** The texts that an author lists, or says the look of. */
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
