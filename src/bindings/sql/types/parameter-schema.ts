/** Infers the schema of an untyped parameter from the types of its places. */
import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../core/json.js";
import { compare } from "../../../schema/compare/compare.js";
import type { BuiltInType } from "./builtin-types.js";
import type { SqlType } from "./sql-type.js";

/**
 * JSON Schema of the values that fit all these types, in the JSON forms of PostgreSQL's values
 * (docs/sql/types.md). Undefined if no value fits all. Null is excluded; the author decides whether
 * a call may give none.
 *
 * @param asNumber true if a number is preferred for a type that accepts a text or a number
 */
export function parameterSchema(
  types: readonly SqlType[],
  asNumber: boolean,
): JsonObject | undefined {
  const distinct = types.filter(
    (type, at) => types.findIndex((each) => isDeepStrictEqual(each, type)) === at,
  );
  const forms = distinct.flatMap(formsOf);
  const [texts, others] = [forms.filter(isText), forms.filter((each) => !isText(each))];
  const inOrder = asNumber ? [...others, ...texts] : forms;
  return [...inOrder, ...shared(distinct, forms, asNumber)].find((form) =>
    distinct.every((type) => isFormOf(form, type)),
  );
}

/** The JSON forms of a type, the usual one first. */
function formsOf(type: SqlType): readonly JsonObject[] {
  if (type.kind === "enum") return [{ type: "string", enum: type.labels }];
  if (type.kind === "scalar") return scalarForms(type.traits);
  return formsOf(type.of).map((items) => ({ type: "array", items }));
}

/** True for a text, or a list of texts. */
function isText({ items, type }: JsonObject): boolean {
  return type === "string" || (isJsonObject(items) && isText(items));
}

/** True if each value of the form fits the type. */
function isFormOf(form: JsonObject, type: SqlType): boolean {
  const own = formsOf(type);
  if (own.some((each) => isDeepStrictEqual(each, form))) return true;
  if (isOpaque(type)) return false;
  const isFitting = (each: JsonObject) =>
    (rule(each) === undefined || rule(form) === undefined || rule(each) === rule(form)) &&
    compare({ schema: form, root: form }, { schema: each, root: each }).length === 0;
  return own.some(isFitting);
}

/** The rule for texts. Two different patterns can't be compared. */
function rule({ format, items, pattern }: JsonObject): JsonValue | undefined {
  return pattern ?? format ?? (isJsonObject(items) ? rule(items) : undefined);
}

/** True if the type accepts only some texts that no schema can describe. */
function isOpaque(type: SqlType): boolean {
  if (type.kind === "array") return isOpaque(type.of);
  if (type.kind === "enum") return false;
  const isAnyText = type.traits.names.includes("text");
  return !isAnyText && isDeepStrictEqual(scalarForms(type.traits), [anyText]);
}

const anyText = { type: "string" };

/**
 * Forms that only combinations of types have: the labels of several enums, the integers of several
 * ranges, lists of these.
 */
function shared(
  types: readonly SqlType[],
  forms: readonly JsonObject[],
  asNumber: boolean,
): readonly JsonObject[] {
  const elements = types.flatMap((type) => (type.kind === "array" ? [type.of] : []));
  const items =
    elements.length === types.length && types.length > 1
      ? parameterSchema(elements, asNumber)
      : undefined;
  const ranges = forms.filter(({ type }) => type === "integer");
  const minimum = Math.max(...ranges.map((each) => Number(each["minimum"])));
  const maximum = Math.min(...ranges.map((each) => Number(each["maximum"])));
  const labels = types.map((type) => (type.kind === "enum" ? type.labels : undefined));
  const common = labels[0]?.filter((label) => labels.every((each) => each?.includes(label)));
  return [
    ...(items === undefined ? [] : [{ type: "array", items }]),
    ...(ranges.length > 1 ? [{ type: "integer", minimum, maximum }] : []),
    ...(common !== undefined && common.length > 0 ? [{ type: "string", enum: common }] : []),
  ];
}

/** The same schema with a maximal length of texts, or of the texts in lists. */
export function withMaxLength(schema: JsonObject, maxLength: number): JsonObject {
  const { items, type } = schema;
  if (type === "string" && schema["enum"] === undefined) return { ...schema, maxLength };
  return isJsonObject(items) ? { ...schema, items: withMaxLength(items, maxLength) } : schema;
}

/** Every integer that a JSON number holds exactly. */
const exactInteger: JsonObject = {
  type: "integer",
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};

const like = (pattern: string): JsonObject => ({ type: "string", pattern });
const formatted = (format: string): JsonObject => ({ type: "string", format });

const digits = like("^-?[0-9]+$");
const decimal = like("^-?[0-9]+(?:\\.[0-9]+)?$");
const time = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?";
const day = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
/** The parts of a duration before its `T`, and from there on. */
const [days, seconds] = ["(?:-?[0-9]+[YMWD])+", "T(?:-?[0-9]+(?:\\.[0-9]+)?[HMS])+"];
// NULL is sent as null, so that JSON's own null can't be given.
const json: JsonObject = { type: ["object", "array", "string", "number", "boolean"] };

const forms: ReadonlyMap<string, readonly JsonObject[]> = new Map([
  ["int8", [digits, exactInteger]],
  ["numeric", [decimal, { type: "number" }, digits]],
  ["timestamptz", [formatted("date-time"), formatted("date")]],
  ["timestamp", [like(`^${day}T${time}$`), formatted("date")]],
  ["date", [formatted("date")]],
  ["time", [like(`^${time}$`)]],
  ["timetz", [formatted("time")]],
  ["interval", [like(`^P(?:${days}(?:${seconds})?|${seconds})$`)]],
  ["varbit", [like("^[01]*$")]],
  ["json", [json]],
  ["jsonb", [json]],
]);

/**
 * JSON Schemas of an untyped parameter's values, the usual one first. By default it is the schema
 * of a column. Special values, `NaN` and the infinities, are left out; an author must request them
 * explicitly.
 */
export function scalarForms({ names: [name = ""], schema }: BuiltInType): readonly JsonObject[] {
  return forms.get(name) ?? [schema];
}
