import { describe, expect, test } from "vitest";
import type { PgType } from "../../../../src/bindings/sql/database/snapshot.js";
import { fits } from "../../../../src/bindings/sql/types/fits.js";
import { sqlTypeOf } from "../../../../src/bindings/sql/types/sql-type.js";
import type { JsonValue } from "../../../../src/core/json.js";
import { mustRead } from "../../../schema/read.js";

/** `mood` is an enum, `positive` a domain on int4, `x[]` the array of x. */
function typeNamed(name: string) {
  const element = name.endsWith("[]") ? name.slice(0, -2) : undefined;
  const base = { schema: "pg_catalog", builtIn: true };
  const types: readonly PgType[] = [
    { ...base, oid: 1, name: element ?? name, kind: "base" },
    { ...base, oid: 2, name: "mood", kind: "enum", labels: ["sad", "glad"], builtIn: false },
    { ...base, oid: 3, name: "positive", kind: "domain", base: 5, builtIn: false },
    {
      ...base,
      oid: 4,
      name: `_${element ?? ""}`,
      kind: "array",
      element: element === "mood" ? 2 : 1,
    },
    { ...base, oid: 5, name: "int4", kind: "base" },
  ];
  const oid = element !== undefined ? 4 : name === "mood" ? 2 : name === "positive" ? 3 : 1;
  return sqlTypeOf((wanted) => types.find((each) => each.oid === wanted), oid);
}

function fitOf(schema: JsonValue, type: string, maxLength?: number) {
  const model = mustRead({
    type: "object",
    required: ["p"],
    properties: { p: schema },
    $defs: { id: { type: "string", format: "uuid" }, small: { maximum: 10 } },
  });
  const limits = maxLength === undefined ? {} : { maxLength };
  return fits({ model, path: ["p"] }, typeNamed(type), limits);
}

const text = { type: "string" };
const int4 = { type: "integer", minimum: 0, maximum: 2_147_483_647 };

describe("schema that fits a type", () => {
  test.each([
    [int4, "int4"],
    [int4, "int8"],
    [int4, "numeric"],
    [int4, "float8"],
    [int4, "positive"],
    [int4, "jsonb"],
    [{ type: "integer", minimum: 1, maximum: 9_007_199_254_740_991 }, "int8"],
    [{ enum: [1, 2] }, "int8"],
    [{ type: ["integer", "string"], minimum: 1, maximum: 9, pattern: "^[0-9]$" }, "int8"],
    [{ type: "integer", exclusiveMinimum: -32_769, exclusiveMaximum: 32_768 }, "int2"],
    [{ enum: [1, 2] }, "int2"],
    [{ type: ["integer", "null"], minimum: 0, maximum: 5 }, "int2"],
    [{ type: "integer", minimum: 0, allOf: [{ $ref: "#/$defs/small" }] }, "int2"],
    [{ type: "number" }, "float4"],
    [{ type: "number" }, "numeric"],
    [{ type: "string", pattern: "^[0-9]+$" }, "int8"],
    [{ type: "boolean" }, "bool"],
    [text, "text"],
    [{ type: "string", format: "email" }, "text"],
    [{ type: "string", format: "uuid" }, "uuid"],
    [{ $ref: "#/$defs/id" }, "uuid"],
    [{ anyOf: [{ type: "string", format: "uuid" }, { type: "null" }] }, "uuid"],
    [{ type: "string", format: "date-time" }, "timestamptz"],
    [{ type: "string", format: "date" }, "date"],
    [{ type: "string", pattern: "^2" }, "timestamp"],
    [{ type: "string", contentEncoding: "base64" }, "bytea"],
    [{ enum: ["sad"] }, "mood"],
    [{ enum: ["sad", null] }, "mood"],
    [{ const: "glad" }, "mood"],
    [{ type: "array", items: int4 }, "int4[]"],
    [{ type: "array", items: { type: "array", items: int4 } }, "int4[]"],
    [{ type: "array", items: { enum: ["sad"] } }, "mood[]"],
    [{ type: "array" }, "jsonb[]"],
    [{ type: "array", items: { type: "array" } }, "jsonb[]"],
    [{ type: "object" }, "jsonb"],
    [true, "json"],
    [{ type: "null" }, "varchar"],
    [{ type: "null" }, "int4"],
    [{ type: "array", items: { type: "null" } }, "int4[]"],
  ])("every value of %j fits %s", (schema, type) => {
    expect(fitOf(schema, type)).toEqual({ fit: "yes" });
  });

  test("a text of at most the column's length fits", () => {
    expect(fitOf({ type: "string", maxLength: 3 }, "varchar", 3)).toEqual({ fit: "yes" });
    expect(fitOf({ enum: ["abc", "𝒳𝒳𝒳"] }, "varchar", 3)).toEqual({ fit: "yes" });
  });
});

describe("schema that does not fit a type", () => {
  test.each([
    [text, "int4", "may be a string, and `int4` takes an integer"],
    [text, "bool", "may be a string, and `bool` takes a boolean"],
    [{ type: "integer" }, "text", "may be an integer, and `text` takes a string"],
    [
      { type: "string", format: "date" },
      "uuid",
      "has the format `date`, and `uuid` takes text in the format `uuid`",
    ],
    [
      { type: "integer", minimum: 3_000_000_000 },
      "int4",
      "is at least 3000000000, and `int4` holds -2147483648 to 2147483647",
    ],
    [{ enum: [40_000] }, "int2", "may be `40000`, and `int2` holds -32768 to 32767"],
    [{ enum: ["bad", "mad", null] }, "mood", "may be `bad`, and `mood` takes `sad`, `glad`"],
    [
      { type: "string", pattern: "^[0-9]+$" },
      "mood",
      "matches `^[0-9]+$`, and `mood` takes `sad`, `glad`",
    ],
    [
      { type: ["boolean", "string"] },
      "int4",
      "may be a boolean or a string, and `int4` takes an integer",
    ],
    [{ type: "number", enum: [1.5, 2.5] }, "int4", "may be `1.5`, and `int4` takes an integer"],
    [{ type: "string", format: "uuid" }, "int8", "has the format `uuid`, and `int8` takes digits"],
    [
      { type: "string", format: "date" },
      "numeric",
      "has the format `date`, and `numeric` takes digits",
    ],
    [
      { type: "string", format: "uuid" },
      "mood",
      "has the format `uuid`, and `mood` takes `sad`, `glad`",
    ],
    [int4, "int4[]", "may be an integer, and `int4[]` takes an array"],
    [
      { type: "array", items: text },
      "int4[]",
      "has items of which each may be a string, and `int4` takes an integer",
    ],
    [
      { type: "array", items: { type: "array", items: text } },
      "int4[]",
      "has items of which each has items of which each may be a string, and `int4` takes an integer",
    ],
  ])(
    "no value of the schema fits, and the error states the reason: %j in %s",
    (schema, type, reason) => {
      expect(fitOf(schema, type)).toMatchObject({ fit: "no", reason });
    },
  );

  test("a text longer than the column does not fit", () => {
    expect(fitOf({ type: "string", maxLength: 4 }, "varchar", 3)).toEqual({
      fit: "some",
      reason: "may have 4 characters, and the column is `varchar(3)`",
      help: "add `maxLength: 3`",
    });
    expect(fitOf({ type: "string", minLength: 4 }, "varchar", 3)).toMatchObject({ fit: "no" });
    expect(fitOf({ enum: ["abcd"] }, "bpchar", 3)).toMatchObject({ fit: "no" });
    expect(fitOf({ enum: ["abcd", "abc"] }, "bpchar", 3)).toMatchObject({ fit: "some" });
  });
});

describe("schema that fits a type for some values only", () => {
  test.each([
    [{ type: "number" }, "int4", "may be a number, and `int4` takes an integer"],
    [
      { type: "integer", minimum: 0, maximum: 2_147_483_648 },
      "int4",
      "may be 2147483648, and `int4` holds -2147483648 to 2147483647",
    ],
    [
      { type: "integer", minimum: -1, maximum: 5 },
      "oid",
      "may be -1, and `oid` holds 0 to 4294967295",
    ],
    [
      { type: "integer", maximum: 1e19 },
      "int8",
      "may be 10000000000000000000, but beyond ±9007199254740991 a JSON number is not exact, so such a value is rejected",
    ],
    [{ enum: [1, 40_000] }, "int2", "may be `40000`, and `int2` holds -32768 to 32767"],
    [{ enum: ["sad", "mad"] }, "mood", "may be `mad`, and `mood` takes `sad`, `glad`"],
    [
      { type: ["integer", "string"], minimum: 0, maximum: 5 },
      "int4",
      "may be a string, and `int4` takes an integer",
    ],
    [{ type: ["boolean", "integer"] }, "bool", "may be an integer, and `bool` takes a boolean"],
    [
      { type: "string", contentEncoding: "quoted-printable" },
      "bytea",
      "has the encoding `quoted-printable`, and `bytea` takes text in the encoding `base64`",
    ],
    [
      { type: "integer", minimum: 1, maximum: 1e18 },
      "int8",
      "may be 1000000000000000000, but beyond ±9007199254740991 a JSON number is not exact",
    ],
  ])("some values fit, and the warning states the reason: %j in %s", (schema, type, reason) => {
    expect(fitOf(schema, type)).toMatchObject({
      fit: "some",
      reason: expect.stringContaining(reason),
    });
  });
});

describe("schema that may not fit a type", () => {
  test.each([
    [{ type: "integer", minimum: 1 }, "int4", "limit it: `maximum: 2147483647`"],
    [{ type: "integer" }, "int2", "limit it: `minimum: -32768, maximum: 32767`"],
    [text, "uuid", "add `format: uuid`"],
    [text, "timestamptz", "add `format: date-time`"],
    [text, "inet", "add `format: ipv4`"],
    [text, "point", "describe its form with a `pattern`"],
    [text, "bytea", "add `contentEncoding: base64`"],
    [text, "mood", "list the values: `enum: [sad, glad]`"],
    [text, "numeric", 'allow digits only: `pattern: "^-?[0-9]+$"`'],
    [{ type: "array" }, "int4[]", "describe them under `items`"],
    [
      { type: "integer" },
      "int8",
      'pass it as text, as results do: `type: string, pattern: "^-?[0-9]+$"`; or limit it by `minimum` and `maximum` within ±9007199254740991',
    ],
  ])("the warning suggests keywords to add: %j in %s", (schema, type, help) => {
    expect(fitOf(schema, type)).toMatchObject({ fit: "unsure", help });
  });

  test.each([
    ["date-time", "timestamp", "is a date-time, but `timestamp` drops its offset"],
    ["date-time", "date", "is a date-time, but `date` drops its time of day"],
    ["time", "time", "is a time, but `time` drops its offset"],
  ])("a %s in a %s loses a part", (format, type, reason) => {
    expect(fitOf({ type: "string", format }, type)).toEqual({ fit: "unsure", reason });
  });

  test("a schema without a type may not fit", () => {
    expect(fitOf(true, "text")).toEqual({
      fit: "unsure",
      reason: "may be anything, and `text` takes a string",
    });
  });

  test("a text without a limit may not fit a column with a limit", () => {
    expect(fitOf(text, "varchar", 3)).toEqual({
      fit: "unsure",
      reason: "may be longer, and the column is `varchar(3)`",
      help: "add `maxLength: 3`",
    });
  });
});
