import type { JsonObject } from "../core/json.js";

/** The three dialects that skillc reads, oldest first. */
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

/** A keyword that contains schemas. */
const schemas = (
  shape: Exclude<KeywordShape, "data">,
  description: string,
  dialects = all,
  inPlace = false,
): Keyword => ({ shape, dialects, inPlace, description });

/** A keyword that contains data. */
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
    data("The type of the value, or its possible types.", {
      anyOf: [typeName, { type: "array", items: typeName, minItems: 1 }],
    }),
  ],
  ["description", data("Describes the value, for models and in generated types.", text)],
  ["enum", data("The only allowed values.", { type: "array" })],
  ["const", data("The only allowed value.")],
  ["default", data("The value if the caller passes none.")],
  [
    "format",
    data("The format of a text: `date-time`, `date`, `uuid`, `email`, `uri` and the like.", text),
  ],
  ["pattern", data("A regular expression (ECMAScript, flag `u`) that the text matches.", text)],
  ["minLength", data("The minimum number of characters.", count)],
  ["maxLength", data("The maximum number of characters.", count)],
  ["minimum", data("The minimum.", number)],
  ["maximum", data("The maximum.", number)],
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
    schemas("schema", "Schema of all other properties; `false` allows none."),
  ],
  [
    "patternProperties",
    schemas("schema-map", "Schemas of properties whose names match a regular expression."),
  ],
  ["propertyNames", schemas("schema", "Schema of every property's name.")],
  [
    "unevaluatedProperties",
    schemas(
      "schema",
      "Schema of the properties that nothing else in this schema describes.",
      since2019,
    ),
  ],
  [
    "dependentRequired",
    data(
      "Properties that are required if another property is present.",
      { type: "object", additionalProperties: names },
      since2019,
    ),
  ],
  ["minProperties", data("The minimum number of properties.", count)],
  ["maxProperties", data("The maximum number of properties.", count)],
  ["items", schemas("items", "Schema of every item of a list.")],
  ["prefixItems", schemas("schema-list", "Schemas of the first items, one by one.", ["2020-12"])],
  [
    "additionalItems",
    schemas("schema", "Schema of the items after the listed ones.", ["draft-07", "2019-09"]),
  ],
  [
    "unevaluatedItems",
    schemas("schema", "Schema of the items that nothing else in this schema describes.", since2019),
  ],
  ["contains", schemas("schema", "At least one item fits this schema.")],
  ["minContains", data("The minimum number of items that fit `contains`.", count, since2019)],
  ["maxContains", data("The maximum number of items that fit `contains`.", count, since2019)],
  ["minItems", data("The minimum number of items.", count)],
  ["maxItems", data("The maximum number of items.", count)],
  ["uniqueItems", data("If `true`, no two items are equal.", flag)],
  ["allOf", schemas("schema-list", "The value fits all of these schemas.", all, true)],
  ["anyOf", schemas("schema-list", "The value fits at least one of these schemas.", all, true)],
  ["oneOf", schemas("schema-list", "The value fits exactly one of these schemas.", all, true)],
  ["not", schemas("schema", "The value does not fit this schema.", all, true)],
  [
    "if",
    schemas(
      "schema",
      "If the value fits this schema, `then` applies, otherwise `else`.",
      all,
      true,
    ),
  ],
  ["then", schemas("schema", "Applies if the value fits `if`.", all, true)],
  ["else", schemas("schema", "Applies if the value does not fit `if`.", all, true)],
  [
    "dependentSchemas",
    schemas(
      "schema-map",
      "Schemas of the object that apply if a property is present.",
      since2019,
      true,
    ),
  ],
  [
    "dependencies",
    schemas(
      "dependencies",
      "Schemas or required names that apply if a property is present.",
      all,
      true,
    ),
  ],
  [
    "$ref",
    data("The schema that applies here: `#/$defs/line`, or `./order.json#/$defs/line`.", text),
  ],
  ["$defs", schemas("schema-map", "Schemas that `$ref` names.")],
  ["definitions", schemas("schema-map", "Schemas that `$ref` names; `$defs` since 2019-09.")],
  ["title", data("A name for the value; generated types use the name.", text)],
  ["examples", data("Values as examples.", { type: "array" })],
  ["deprecated", data("If `true`, the value should no longer be used.", flag)],
  ["readOnly", data("If `true`, only the other side sets the value.", flag)],
  ["writeOnly", data("If `true`, the value is masked in the ledger and in shadow records.", flag)],
  ["contentEncoding", data("The encoding of bytes in a text: `base64`. Not checked.", text)],
  ["contentMediaType", data("The media type of a text: `application/json`. Not checked.", text)],
  ["contentSchema", data("Schema of the content of a text. Not checked.", undefined, since2019)],
  ["$schema", data("The dialect: draft-07, 2019-09 or 2020-12 (the default).", text)],
  ["$id", data("The schema's identifier.", text)],
  ["$comment", data("A comment; it has no effect.", text)],
  ["$anchor", data("A name by which `$ref` finds this schema.", text, since2019)],
  ["$vocabulary", data("The vocabularies of a metaschema.", { type: "object" }, since2019)],
  ["$recursiveRef", data("A reference that a later schema may redirect.", text, ["2019-09"])],
  ["$recursiveAnchor", data("If `true`, `$recursiveRef` is redirected here.", flag, ["2019-09"])],
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
 * Keywords that describe a value without restricting it. They are harmless beside a draft-07
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
