/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import * as fc from "fast-check";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json.js";
import { long, ofFormat } from "./arbitrary-parts.js";
import { object, propertyName, scalar } from "./arbitrary-schema.js";

const bound = fc.integer({ min: -2, max: 3 });
const length = fc.integer({ min: 0, max: 2 });
const patterns = ["^[a-c]", "^a", "b$"];

function keywords(
  type: string,
  ...optional: readonly (readonly [string, fc.Arbitrary<JsonValue>])[]
): fc.Arbitrary<JsonValue> {
  const model = Object.fromEntries(optional);
  return fc.record(model, { requiredKeys: [] }).map((rest) => ({ type, ...rest }));
}

const plain: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(true, {}, { type: "boolean" }, { type: "null" }, { type: "string" }),
  scalar.map((value) => ({ const: value })),
  fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
  long,
  ofFormat,
  ...["integer", "number"].map((type) =>
    keywords(
      type,
      ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map(
        (name) => [name, bound] as const,
      ),
      ["multipleOf", fc.constantFrom(0.5, 1, 2, 3)],
      ["format", fc.constantFrom("int32", "int64")],
    ),
  ),
  fc.constantFrom<JsonValue>({ type: ["string", "null"] }, { type: ["integer", "string"] }),
);

export const { schema } = fc.letrec<{
  schema: JsonValue;
  properties: JsonValue;
  patterns: JsonValue;
}>((tie) => ({
  properties: fc
    .uniqueArray(fc.tuple(propertyName, tie("schema")), {
      maxLength: 3,
      selector: ([name]) => name,
    })
    .map(object),
  patterns: fc
    .array(fc.tuple(fc.constantFrom(...patterns), tie("schema")), { minLength: 1, maxLength: 2 })
    .map((entries) => Object.fromEntries(entries)),
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 6, arbitrary: plain },
    fc.constant<JsonValue>({ $ref: "#" }),
    keywords("string", ["minLength", length], ["maxLength", length], ["not", tie("schema")]),
    keywords(
      "array",
      ["items", tie("schema")],
      ["prefixItems", fc.array(tie("schema"), { minLength: 1, maxLength: 2 })],
      ["minItems", length],
      ["maxItems", length],
      ["uniqueItems", fc.boolean()],
      ["contains", tie("schema")],
      ["minContains", length],
      ["maxContains", length],
    ),
    keywords(
      "array",
      ["prefixItems", fc.array(tie("schema"), { minLength: 1, maxLength: 2 })],
      ["unevaluatedItems", fc.oneof(fc.constant<JsonValue>(false), tie("schema"))],
      ["allOf", tie("schema").map((items) => [{ items }])],
      ["anyOf", tie("schema").map((first) => [{ prefixItems: [first] }, true])],
      ["minItems", length],
    ),
    ...["additionalProperties", "unevaluatedProperties"].map((rest) =>
      keywords(
        "object",
        ["properties", tie("properties")],
        ["patternProperties", tie("patterns")],
        ["required", fc.uniqueArray(propertyName, { maxLength: 2 })],
        [rest, fc.oneof(fc.constant<JsonValue>(false), tie("schema"))],
        ["allOf", tie("properties").map((properties) => [{ properties }])],
      ),
    ),
    fc.record({ properties: tie("properties"), minItems: length }, { requiredKeys: [] }),
    keywords(
      "object",
      ["properties", tie("properties")],
      ["additionalProperties", fc.oneof(fc.constant<JsonValue>(false), tie("schema"))],
      ["patternProperties", tie("patterns")],
      ["propertyNames", fc.oneof(tie("schema"), fc.constant<JsonValue>({ maxLength: 1 }))],
      ["minProperties", length],
      ["maxProperties", length],
      ["dependentRequired", fc.constant<JsonValue>({ a: ["b"] })],
      ["dependentSchemas", tie("schema").map((each) => ({ a: each }))],
    ),
    fc.record({ not: tie("schema") }),
    fc.record(
      {
        if: tie("schema"),
        then: tie("schema"),
        else: fc.oneof(tie("schema"), fc.constant<JsonValue>(false)),
      },
      { requiredKeys: ["if"] },
    ),
    ...["anyOf", "allOf"].map((keyword) =>
      fc
        .array(tie("schema"), { minLength: 1, maxLength: 2 })
        .map((schemas) => ({ [keyword]: schemas })),
    ),
  ),
}));

/** The generator makes only objects here. */
export const root = schema.filter(
  (value) => isJsonObject(value) && !isEndless(value),
) as fc.Arbitrary<JsonObject>;

/**
 * True for a reference that leads to itself without a step into the value. The compiler rejects
 * such schemas.
 */
export function isEndless(of: JsonValue): boolean {
  if (!isJsonObject(of)) return false;
  const { $ref, anyOf, allOf, dependentSchemas, ...others } = of;
  const inPlace = [
    anyOf ?? [],
    allOf ?? [],
    Object.values(dependentSchemas ?? {}),
    ...["not", "if", "then", "else"].map((name) => others[name] ?? []),
  ];
  return $ref !== undefined || (inPlace.flat() as readonly JsonValue[]).some(isEndless);
}
