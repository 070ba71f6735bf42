import { describe, expect, test } from "vitest";
import type { JsonObject, JsonSchema } from "../../src/core/json.js";
import { misfits } from "../../src/schema/fit/misfits.js";

const compare = (given: JsonSchema, wanted: JsonSchema) =>
  misfits({ schema: given, root: given }, { schema: wanted, root: wanted });

/** Every schema has that many properties, or that many parts. */
const count = 300;

describe("large schemas are compared in no long time", () => {
  const many = <T>(make: (index: number) => T) =>
    Array.from({ length: count }, (_, at) => make(at));
  const object = (make: (index: number) => JsonObject): JsonObject => ({
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(many((index) => [`p${index}`, make(index)])),
  });
  const texts = object(() => ({ type: "string", maxLength: 9 }));
  const condition = (value: number) => ({
    if: { properties: { p1: { const: value } } },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema has a keyword of that name
    then: { required: ["p2"] },
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["constants", object((index) => ({ const: `v${index}` })), texts],
    ["names", texts, { ...texts, allOf: many((at) => ({ propertyNames: { maxLength: at + 9 } })) }],
    ["conditions", texts, { ...texts, allOf: many(condition) }],
  ])("%s", (_, given, wanted) => {
    const started = performance.now();
    compare(given, wanted);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
