import * as fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/core/json.js";
import { metaschemas } from "../../src/schema/dialect.js";
import type { Dialect } from "../../src/schema/keywords.js";
import { object, scalar } from "./arbitrary-schema.js";

const names = ["a", "b", "c", "x-y", "__proto__"];
const types = ["string", "number", "boolean", "null"];

/**
 * Schemas with only the keywords that TypeScript can express: types, required, enum, const, closed
 * objects, items, tuples, unions, references. The property `kind` discriminates unions of objects,
 * because TypeScript allows a property of any member in an undiscriminated union.
 */
export function preciseSchema(dialect: Dialect): fc.Arbitrary<JsonValue> {
  const definitions = dialect === "2020-12" ? "$defs" : "definitions";
  const tuple = dialect === "2020-12" ? "prefixItems" : "items";
  const after = dialect === "2020-12" ? "items" : "additionalItems";
  type Tied = {
    readonly scalar: JsonObject;
    readonly schema: JsonObject;
    readonly leaf: JsonObject;
    readonly object: JsonObject;
  };
  const { schema } = fc.letrec<Tied>((tie) => ({
    scalar: fc.oneof<fc.Arbitrary<JsonObject>[]>(
      fc.constantFrom(...types).map((type) => ({ type })),
      fc.subarray(types, { minLength: 2 }).map((type) => ({ type })),
      fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
      scalar.map((each) => ({ const: each })),
    ),
    leaf: fc.oneof(
      { arbitrary: tie("scalar"), weight: 4 },
      fc.constant({ const: { a: [1, "b"], b: {} } }),
      fc.constantFrom("one", "two").map((name) => ({ $ref: `#/${definitions}/${name}` })),
    ),
    object: fc
      .tuple(
        fc.uniqueArray(fc.constantFrom(...names), { maxLength: 4 }),
        fc.array(tie("schema"), { minLength: 4, maxLength: 4 }),
        fc.nat(15),
        fc.boolean(),
      )
      .map(([keys, schemas, mask, closed]) => ({
        type: "object",
        properties: object(keys.map((key, index) => [key, schemas[index] ?? true])),
        required: keys.filter((_, index) => (mask >> index) % 2 === 1),
        ...(closed ? { additionalProperties: false } : {}),
      })),
    schema: fc.oneof<fc.Arbitrary<JsonObject>[]>(
      { maxDepth: 3, depthSize: "small" },
      tie("leaf"),
      tie("object"),
      tie("object").map((each) => ({ allOf: [each, { type: "object" }] })),
      tie("schema").map((items) => ({ type: "array", items })),
      tie("schema").map((additionalProperties) => ({ type: "object", additionalProperties })),
      fc
        .tuple(
          fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
          fc.oneof(fc.constant(false), tie("schema")),
          fc.nat(3),
        )
        .map(([prefix, rest, minItems]) => ({
          type: "array",
          [tuple]: prefix,
          [after]: rest,
          minItems: Math.min(minItems, prefix.length),
        })),
      fc.tuple(tie("scalar"), tie("schema")).map((anyOf) => ({ anyOf })),
      fc
        .tuple(tie("object"), tie("object"))
        .map(([first, second]) => ({ oneOf: [tagged(first, "first"), tagged(second, "second")] })),
    ),
  }));
  return fc.tuple(schema, schema, schema).map(([root, one, two]) => ({
    $schema: metaschemas[dialect],
    type: "object",
    required: ["value"],
    additionalProperties: false,
    properties: { value: root },
    [definitions]: { one, two },
  }));
}

function tagged(schema: JsonObject, kind: string): JsonObject {
  const properties = schema["properties"];
  const required = schema["required"];
  return {
    ...schema,
    properties: {
      ...(typeof properties === "object" && properties !== null ? (properties as JsonObject) : {}),
      kind: { const: kind },
    },
    required: [...(Array.isArray(required) ? required : []), "kind"],
  };
}
