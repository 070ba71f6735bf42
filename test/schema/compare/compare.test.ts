import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../src/core/json.js";
import { compare } from "../../../src/schema/compare/compare.js";
import { notPromised } from "../../../src/schema/compare/mismatch.js";

const told = (given: JsonSchema, wanted: JsonSchema) =>
  notPromised(compare({ schema: given, root: given }, { schema: wanted, root: wanted })).map(
    ({ fits, given: has, path, wanted: asks }) => `${fits} ${path.join(".")}: ${has}; ${asks}`,
  );

const long = {
  anyOf: [
    { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    { type: "string", pattern: "^-?[0-9]{1,19}$" },
  ],
} satisfies JsonSchema;

describe("comparing two schemas", () => {
  test.each<[string, JsonSchema, JsonSchema]>([
    ["anything goes where nothing is asked", {}, true],
    ["an integer is a number", { type: "integer" }, { type: "number" }],
    ["an integer as a long", { type: "integer" }, long],
    ["digits as a long", { type: "string", pattern: "^[0-9]{1,18}$" }, long],
    [
      "either of two as either of two",
      { type: ["integer", "null"] },
      { anyOf: [{ type: "null" }, long] },
    ],
    ["values that are listed there", { enum: ["a"] }, { enum: ["a", "b"] }],
    [
      "a format",
      { type: "string", format: "uuid" },
      { type: "string", format: "uuid", pattern: "^x" },
    ],
    [
      "a listed text that has the format",
      { const: "2026-01-01" },
      { type: "string", format: "date" },
    ],
    [
      "bounds within bounds",
      { type: "integer", minimum: 0, maximum: 9 },
      { type: "integer", minimum: -5, maximum: 9 },
    ],
    [
      "a map",
      { type: "object", additionalProperties: { type: "string" } },
      { type: "object", additionalProperties: { type: "string" } },
    ],
    [
      "lists of what fits",
      { type: "array", items: { type: "integer" } },
      { type: "array", items: { type: "number" } },
    ],
  ])("finds that they fit: %s", (_, given, wanted) => {
    expect(told(given, wanted)).toEqual([]);
  });

  test.each<[string, JsonSchema, JsonSchema, readonly string[]]>([
    [
      "another type",
      { type: "boolean" },
      { type: "integer" },
      ["no : may be a boolean; takes an integer"],
    ],
    ["anything", true, { type: "string" }, ["unsure : may be anything; takes a string"]],
    [
      "only described",
      { description: "x" },
      { type: "string" },
      ["unsure : may be anything; takes a string"],
    ],
    [
      "any text as a long",
      { type: "string" },
      long,
      ["some : may be any text; takes text that matches `^-?[0-9]{1,19}$`"],
    ],
    [
      "null",
      { type: ["string", "null"] },
      { type: "string" },
      ["no : may be null; takes a string"],
    ],
    [
      "a fraction",
      { type: "number" },
      { type: "integer" },
      ["some : may be a number; takes an integer"],
    ],
    [
      "an integer without bounds",
      { type: "integer" },
      { type: "integer", minimum: -5, maximum: 5 },
      ["unsure : may be any integer; holds -5 to 5"],
    ],
    [
      "a bound beyond",
      { type: "integer", minimum: 0, maximum: 10 },
      { type: "integer", minimum: -5, maximum: 5 },
      ["some : may be 10; holds -5 to 5"],
    ],
    [
      "a value that isn't listed",
      { enum: ["a", "c"] },
      { enum: ["a", "b"] },
      ["some : may be `c`; takes `a`, `b`"],
    ],
    [
      "a longer text",
      { type: "string", maxLength: 9 },
      { type: "string", maxLength: 5 },
      ["some : may have 9 characters; holds 5 characters"],
    ],
    [
      "items",
      { type: "array", items: { type: "string" } },
      { type: "array", items: { type: "integer" } },
      ["no 0: may be a string; takes an integer"],
    ],
    [
      "properties",
      {
        type: "object",
        required: ["a"],
        properties: { a: { type: "string" }, b: { type: "string" }, z: {} },
        additionalProperties: false,
      },
      {
        type: "object",
        required: ["a", "b", "c"],
        properties: { a: { type: "integer" }, b: { type: "string" }, c: {} },
        additionalProperties: false,
      },
      [
        "no b: may be absent; is required",
        "no c: is not declared; is required",
        "no a: may be a string; takes an integer",
        "no z: is declared; is not a field",
      ],
    ],
    [
      "an open object as a map",
      { type: "object" },
      { type: "object", additionalProperties: { type: "string" } },
      ["unsure *: may be anything; takes a string"],
    ],
  ])("finds a mismatch: %s", (_, given, wanted, expected) => {
    expect(told(given, wanted)).toEqual(expected);
  });
});
