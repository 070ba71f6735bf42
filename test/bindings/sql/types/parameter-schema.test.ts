import { describe, expect, test } from "vitest";
import { builtInType, builtInTypes } from "../../../../src/bindings/sql/types/builtin-types.js";
import {
  parameterSchema,
  withMaxLength,
} from "../../../../src/bindings/sql/types/parameter-schema.js";
import type { SqlElement, SqlType } from "../../../../src/bindings/sql/types/sql-type.js";
import type { JsonValue } from "../../../../src/core/json.js";
import { acceptor } from "../../../../src/schema/compare/values.js";

function scalar(name: string): SqlElement {
  return { kind: "scalar", name, traits: builtInType(name) };
}

const mood: SqlElement = { kind: "enum", name: "mood", labels: ["sad", "glad", "so-so"] };
const humour: SqlElement = { kind: "enum", name: "humour", labels: ["so-so", "wry", "glad"] };
const dull: SqlElement = { kind: "enum", name: "dull", labels: ["grey"] };

function typeNamed(name: string): SqlType {
  if (name.endsWith("[]")) {
    const of = typeNamed(name.slice(0, -2));
    if (of.kind !== "array") return { kind: "array", name: `_${of.name}`, of };
  }
  return [mood, humour, dull].find((each) => each.name === name) ?? scalar(name);
}

/** By type: values that PostgreSQL's texts are in JSON, and values that are none. */
const values: Readonly<
  Record<string, readonly [taken: readonly JsonValue[], refused: readonly JsonValue[]]>
> = {
  bool: [
    [true, false],
    ["true", 1, null],
  ],
  int2: [
    [-32768, 0, 32767],
    [32768, 1.5, "7", null],
  ],
  int4: [
    [-2147483648, 2147483647],
    [2147483648, 1.5, "7"],
  ],
  oid: [
    [0, 4294967295],
    [-1, 4294967296],
  ],
  int8: [
    ["-9223372036854775808", "0", "9223372036854775807"],
    ["", "1.5", "x", 7],
  ],
  numeric: [
    ["12345678901234567890.123456789012345678900", "-0.10", "7"],
    [".", "1e5", "NaN", 7],
  ],
  float4: [
    [1.5, 0, -7],
    ["1.5", null],
  ],
  float8: [[0.30000000000000004, 1e300], ["1.5"]],
  text: [
    ["", "a b"],
    [7, null],
  ],
  uuid: [["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"], ["a0eebc99", ""]],
  timestamptz: [
    ["2026-01-02T01:04:05.123456Z", "2026-01-02T03:04:05+02:00"],
    ["2026-01-02T03:04:05", "2026-01-02", "2026-13-02T03:04:05Z", "infinity"],
  ],
  timestamp: [
    ["2026-01-02T03:04:05", "2026-01-02T03:04:05.123456"],
    ["2026-01-02T03:04:05Z", "2026-01-02", "2026-01-02 03:04:05", "2026-01-02T25:04:05"],
  ],
  date: [["2026-01-02"], ["2026-02-30", "2026-01-02T03:04:05Z", "tomorrow"]],
  time: [
    ["03:04:05", "03:04:05.6"],
    ["03:04:05Z", "25:04:05", "3:04"],
  ],
  timetz: [["03:04:05+02:00", "03:04:05.5-03:30"], ["03:04:05"]],
  interval: [
    ["P1Y2M-3DT4H5M6.7S", "PT0S", "P-2D", "P1Y-2DT3.5S", "P3W"],
    ["P", "PT", "P1DT", "1 day", "P1S"],
  ],
  bytea: [["AP8Q", ""], [7]],
  json: [[{ a: [1] }, [1], "x", 7, false], [null]],
  box: [["(1,1),(0,0)"], [7]],
  money: [["$1.50"], [1.5]],
  inet: [["10.0.0.1/24"], [7]],
  varbit: [
    ["101", ""],
    ["102", "B'101'", 101],
  ],
  point: [["(1,2)"], [7]],
  tsvector: [["'a':1"], [7]],
};

describe("schema of a parameter with one type", () => {
  test.each(builtInTypes.map(({ names }) => names))(
    "accepts exactly the JSON forms of values of %s",
    (...names) => {
      const known =
        names.find((name) => Object.hasOwn(values, name)) ?? names.find((name) => name === "jsonb");
      expect(known).toBeDefined();
      const [taken, refused] = values[known === "jsonb" ? "json" : (known ?? "")] ?? [[], []];
      for (const name of names) {
        const schema = parameterSchema([scalar(name)], false);
        const accepts = acceptor({ schema: schema ?? false, root: schema ?? false });
        expect(taken.filter((value) => !accepts(value))).toEqual([]);
        expect(refused.filter((value) => accepts(value))).toEqual([]);
      }
    },
  );

  test("accepts the documented example of every column type, except for a year before Christ", () => {
    const lost = builtInTypes.filter(({ example: [, json], names: [name = ""] }) => {
      const schema = parameterSchema([scalar(name)], false) ?? false;
      return !acceptor({ schema, root: schema })(JSON.parse(json) as JsonValue);
    });
    // The year 44 BC.
    expect(lost.map(({ names }) => names)).toEqual([["date"]]);
  });

  test.each([
    ["int8", { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 }],
    ["numeric", { type: "number" }],
    ["numeric[]", { type: "array", items: { type: "number" } }],
    ["text", { type: "string" }],
  ])("allows JSON numbers for %s on request", (name, schema) => {
    expect(parameterSchema([typeNamed(name)], true)).toEqual(schema);
  });

  test("lists the labels of an enum, and has arrays without null", () => {
    expect(parameterSchema([mood], false)).toEqual({
      type: "string",
      enum: mood.kind === "enum" ? mood.labels : [],
    });
    expect(parameterSchema([typeNamed("int2[]")], false)).toEqual({
      type: "array",
      items: { type: "integer", minimum: -32768, maximum: 32767 },
    });
  });
});

describe("schema of a parameter with several types", () => {
  const digits = { type: "string", pattern: "^-?[0-9]+$" };
  const small = { type: "integer", minimum: -32768, maximum: 32767 };
  test.each([
    [["int4", "int2"], small],
    [["int2", "int8"], small],
    [["int2", "numeric", "float8"], small],
    [["int4", "oid"], { type: "integer", minimum: 0, maximum: 2147483647 }],
    [["int8", "text"], digits],
    [["int8", "numeric"], digits],
    [
      ["int8", "float8"],
      { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
    ],
    [["float8", "numeric"], { type: "number" }],
    [["text", "mood"], { type: "string", enum: ["sad", "glad", "so-so"] }],
    [["text", "inet"], { type: "string" }],
    [["text", "uuid"], { type: "string", format: "uuid" }],
    [["varchar", "text"], { type: "string" }],
    [["timestamptz", "date"], { type: "string", format: "date" }],
    [["timestamptz", "text"], { type: "string", format: "date-time" }],
    [["jsonb", "int2"], small],
    [["int8[]", "int2[]"], { type: "array", items: small }],
    [
      ["int4[]", "oid[]"],
      { type: "array", items: { type: "integer", minimum: 0, maximum: 2147483647 } },
    ],
    [["int4", "int4"], { type: "integer", minimum: -2147483648, maximum: 2147483647 }],
  ])("accepts the values that all of %j accept", (names, schema) => {
    expect(parameterSchema(names.map(typeNamed), false)).toEqual(schema);
    expect(parameterSchema(names.map(typeNamed).toReversed(), false)).toEqual(schema);
  });

  test("lists the labels that several enums share, in the order of the first enum", () => {
    const schema = { type: "string", enum: ["glad", "so-so"] };
    expect(parameterSchema([mood, humour], false)).toEqual(schema);
    expect(parameterSchema([typeNamed("mood[]"), typeNamed("humour[]")], false)).toEqual({
      type: "array",
      items: schema,
    });
  });

  test.each([
    [["int4", "text"]],
    [["bool", "int4"]],
    [["uuid", "date"]],
    [["mood", "dull"]],
    [["int4", "int4[]"]],
    [["mood", "uuid"]],
    [["inet", "uuid"]],
    [["int8", "timestamp"]],
    [["mood[]", "dull[]"]],
  ])("does not exist for %j", (names) => {
    expect(parameterSchema(names.map(typeNamed), false)).toBeUndefined();
  });
});

test("a length limit applies to the texts in a list, and never to labels", () => {
  expect(withMaxLength({ type: "string" }, 3)).toEqual({ type: "string", maxLength: 3 });
  expect(withMaxLength({ type: "array", items: { type: "string" } }, 3)).toEqual({
    type: "array",
    items: { type: "string", maxLength: 3 },
  });
  expect(withMaxLength({ type: "string", enum: ["long"] }, 3)).toEqual({
    type: "string",
    enum: ["long"],
  });
});
