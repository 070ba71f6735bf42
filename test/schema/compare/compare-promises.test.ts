/** What only an author's word makes fit is told, and marked. */
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonSchema } from "../../../src/core/json.js";
import { compare } from "../../../src/schema/compare/compare.js";

const between = (given: JsonSchema, wanted: JsonSchema) =>
  compare({ schema: given, root: given }, { schema: wanted, root: wanted });

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  ...more,
});
const text = { type: "string" };

describe("comparing marks as promised", () => {
  test.each<[string, JsonSchema, JsonSchema]>([
    [
      "that texts of a pattern are short enough",
      { ...text, pattern: "^x" },
      { maxLength: 3, ...text },
    ],
    [
      "that texts of a pattern match another",
      { ...text, pattern: "^x" },
      { ...text, pattern: "x" },
    ],
    [
      "that texts of a pattern have a format",
      { ...text, pattern: "-" },
      { ...text, format: "uuid" },
    ],
    [
      "that texts of a format match a pattern beside it",
      { ...text, format: "uuid" },
      { ...text, format: "uuid", pattern: "^x" },
    ],
    [
      "that integers are no larger than JavaScript holds exactly",
      { type: "integer" },
      { type: "integer", maximum: Number.MAX_SAFE_INTEGER },
    ],
    [
      "that a value fits one form only of a `oneOf`",
      object({ a: text }),
      { oneOf: [object({ a: text }), object({ b: text })] },
    ],
    [
      "that one only is there of properties of which one may be",
      object({ a: text, b: text }, { required: [] }),
      {
        type: "object",
        not: {
          not: {
            oneOf: [
              { required: ["a"] },
              { required: ["b"] },
              { not: { anyOf: [{ required: ["a"] }, { required: ["b"] }] } },
            ],
          },
        },
      },
    ],
  ])("marks what an author's word alone makes fit: %s", (_, given, wanted) => {
    const found = between(given, wanted);
    expect(found.map(({ fits, promised }) => ({ fits, promised }))).toEqual([
      { fits: "unsure", promised: true },
    ]);
  });

  test("marks nothing where the forms of a `oneOf` exclude each other", () => {
    const form = (kind: string) => object({ kind: { const: kind }, a: text });
    expect(between(form("x"), { oneOf: [form("x"), form("y")] })).toEqual([]);
  });

  test("marks nothing where another mismatch is certain", () => {
    const given = object({ a: { ...text, pattern: "^x" }, b: text });
    const wanted = object({ a: { ...text, maxLength: 3 }, b: { type: "integer" } });
    expect(between(given, wanted).map(({ path, promised }) => [path, promised])).toEqual([
      [["b"], undefined],
    ]);
  });
});
