/** The three dialects that are read, oldest first. */
export type Dialect = "draft-07" | "2019-09" | "2020-12";

/** What stands under a keyword: subschemas in one of three arrangements, or data. */
export type KeywordShape =
  | "schema"
  | "schema-list"
  | "schema-map"
  /** A schema, or before 2020-12 a list of them. */
  | "items"
  /** By property name, a schema or a list of names. */
  | "dependencies"
  | "data";

export interface Keyword {
  readonly shape: KeywordShape;
  readonly dialects: readonly Dialect[];
  /** Whether the subschemas apply to the same value rather than to a part of it. */
  readonly inPlace: boolean;
}

const all: readonly Dialect[] = ["draft-07", "2019-09", "2020-12"];
const since2019: readonly Dialect[] = ["2019-09", "2020-12"];

const keyword = (shape: KeywordShape, dialects = all, inPlace = false): Keyword => ({
  shape,
  dialects,
  inPlace,
});

/** Keywords whose meaning survives into the normalized document, and those that normalization rewrites. */
const table: ReadonlyMap<string, Keyword> = new Map([
  ["allOf", keyword("schema-list", all, true)],
  ["anyOf", keyword("schema-list", all, true)],
  ["oneOf", keyword("schema-list", all, true)],
  ["not", keyword("schema", all, true)],
  ["if", keyword("schema", all, true)],
  ["then", keyword("schema", all, true)],
  ["else", keyword("schema", all, true)],
  ["dependentSchemas", keyword("schema-map", since2019, true)],
  ["dependencies", keyword("dependencies", all, true)],
  ["properties", keyword("schema-map")],
  ["patternProperties", keyword("schema-map")],
  ["additionalProperties", keyword("schema")],
  ["unevaluatedProperties", keyword("schema", since2019)],
  ["propertyNames", keyword("schema")],
  ["items", keyword("items")],
  ["prefixItems", keyword("schema-list", ["2020-12"])],
  ["additionalItems", keyword("schema", ["draft-07", "2019-09"])],
  ["unevaluatedItems", keyword("schema", since2019)],
  ["contains", keyword("schema")],
  ["$defs", keyword("schema-map", all)],
  ["definitions", keyword("schema-map", all)],
  ["contentSchema", keyword("data", since2019)],
  ...(
    [
      "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern format",
      "maxItems minItems uniqueItems maxProperties minProperties required",
      "title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType",
      "$ref $id $schema $comment",
    ].flatMap((line) => line.split(" ")) as readonly string[]
  ).map((name): [string, Keyword] => [name, keyword("data")]),
  ...["minContains", "maxContains", "dependentRequired", "$anchor", "$vocabulary"].map(
    (name): [string, Keyword] => [name, keyword("data", since2019)],
  ),
  ["$recursiveRef", keyword("data", ["2019-09"])],
  ["$recursiveAnchor", keyword("data", ["2019-09"])],
  ["$dynamicRef", keyword("data", ["2020-12"])],
  ["$dynamicAnchor", keyword("data", ["2020-12"])],
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

/** The names of the dialect's keywords, for suggestions. */
export function keywordNames(dialect: Dialect): readonly string[] {
  return [...table].filter(([, each]) => each.dialects.includes(dialect)).map(([name]) => name);
}

/** Keywords that say something about a value without restricting it; beside a draft-07 `$ref` they do no harm. */
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
