/** Schemas with few keywords, several of which often describe the same place. */
import * as fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/core/json.js";
import { object } from "./arbitrary-schema.js";

/** More values than the comparison tries for combined parts. */
const numbers: readonly JsonValue[] = Array.from({ length: 66 }, (_, index) => index - 1);

export const long: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  { enum: [...numbers, "a", null] },
  { enum: numbers },
  { enum: numbers.slice(1) },
);

export const ofFormat: fc.Arbitrary<JsonValue> = fc
  .constantFrom("uri", "uri-reference", "hostname", "ipv4", "uuid", "password")
  .map((format) => ({ type: "string", format }));

const texts: readonly JsonValue[] = [true, { type: "string" }, { type: "string", maxLength: 1 }];
const leaf = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<JsonValue>(...texts, { type: "integer" }) },
  long,
  ofFormat,
);
const rest = fc.oneof({ weight: 2, arbitrary: leaf }, fc.constant<JsonValue>(false));

/** Makes objects with some of the keys. An omitted key is absent, not undefined. */
function some(model: {
  readonly [name: string]: fc.Arbitrary<JsonValue>;
}): fc.Arbitrary<JsonObject> {
  return fc.record(model, { requiredKeys: [] }).map((each) => ({ ...each }) as JsonObject);
}

function map(...names: readonly string[]): fc.Arbitrary<JsonObject> {
  const entry = fc.tuple(fc.constantFrom(...names), leaf);
  return fc
    .uniqueArray(entry, { minLength: 1, maxLength: 2, selector: ([name]) => name })
    .map(object);
}

const properties = map("a", "b", "ab");
const patternProperties = map("^a", "b$");
const required = fc.uniqueArray(fc.constantFrom("a", "ab"), { minLength: 1 });
const prefixItems = fc.array(leaf, { minLength: 1, maxLength: 2 });
const length = fc.nat(2);

const objects = fc.oneof(
  some({ properties, required, additionalProperties: rest }),
  some({ properties, patternProperties, required, additionalProperties: rest }),
  some({
    properties,
    unevaluatedProperties: rest,
    allOf: some({ properties, patternProperties, additionalProperties: rest }).map((each) => [
      each,
    ]),
  }),
);

const lists = fc.oneof(
  some({ prefixItems, items: rest, minItems: length, maxItems: length }),
  some({
    prefixItems,
    unevaluatedItems: rest,
    minItems: length,
    allOf: some({ prefixItems, items: rest }).map((each) => [each]),
  }),
);

const typed = (type: string, schema: fc.Arbitrary<JsonObject>) =>
  schema.map((each): JsonObject => ({ type, ...each }));

/** Two schemas of objects, of lists, or of scalars. */
export const pairOfParts: fc.Arbitrary<readonly [JsonObject, JsonObject]> = fc.oneof(
  ...[typed("object", objects), typed("array", lists)].map((each) => fc.tuple(each, each)),
  fc.tuple(
    leaf.map((each): JsonObject => ({ allOf: [each] })),
    leaf.map((each): JsonObject => ({ allOf: [each] })),
  ),
);
