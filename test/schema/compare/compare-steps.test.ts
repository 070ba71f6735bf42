import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/json.js";
import { compare } from "../../../src/schema/compare/compare.js";
import { countReads } from "../../support/count-reads.js";

/** How often a comparison looks at one of the two schemas. */
function stepsOf(given: JsonObject, wanted: JsonObject): number {
  const [one, other] = [countReads(given), countReads(wanted)];
  compare({ schema: one.data, root: one.data }, { schema: other.data, root: other.data });
  return one.reads() + other.reads();
}

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

const object = (count: number, make: (index: number) => JsonObject): JsonObject => ({
  type: "object",
  additionalProperties: false,
  properties: Object.fromEntries(many(count, (index) => [`p${index}`, make(index)])),
});

const texts = (count: number) => object(count, () => ({ type: "string", maxLength: 9 }));

const condition = (value: number) => ({
  if: { properties: { p1: { const: value } } },
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema has a keyword of that name
  then: { required: ["p2"] },
});

/** Of so many properties, or so many parts beside so many properties. */
type Make = (count: number) => readonly [given: JsonObject, wanted: JsonObject];

describe("the comparison of schemas of twice the size", () => {
  test.each<[string, Make]>([
    ["constants", (count) => [object(count, (at) => ({ const: `v${at}` })), texts(count)]],
    [
      "names",
      (count) => [
        texts(count),
        { ...texts(count), allOf: many(count, (at) => ({ propertyNames: { maxLength: at + 9 } })) },
      ],
    ],
    ["conditions", (count) => [texts(count), { ...texts(count), allOf: many(count, condition) }]],
  ])("takes at most some four times the steps for twice the size: %s", (_, make) => {
    const [less, more] = [stepsOf(...make(75)), stepsOf(...make(150))];
    expect(less).toBeGreaterThan(75);
    expect(more / less).toBeLessThan(5);
  });
});
