/** Objects and lists whose parts are described by more than one keyword. */
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonSchema } from "../../../src/core/json.js";
import { compare } from "../../../src/schema/compare/compare.js";
import { notPromised } from "../../../src/schema/compare/mismatch.js";

const told = (given: JsonSchema, wanted: JsonSchema) =>
  notPromised(compare({ schema: given, root: given }, { schema: wanted, root: wanted })).map(
    ({ fits, given: has, path, wanted: asks }) => `${fits} ${path.join(".")}: ${has}; ${asks}`,
  );

const text = { type: "string" };
const integer = { type: "integer" };
const object = (keywords: JsonObject): JsonObject => ({ type: "object", ...keywords });
const only = (properties: JsonObject): JsonObject =>
  object({ properties, required: Object.keys(properties), additionalProperties: false });

describe("comparing a property takes all that its name and patterns say", () => {
  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    [
      "by name and by pattern",
      only({ a: text }),
      object({ properties: { a: true }, patternProperties: { "^a": integer } }),
      ["no a: may be a string; takes an integer"],
    ],
    [
      "by two patterns",
      only({ ab: text }),
      object({ patternProperties: { "^a": text, b$: { maxLength: 1 } } }),
      ["unsure ab: may be longer; holds 1 character"],
    ],
    [
      "by a pattern of the one, and the rest of the other",
      only({ ab: text }),
      object({
        allOf: [
          { patternProperties: { "^a": text }, additionalProperties: false },
          { additionalProperties: integer },
        ],
      }),
      ["no ab: may be a string; takes an integer"],
    ],
    [
      "by a pattern of the given, and a name of the wanted",
      object({ patternProperties: { "^a": text }, additionalProperties: false }),
      object({ properties: { ab: { maxLength: 1 } }, patternProperties: { "^a": text } }),
      ["unsure ab: may be longer; holds 1 character"],
    ],
    ["that is never there", object({ properties: { z: false } }), object({}), []],
  ])("finds how a property may be when it is described %s", (_, given, wanted, expected) => {
    expect(told(given, wanted)).toEqual(expected);
  });
});

describe("a property that is always there need not be declared", () => {
  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    [
      "one of the rest",
      object({ required: ["id"], additionalProperties: text }),
      object({ required: ["id"], properties: { id: { type: ["string", "null"] } } }),
      [],
    ],
    [
      "told by a pattern",
      object({ required: ["x-a"], patternProperties: { "^x-": text } }),
      object({ required: ["x-a"], properties: { "x-a": integer } }),
      ["no x-a: may be a string; takes an integer"],
    ],
    [
      "not required, and then it is missing",
      object({ additionalProperties: text }),
      object({ required: ["id"] }),
      ["no id: is not declared; is required"],
    ],
  ])("finds that a property is always there when it is %s", (_, given, wanted, expected) => {
    expect(told(given, wanted)).toEqual(expected);
  });

  test("finds nothing missing where a schema that names no type need not be of objects", () => {
    const untyped = (a: JsonSchema, title = "") => ({ title, properties: { a }, required: ["a"] });
    expect(told(untyped(text, "one"), untyped(text))).toEqual([]);
    expect(told(untyped(text), untyped(integer))).toEqual([
      "some a: may be a string; takes an integer",
    ]);
    expect(told({ type: ["string", "object"] }, { properties: { a: text } })).toEqual([
      "unsure a: may be anything; takes a string",
    ]);
  });
});

describe("comparing takes `unevaluated…` for what is left", () => {
  const tuple = (more: JsonObject) => ({ type: "array", prefixItems: [text], ...more });

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    [
      "of items: none",
      { type: "array", items: text },
      tuple({ unevaluatedItems: false }),
      ["unsure : may have more items; holds 1 item"],
    ],
    [
      "of items: of another type",
      { type: "array", items: text },
      tuple({ unevaluatedItems: integer }),
      ["no 1: may be a string; takes an integer"],
    ],
    [
      "of items: those that another schema names are evaluated",
      tuple({ maxItems: 1 }),
      { type: "array", allOf: [{ prefixItems: [text] }], unevaluatedItems: false },
      [],
    ],
    [
      "of items: not known where `contains` tells them",
      tuple({ maxItems: 1 }),
      { type: "array", contains: true, minContains: 0, unevaluatedItems: false },
      [
        "unsure : might not satisfy `contains`; requires it",
        "unsure : might not satisfy `unevaluatedItems`; requires it",
      ],
    ],
    [
      "of properties: those that another schema names are evaluated",
      only({ a: text, b: text }),
      object({ allOf: [{ properties: { a: text } }], unevaluatedProperties: false }),
      ["no b: is declared; is not a field"],
    ],
    [
      "of properties: not inside the schema beside it",
      only({ a: text }),
      object({
        properties: { a: text },
        allOf: [{ properties: { b: text }, unevaluatedProperties: false }],
      }),
      ["no a: is declared; is not a field"],
    ],
    [
      "of properties: not known where several forms may tell them",
      only({ a: text, b: text }),
      object({
        anyOf: [{ properties: { a: text } }, { properties: { b: text } }],
        unevaluatedProperties: false,
      }),
      ["unsure : might not satisfy `unevaluatedProperties`; requires it"],
    ],
  ])("keeps to what no keyword evaluated: %s", (_, given, wanted, expected) => {
    expect(told(given, wanted)).toEqual(expected);
  });
});
