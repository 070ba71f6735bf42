import type { JsonObject } from "../core/json.js";

/** The three dialects that are read, oldest first. */
export type Dialect = "draft-07" | "2019-09" | "2020-12";

/** Content of a keyword: subschemas in one of three arrangements, or data. */
export type KeywordShape =
  | "schema"
  | "schema-list"
  | "schema-map"
  /** A schema; before 2020-12, also a list of schemas. */
  | "items"
  /** A schema or a list of names for each property name. */
  | "dependencies"
  | "data";

export interface Keyword {
  readonly shape: KeywordShape;
  readonly dialects: readonly Dialect[];
  /** True if the subschemas apply to the same value, and not to a part of it. */
  readonly inPlace: boolean;
  /** Description of the keyword, for editors. */
  readonly description: string;
  /** JSON Schema for the content of a data keyword; anything if absent. */
  readonly value?: JsonObject;
}

const all: readonly Dialect[] = ["draft-07", "2019-09", "2020-12"];
const since2019: readonly Dialect[] = ["2019-09", "2020-12"];

const text: JsonObject = { type: "string" };
const number: JsonObject = { type: "number" };
const count: JsonObject = { type: "integer", minimum: 0 };
const flag: JsonObject = { type: "boolean" };
const names: JsonObject = { type: "array", items: text };

/** A type of JSON Schema. */
export type JsonType = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

/** The names of JSON Schema's types. */
export const schemaTypes: readonly string[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
  "null",
];
const typeName: JsonObject = { enum: schemaTypes };

/** One that holds schemas. */
const schemas = (
  shape: Exclude<KeywordShape, "data">,
  description: string,
  dialects = all,
  inPlace = false,
): Keyword => ({ shape, dialects, inPlace, description });

/** One that holds data. */
const data = (description: string, value?: JsonObject, dialects = all): Keyword => ({
  shape: "data",
  dialects,
  inPlace: false,
  description,
  ...(value && { value }),
});

/**
 * Keywords whose meaning survives into the normalized document, and those that normalization
 * rewrites.
 */
const table: ReadonlyMap<string, Keyword> = new Map([
  [
    "type",
    data("Which type a value has, or which types it may have.", {
      anyOf: [typeName, { type: "array", items: typeName, minItems: 1 }],
    }),
  ],
  ["description", data("What the value is. Models and generated types are told it.", text)],
  ["enum", data("The only values there are.", { type: "array" })],
  ["const", data("The only value there is.")],
  ["default", data("What stands in for the value where the caller gives none.")],
  [
    "format",
    data("What a text is: `date-time`, `date`, `uuid`, `email`, `uri` and the like.", text),
  ],
  ["pattern", data("A regular expression (ECMAScript, flag `u`) that the text matches.", text)],
  ["minLength", data("The least number of characters.", count)],
  ["maxLength", data("The greatest number of characters.", count)],
  ["minimum", data("The least number.", number)],
  ["maximum", data("The greatest number.", number)],
  ["exclusiveMinimum", data("Every number is greater than this.", number)],
  ["exclusiveMaximum", data("Every number is less than this.", number)],
  [
    "multipleOf",
    data("Every number is a multiple of this; decimals count as they are written.", {
      type: "number",
      exclusiveMinimum: 0,
    }),
  ],
  ["properties", schemas("schema-map", "The properties of an object, by name.")],
  ["required", data("Names of the properties that must be there.", names)],
  [
    "additionalProperties",
    schemas("schema", "What other properties hold; `false` where there are none."),
  ],
  [
    "patternProperties",
    schemas("schema-map", "What properties hold whose names match a regular expression."),
  ],
  ["propertyNames", schemas("schema", "What every property's name must be.")],
  [
    "unevaluatedProperties",
    schemas(
      "schema",
      "What properties hold that nothing else in this schema describes.",
      since2019,
    ),
  ],
  [
    "dependentRequired",
    data(
      "Which other properties must be there where one is.",
      { type: "object", additionalProperties: names },
      since2019,
    ),
  ],
  ["minProperties", data("The least number of properties.", count)],
  ["maxProperties", data("The greatest number of properties.", count)],
  ["items", schemas("items", "What every item of a list is.")],
  ["prefixItems", schemas("schema-list", "What the first items are, one by one.", ["2020-12"])],
  [
    "additionalItems",
    schemas("schema", "What the items behind the listed ones are.", ["draft-07", "2019-09"]),
  ],
  [
    "unevaluatedItems",
    schemas("schema", "What items are that nothing else in this schema describes.", since2019),
  ],
  ["contains", schemas("schema", "At least one item is this.")],
  ["minContains", data("How many items at least are what `contains` says.", count, since2019)],
  ["maxContains", data("How many items at most are what `contains` says.", count, since2019)],
  ["minItems", data("The least number of items.", count)],
  ["maxItems", data("The greatest number of items.", count)],
  ["uniqueItems", data("Whether no item stands twice.", flag)],
  ["allOf", schemas("schema-list", "The value is all of these.", all, true)],
  ["anyOf", schemas("schema-list", "The value is at least one of these.", all, true)],
  ["oneOf", schemas("schema-list", "The value is exactly one of these.", all, true)],
  ["not", schemas("schema", "The value is not this.", all, true)],
  ["if", schemas("schema", "Where the value is this, `then` holds, else `else`.", all, true)],
  ["then", schemas("schema", "Holds where the value is what `if` says.", all, true)],
  ["else", schemas("schema", "Holds where the value is not what `if` says.", all, true)],
  [
    "dependentSchemas",
    schemas(
      "schema-map",
      "What else holds of the object where a property is there.",
      since2019,
      true,
    ),
  ],
  [
    "dependencies",
    schemas("dependencies", "What else holds, or must be there, where a property is.", all, true),
  ],
  [
    "$ref",
    data("The schema that holds here: `#/$defs/line`, or `./order.json#/$defs/line`.", text),
  ],
  ["$defs", schemas("schema-map", "Schemas that `$ref` names.")],
  ["definitions", schemas("schema-map", "Schemas that `$ref` names; `$defs` since 2019-09.")],
  ["title", data("A name for the value; generated types are named by it.", text)],
  ["examples", data("Values as examples.", { type: "array" })],
  ["deprecated", data("Whether the value should no longer be used.", flag)],
  ["readOnly", data("Whether only the other side sets the value.", flag)],
  ["writeOnly", data("Whether the value is masked in the ledger and in shadow records.", flag)],
  ["contentEncoding", data("How a text encodes bytes: `base64`. Not checked.", text)],
  ["contentMediaType", data("What a text holds: `application/json`. Not checked.", text)],
  ["contentSchema", data("What a text holds, as a schema. Not checked.", undefined, since2019)],
  ["$schema", data("The dialect: 2020-12 where it is absent, or draft-07, or 2019-09.", text)],
  ["$id", data("The schema's identifier.", text)],
  ["$comment", data("A note that nobody is told.", text)],
  ["$anchor", data("A name by which `$ref` finds this schema.", text, since2019)],
  ["$vocabulary", data("The vocabularies of a metaschema.", { type: "object" }, since2019)],
  ["$recursiveRef", data("A reference that a later schema may redirect.", text, ["2019-09"])],
  ["$recursiveAnchor", data("Whether `$recursiveRef` is redirected here.", flag, ["2019-09"])],
  ["$dynamicRef", data("A reference that a later schema may redirect.", text, ["2020-12"])],
  ["$dynamicAnchor", data("A name to which `$dynamicRef` is redirected.", text, ["2020-12"])],
]);

/** The keyword of that name in any dialect. */
export function keywordOf(name: string): Keyword | undefined {
  return table.get(name);
}

/** The keyword of that name, if the dialect has it. */
export function keywordIn(dialect: Dialect, name: string): Keyword | undefined {
  const found = table.get(name);
  return found?.dialects.includes(dialect) ? found : undefined;
}

/** Every keyword of any dialect. */
export const keywords: Iterable<readonly [name: string, keyword: Keyword]> = table;

/** The names of the dialect's keywords, for suggestions. */
export function keywordNames(dialect: Dialect): readonly string[] {
  return [...table].filter(([, each]) => each.dialects.includes(dialect)).map(([name]) => name);
}

/**
 * Keywords that describe a value without restricting it; they are harmless beside a draft-07
 * `$ref`.
 */
export const annotations: ReadonlySet<string> = new Set([
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
]);

/** Keys that authors may add for themselves. */
export function isExtension(name: string): boolean {
  return name.startsWith("x-");
}
