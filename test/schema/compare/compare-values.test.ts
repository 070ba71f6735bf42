/** Listed values, patterns and formats. */
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../src/core/json.js";
import { compare } from "../../../src/schema/compare/compare.js";
import { notPromised } from "../../../src/schema/compare/mismatch.js";

const told = (given: JsonSchema, wanted: JsonSchema) =>
  notPromised(compare({ schema: given, root: given }, { schema: wanted, root: wanted })).map(
    ({ fits, given: has, path, wanted: asks }) => `${fits} ${path.join(".")}: ${has}; ${asks}`,
  );

describe("comparing listed values", () => {
  const codes = Array.from({ length: 5000 }, (_, at) => `C${at}`);
  const numbers = codes.slice(0, 65).map((_, at) => at);

  test.each<[string, JsonSchema, JsonSchema, readonly string[]]>([
    [
      "any text for listed values",
      { type: "string" },
      { type: "string", enum: ["a"] },
      ["some : may be any text; takes `a`"],
    ],
    ["many, in another order", { enum: codes.toReversed() }, { enum: codes }, []],
    [
      "many, of items",
      { type: "array", items: { enum: codes } },
      { type: "array", items: { enum: codes.toReversed() } },
      [],
    ],
    ["many, within bounds", { enum: numbers }, { type: "integer", maximum: 64 }, []],
    [
      "many, one out of bounds",
      { enum: numbers },
      { type: "integer", maximum: 63 },
      ["some : may be `64`; holds 63 or less"],
    ],
    ["many, of a pattern", { enum: codes }, { type: "string", pattern: "^C[0-9]+$" }, []],
    [
      "those that the schema itself refuses",
      { enum: [1, 20], maximum: 9 },
      { type: "integer", maximum: 9 },
      [],
    ],
    [
      "many, in two parts",
      { type: "array", prefixItems: [{ enum: codes }, { enum: codes }], items: false, minItems: 2 },
      { type: "array", items: { enum: codes.toReversed() } },
      [],
    ],
  ])("reports the first value that doesn't fit: %s", (_, given, wanted, expected) => {
    expect(told(given, wanted)).toEqual(expected);
  });
});

describe("a pattern of the given schema", () => {
  test.each<[string, string, readonly string[]]>([
    ["for listed values", "^[ab]$", []],
    ["unless it allows none of them", "^[cd]$", ["no : matches `^[cd]$`; takes `a`, `b`"]],
  ])("counts as the type of its texts %s", (_, pattern, expected) => {
    expect(told({ type: "string", pattern }, { enum: ["a", "b"] })).toEqual(expected);
  });
});

describe("comparing formats", () => {
  const format = (name: string) => ({ type: "string", format: name });

  test.each([
    ["uri", "uri-reference"],
    ["json-pointer-uri-fragment", "uri-reference"],
    ["date-time", "iso-date-time"],
    ["time", "iso-time"],
    ["ipv4", "hostname"],
    ["uuid", "password"],
  ])("accepts each %s as a %s", (narrow, wide) => {
    expect(told(format(narrow), format(wide))).toEqual([]);
    expect(told(format(wide), format(narrow)).map((each) => each.slice(0, 4))).toEqual(["some"]);
  });

  test.each([
    ["uri", "uri-template"],
    ["date", "date-time"],
    ["email", "hostname"],
  ])("does not accept each %s as a %s", (one, other) => {
    expect(told(format(one), format(other)).length).toBe(1);
  });

  test("names both formats if they differ", () => {
    expect(told(format("date"), format("uuid"))).toEqual([
      "no : has the format `date`; takes text in the format `uuid`",
    ]);
  });

  test("keeps both formats if there are two", () => {
    const two = (...names: readonly string[]) => ({ allOf: names.map(format) });
    expect(told(format("uuid"), two("uuid", "password"))).toEqual([]);
    expect(told(format("password"), two("uuid", "password")).length).toBe(1);
    expect(told(format("email"), two("date", "email"))).toEqual([
      "no : has the format `email`; takes text in the format `date`",
    ]);
  });

  test("treats formats of numbers as bounds", () => {
    const int32 = { type: "integer", format: "int32" };
    expect(told(int32, { type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 })).toEqual([]);
    expect(told({ type: "integer" }, int32)).toEqual([
      "unsure : may be any integer; holds -2147483648 to 2147483647",
    ]);
    expect(told({ type: "number" }, { type: "number", format: "int64" })).toEqual([
      "some : may be a number; takes an integer",
    ]);
  });
});
