import { expect, test } from "vitest";
import type { Format } from "../../../../src/bindings/sql/contract.js";
import type { JsonValue } from "../../../../src/runtime/json/json.js";
import { attempt, failure, onEachEngine, prepare, send, valueOf } from "./support.js";

const schema = `
  CREATE TYPE mood AS ENUM ('sad', 'it''s "fine"');
  CREATE DOMAIN positive AS int4 CHECK (value > 0);
  CREATE TYPE pair AS (a int4, b text);
`;

/** Expression, the format of its column, and what comes out. */
const printed: readonly (readonly [string, Format, JsonValue])[] = [
  ["true", "bool", true],
  ["false", "bool", false],
  ["(-32768)::int2", "int2", -32768],
  ["2147483647", "int4", 2147483647],
  ["4294967295::oid", "oid", 4294967295],
  ["9223372036854775807", "int8", "9223372036854775807"],
  ["1.5::float4", "float4", 1.5],
  ["0.1::float4", "float4", 0.1],
  ["0.1::float8 + 0.2::float8", "float8", 0.30000000000000004],
  ["1e300::float8", "float8", 1e300],
  [
    "12345678901234567890.123456789012345678900",
    "numeric",
    "12345678901234567890.123456789012345678900",
  ],
  ["'NaN'::numeric", "numeric", "NaN"],
  ["'2026-01-02'::date", "date", "2026-01-02"],
  ["'infinity'::date", "date", "infinity"],
  ["'0044-03-15 BC'::date", "date", "-000043-03-15"],
  ["'0001-01-01 BC'::date", "date", "0000-01-01"],
  ["'12345-01-01'::date", "date", "+012345-01-01"],
  ["'2026-01-02 03:04:05'::timestamp", "timestamp", "2026-01-02T03:04:05"],
  ["'2026-01-02 03:04:05.123456+02'::timestamptz", "timestamptz", "2026-01-02T01:04:05.123456Z"],
  ["'-infinity'::timestamptz", "timestamptz", "-infinity"],
  ["'0044-03-15 12:00:00+00 BC'::timestamptz", "timestamptz", "-000043-03-15T12:00:00Z"],
  ["'24:00:00'::time", "time", "24:00:00"],
  ["'03:04:05.5+02'::timetz", "timetz", "03:04:05.5+02:00"],
  ["'03:04:05-03:30'::timetz", "timetz", "03:04:05-03:30"],
  ["'1 year 2 months -3 days 04:05:06.7'::interval", "interval", "P1Y2M-3DT4H5M6.7S"],
  ["'0'::interval", "interval", "PT0S"],
  ["'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid", "uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
  ["'\\x00ff10'::bytea", "bytea", "AP8Q"],
  ["''::bytea", "bytea", ""],
  [`'{"a":[1,null,"x"]}'::json`, "json", { a: [1, null, "x"] }],
  ["'null'::jsonb", "jsonb", null],
  ["NULL::jsonb", "jsonb", null],
  [`'it''s "fine"'::mood`, "text", `it's "fine"`],
  ["7::positive", "int4", 7],
  ["ROW(1, 'x y')::pair", "text", `(1,"x y")`],
  ["'[2,5)'::int4range", "text", "[2,5)"],
  ["'{[1,2),[5,7)}'::int4multirange", "text", "{[1,2),[5,7)}"],
  ["'192.168.0.1/24'::inet", "text", "192.168.0.1/24"],
  ["'(1,2)'::point", "text", "(1,2)"],
  ["B'101'", "text", "101"],
  ["to_tsvector('simple', 'b a')", "text", "'a':2 'b':1"],
  ["'x'::char(3)", "text", "x  "],
  ["NULL::int4", "int4", null],
  [String.raw`E'\uFEFFfirst'`, "text", "\ufefffirst"],
  [String.raw`E'\uFEFF'`, "text", "\ufeff"],
  ["''", "text", ""],
  ["ARRAY[1,NULL,3]", "int4[]", [1, null, 3]],
  ["'{}'::int4[]", "int4[]", []],
  ["'[2:3]={7,8}'::int4[]", "int4[]", [7, 8]],
  [
    "ARRAY['', 'NULL', NULL, 'a,b', '{}', 'q\"q', 'back\\slash', E'line\\nbreak']",
    "text[]",
    ["", "NULL", null, "a,b", "{}", 'q"q', "back\\slash", "line\nbreak"],
  ],
  [
    "ARRAY[[1,2],[3,NULL]]",
    "int4[][]",
    [
      [1, 2],
      [3, null],
    ],
  ],
  ["'{}'::int4[]", "int4[][]", []],
  ["ARRAY[9223372036854775807]", "int8[]", ["9223372036854775807"]],
  ["ARRAY[true,false]", "bool[]", [true, false]],
  ["ARRAY['2026-01-02 03:04:05+00'::timestamptz]", "timestamptz[]", ["2026-01-02T03:04:05Z"]],
  [`ARRAY['{"a":"x,y"}'::jsonb, '[1]']`, "jsonb[]", [{ a: "x,y" }, [1]]],
  ["ARRAY['\\x00'::bytea]", "bytea[]", ["AA=="]],
  ["ARRAY['(1,1),(0,0)'::box, NULL]", "box[]", ["(1,1),(0,0)", null]],
  ["ARRAY['sad'::mood]", "text[]", ["sad"]],
  ["ARRAY[7, NULL]::positive[]", "domain int4[]", [7, null]],
  ["ARRAY[[7], [8]]::positive[]", "domain int4[][]", [[7], [8]]],
  ["NULL::positive[]", "domain int4[]", null],
  ["'1e308'::jsonb", "jsonb", 1e308],
  [`'["Infinity", "1e400", 5]'::json`, "json", ["Infinity", "1e400", 5]],
];

/**
 * Value, the type of its parameter, that type's format, and what PostgreSQL makes of it as text.
 */
const given: readonly (readonly [unknown, string, Format, string | null])[] = [
  [1, "int4", "int4", "1"],
  ["9223372036854775807", "int8", "int8", "9223372036854775807"],
  [9007199254740991, "int8", "int8", "9007199254740991"],
  [1e21, "numeric", "numeric", "1000000000000000000000"],
  ["0.1000", "numeric", "numeric", "0.1000"],
  [true, "bool", "bool", "true"],
  [null, "int4", "int4", null],
  [undefined, "text", "text", null],
  ["2026-01-02T03:04:05.123456Z", "timestamptz", "timestamptz", "2026-01-02 03:04:05.123456+00"],
  ["2026-01-02T03:04:05+02:00", "timestamptz", "timestamptz", "2026-01-02 01:04:05+00"],
  ["-000043-03-15T12:00:00Z", "timestamptz", "timestamptz", "0044-03-15 12:00:00+00 BC"],
  ["+012345-01-01", "date", "date", "12345-01-01"],
  ["0000-01-01", "date", "date", "0001-01-01 BC"],
  ["infinity", "timestamp", "timestamp", "infinity"],
  ["P1Y-2DT3.5S", "interval", "interval", "P1Y-2DT3.5S"],
  ["AP8Q", "bytea", "bytea", "\\x00ff10"],
  [{ a: "it's" }, "jsonb", "jsonb", `{"a": "it's"}`],
  ["text", "jsonb", "jsonb", `"text"`],
  [[1, 2], "jsonb", "jsonb", "[1, 2]"],
  [[1, null], "int4[]", "int4[]", "{1,NULL}"],
  [[], "int4[]", "int4[]", "{}"],
  [
    [
      [1, 2],
      [3, 4],
    ],
    "int4[]",
    "int4[]",
    "{{1,2},{3,4}}",
  ],
  [[[], []], "int4[]", "int4[]", "{}"],
  [
    ["", "NULL", 'a"b', "c\\d", "{}", "e,f", null],
    "text[]",
    "text[]",
    `{"","NULL","a\\"b","c\\\\d","{}","e,f",NULL}`,
  ],
  [[{ a: 1 }, [2]], "jsonb[]", "jsonb[]", `{"{\\"a\\": 1}",[2]}`],
  [["AA=="], "bytea[]", "bytea[]", `{"\\\\x00"}`],
  [["(1,1),(0,0)"], "box[]", "box[]", "{(1,1),(0,0)}"],
  ["sad", "mood", "text", "sad"],
  [
    "urn:uuid:a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
    "uuid",
    "uuid",
    "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
  ],
  [[7, null], "positive[]", "domain int4[]", "{7,NULL}"],
  ["\ufefffirst", "text", "text", "\ufefffirst"],
  [-9007199254740991, "int8", "int8", "-9007199254740991"],
  [String.raw`\u0000 \ud800`, "jsonb", "jsonb", JSON.stringify(String.raw`\u0000 \ud800`)],
  ["\u{1f600}", "jsonb", "jsonb", '"\u{1f600}"'],
];

onEachEngine(schema, (database) => {
  test.each(printed)(
    "a column's value is returned in its JSON form: %s as %s",
    async (expression, format, expected) => {
      expect(await valueOf(database(), expression, format)).toEqual(expected);
    },
  );

  test.each(given)(
    "a parameter's value reaches PostgreSQL unchanged: %j as %s",
    async (value, type, format, expected) => {
      const text = await valueOf(database(), `($1::${type})::text`, "text", [value], [format]);
      expect(text).toBe(expected);
    },
  );

  test.each(["NaN", "Infinity", "-Infinity"])(
    "a float of %s is rejected, because JSON has no such number",
    async (value) => {
      const call = send(
        { text: `SELECT '${value}'::float8 AS it`, columns: { it: "float8" } },
        attempt(database().url),
      );
      const { failure: why } = await failure(call);
      expect(why).toEqual({
        code: "PROVIDER.PROTOCOL",
        reason: "column `it` contains NaN or an infinity, which JSON can't represent",
      });
    },
  );

  test.each([
    ["'1e400'::jsonb", "jsonb", "the value"],
    ["'{\"a\": [-1e400]}'::json", "json", "/a/0"],
    ["ARRAY['1e999'::json]", "json[]", "the value"],
    ["(repeat('9', 300) || 'e9')::json", "json", "the value"],
  ] as const)(
    "a number that JavaScript can't represent is rejected in %s",
    async (expression, format, place) => {
      const { failure: why } = await failure(valueOf(database(), expression, format));
      expect(why).toEqual({
        code: "PROVIDER.PROTOCOL",
        reason: `column \`it\` contains JSON in which ${place} is a number that is too large for JavaScript`,
      });
    },
  );

  test.each([
    ["jsonb_build_object('id', 653247040368672768)", "jsonb"],
    ["'{\"id\": -9007199254740993}'::json", "json"],
    ["ARRAY['{\"id\": 18446744073709551615}'::jsonb]", "jsonb[]"],
  ] as const)(
    "an integer that JavaScript would round is rejected in %s",
    async (expression, format) => {
      const { failure: why } = await failure(valueOf(database(), expression, format));
      expect(why).toMatchObject({
        code: "PROVIDER.PROTOCOL",
        reason: expect.stringContaining(
          "column `it` contains JSON in which /id is an integer beyond",
        ),
      });
    },
  );

  test.each([
    ["a NUL in jsonb", { a: "x\0y" }, "jsonb"],
    ["one in a key", { "x\0y": 1 }, "jsonb"],
    ["one in an array of jsonb", [{ a: "x\0y" }], "jsonb[]"],
    ["half a surrogate pair in jsonb", ["\ud800"], "jsonb"],
    ["the other half", ["\udc00"], "jsonb"],
    ["a NUL in text", "x\0y", "text"],
  ] as const)("%s is rejected before anything is sent", (_, value, format) => {
    const tool = { text: "SELECT $1", values: [value], parameters: [format] };
    expect(() => prepare(tool)).toThrow("text must be well-formed Unicode without NUL");
  });

  test.each([2 ** 53, -(2 ** 53), 1e300])(
    "%d is rejected for int8, because it is not exact",
    (value) => {
      for (const [given, format] of [
        [value, "int8"],
        [[value], "int8[]"],
      ] as const) {
        const tool = { text: "SELECT $1", values: [given], parameters: [format] };
        expect(() => prepare(tool)).toThrow("give it as digits in quotes");
      }
    },
  );

  test("an array of another depth is rejected", async () => {
    const error = await failure(valueOf(database(), "ARRAY[[1],[2]]", "int4[]"));
    expect(error.message).toContain("an array of 2 dimensions, but 1 are expected");
  });

  test("JSON that nests too deep is rejected", async () => {
    const deep = `${"[".repeat(1001)}${"]".repeat(1001)}`;
    const error = await failure(valueOf(database(), "$1::jsonb", "jsonb", [deep]));
    expect(error.message).toContain("JSON deeper than 1000 levels");
  });

  test("columns keep their names, including `__proto__` and U+FEFF at the start", async () => {
    const { result } = await send(
      {
        text: `SELECT 1 AS "__proto__", 2 AS "b c", 3 AS "\ufeffmark"`,
        columns: { ["__proto__"]: "int4", "b c": "int4", "\ufeffmark": "int4" },
        rows: "one",
      },
      attempt(database().url),
    );
    expect(Object.entries(result.data as object)).toEqual([
      ["__proto__", 1],
      ["b c", 2],
      ["\ufeffmark", 3],
    ]);
  });
});
