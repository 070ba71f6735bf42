import * as fc from "fast-check";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json.js";
import { mapSubschemas } from "../../src/schema/schema-tree.js";
import { isEndless, root, schema } from "./arbitrary-fitting.js";
import { pairOfParts } from "./arbitrary-parts.js";

/**
 * Two schemas of which the second is often the first with something else in places, or of as few
 * words.
 */
export const pair: fc.Arbitrary<readonly [JsonObject, JsonObject]> = fc.oneof(
  fc.tuple(root, root),
  { weight: 4, arbitrary: pairOfParts },
  fc
    .tuple(root, schema, fc.array(fc.nat(9), { minLength: 20, maxLength: 20 }))
    .map(([given, other, choices]) => [given, changed(given, other, choices)] as const)
    .filter(([, wanted]) => !isEndless(wanted)),
);

/** Each place is left as it is unless its choice says otherwise. */
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
 * A schema, and one that asks for less: keywords are dropped where that lets more values through.
 * What conditions leave out of the first is not seen, and so what remains may be taken for what
 * doesn't fit.
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

/** Keywords under which less asked is more refused, or what is evaluated changes. */
const denying = new Set(["not", "if", "then", "else", "contains", "anyOf", "dependentSchemas"]);
