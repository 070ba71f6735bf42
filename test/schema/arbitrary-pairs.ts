import * as fc from "fast-check";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json.js";
import { mapSubschemas } from "../../src/schema/schema-tree.js";
import { isEndless, root, schema } from "./arbitrary-fitting.js";
import { pairOfParts } from "./arbitrary-parts.js";

/** Two schemas. The second is often a changed copy of the first, or both have few keywords. */
export const pair: fc.Arbitrary<readonly [JsonObject, JsonObject]> = fc.oneof(
  fc.tuple(root, root),
  { weight: 4, arbitrary: pairOfParts },
  fc
    .tuple(root, schema, fc.array(fc.nat(9), { minLength: 20, maxLength: 20 }))
    .map(([given, other, choices]) => [given, changed(given, other, choices)] as const)
    .filter(([, wanted]) => !isEndless(wanted)),
);

/** Changes the places that the choices select, and keeps all others. */
function changed(schema: JsonObject, other: JsonValue, choices: readonly number[]): JsonObject {
  const left = [...choices];
  const go = (each: JsonValue): JsonValue => {
    const choice = left.shift() ?? 0;
    if (choice === 1) return other;
    if (!isJsonObject(each)) return each;
    const inner = inside(each, go);
    return choice === 2 && isJsonObject(other) ? { ...inner, ...other } : inner;
  };
  return inside(schema, go);
}

function inside(schema: JsonObject, go: (schema: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      // `go` replaces a schema with a schema.
      mapSubschemas(keyword, value, "", (each) => go(each) as JsonObject),
    ]),
  );
}

const droppable = new Set(
  "minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems required".split(
    " ",
  ),
);

/**
 * A schema and a wider one, which lacks keywords whose removal accepts more values. Conditions of
 * the first schema are invisible to the comparison, so they are excluded.
 */
export const wider: fc.Arbitrary<readonly [JsonObject, JsonObject]> = fc
  .tuple(
    root.filter((each) => !/"(?:if|not|propertyNames)"/.test(JSON.stringify(each))),
    fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
  )
  .map(([given, drops]) => {
    const left = [...drops];
    const go = (each: JsonValue): JsonValue => {
      if (!isJsonObject(each)) return each;
      const kept = Object.entries(each).filter(([name]) => !droppable.has(name) || left.shift());
      return Object.fromEntries(
        kept.map(([name, value]) => [
          name,
          denying.has(name)
            ? value
            : mapSubschemas(name, value, "", (part) => go(part) as JsonObject),
        ]),
      );
    };
    return [given, go(given) as JsonObject] as const;
  });

/**
 * Keywords with subschemas that must not become wider, because the whole would become narrower or
 * evaluate other values.
 */
const denying = new Set(["not", "if", "then", "else", "contains", "anyOf", "dependentSchemas"]);
