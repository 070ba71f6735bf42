import { near } from "../model/near-names.js";

type Params = Readonly<Record<string, unknown>>;
/** A failed keyword, as Ajv reports it. */
interface FailedKeyword {
  readonly keyword: string;
  readonly params?: Params;
}

type MessageOf = (params: Params, value: unknown) => string;

/**
 * Returns the message of a problem, as the rest of a sentence about the place: `must be an integer,
 * not a string`. It uses the schema and the type of the value, but never the value, which may be
 * secret.
 *
 * @param value the value at the place
 */
export function messageOf({ keyword, params = {} }: FailedKeyword, value: unknown): string {
  const { form } = params;
  if (typeof form === "string") return `must be ${form}`;
  const wording = Object.hasOwn(messages, keyword) ? messages[keyword] : undefined;
  return wording?.(params, value) ?? `does not fit \`${keyword}\``;
}

const messages: { readonly [keyword: string]: MessageOf } = {
  required: () => "is missing",
  dependentRequired: ({ property }) => `is missing, although ${quotedName(property)} is present`,
  type: ({ type }, value) => `must be ${typeNames(type)}, not ${typeOf(value, type)}`,
  enum: ({ allowedValues }) => `must be one of ${listed(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${shown(allowedValue)}`,
  format: ({ format }) => `must be a valid \`${String(format)}\`${exampleOf(format)}`,
  pattern: ({ pattern }) => `must match the pattern ${quotedName(pattern)}`,
  minLength: ({ limit }) => (limit === 1 ? "must not be empty" : atLeast(limit, "character")),
  maxLength: ({ limit }) => atMost(limit, "character"),
  minItems: ({ limit }) => (limit === 1 ? "must not be empty" : atLeast(limit, "item")),
  maxItems: ({ limit }) => atMost(limit, "item"),
  minProperties: ({ limit }) => atLeast(limit, "property", "properties"),
  maxProperties: ({ limit }) => atMost(limit, "property", "properties"),
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${String(limit)}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${String(multipleOf)}`,
  uniqueItems: ({ i, j }) => `must not have equal items: ${String(j)} and ${String(i)} are`,
  contains: ({ minContains, maxContains }) => contains(minContains, maxContains),
  additionalProperties: ({ additionalProperty, known }) => unknown(additionalProperty, known),
  unevaluatedProperties: () => "is not known here",
  items: ({ limit }) => atMost(limit, "item"),
  unevaluatedItems: ({ limit }) => atMost(limit, "item"),
  propertyNames: () => "has a property with a forbidden name",
  "false schema": () => "is not allowed",
  not: () => "has a forbidden form",
  anyOf: () => "fits none of the allowed forms",
  oneOf: ({ passingSchemas }) =>
    Array.isArray(passingSchemas)
      ? "fits several of the allowed forms, but may fit only one"
      : "fits none of the allowed forms",
  if: ({ failingKeyword }) => `does not satisfy \`${String(failingKeyword)}\``,
};

const typePhrases: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
  null: "null",
};

function typeNames(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  const phrases = types.map((each) => typePhrases[String(each)] ?? String(each));
  return phrases.length < 2
    ? phrases.join("")
    : `${phrases.slice(0, -1).join(", ")} or ${phrases.at(-1)}`;
}

/** Returns the type of a value with its article. JavaScript callers may pass anything. */
export function typeOf(value: unknown, wanted?: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "number") return typePhrases[typeof value] ?? `a ${typeof value}`;
  if (!Number.isFinite(value)) return String(value);
  const isFraction = !Number.isInteger(value) && [wanted].flat().includes("integer");
  return isFraction ? "a number with a fraction" : "a number";
}

const maxListed = 20;
const longestShown = 100;

function listed(values: unknown): string {
  const all = Array.isArray(values) ? values : [];
  const more = all.length > maxListed ? " and others" : "";
  return `${all.slice(0, maxListed).map(shown).join(", ")}${more}`;
}

/** Returns a value of the schema as JSON. */
function shown(value: unknown): string {
  return cut(JSON.stringify(value) ?? String(value));
}

/** Returns a property's name, or a pattern, as messages show it. */
export function quotedName(value: unknown): string {
  return `\`${cut(String(value))}\``;
}

function cut(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

function atLeast(limit: unknown, one: string, many?: string): string {
  return `must have at least ${count(limit, one, many)}`;
}

function atMost(limit: unknown, one: string, many?: string): string {
  return limit === 0 ? "must be empty" : `must have at most ${count(limit, one, many)}`;
}

function count(limit: unknown, one: string, many = `${one}s`): string {
  return `${String(limit)} ${limit === 1 ? one : many}`;
}

function contains(least: unknown, most: unknown): string {
  const range = most === undefined ? `at least ${String(least)}` : rangeOf(least, most);
  return `must contain ${range} of the items that \`contains\` describes`;
}

function rangeOf(least: unknown, most: unknown): string {
  return least === most ? `exactly ${String(most)}` : `${String(least)} to ${String(most)}`;
}

/**
 * Compares the property's name, which comes from the caller, and doesn't repeat it. The pointer
 * contains it.
 */
function unknown(written: unknown, known: unknown): string {
  const names = Array.isArray(known) ? known.map(String) : [];
  const [nearest] = near(String(written), names);
  if (nearest !== undefined) return `is not known here; did you mean ${quotedName(nearest)}?`;
  const few = names.length > 0 && names.length <= maxListed;
  return few
    ? `is not known here: the properties are ${names.map(quotedName).join(", ")}`
    : "is not known here";
}

const examples: Readonly<Record<string, string>> = {
  "date-time": "2025-01-31T09:30:00Z",
  date: "2025-01-31",
  time: "09:30:00Z",
  duration: "P1DT12H",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  uri: "https://example.com/a",
};

function exampleOf(format: unknown): string {
  const example = Object.hasOwn(examples, String(format)) ? examples[String(format)] : undefined;
  return example === undefined ? "" : `, such as ${example}`;
}
