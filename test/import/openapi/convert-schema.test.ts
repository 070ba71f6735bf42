import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/core/json.js";
import { convertSchema, type Dialect } from "../../../src/import/openapi/skills/convert-schema.js";
import type { ApiDocument, Part } from "../../../src/import/openapi/read/document.js";

function converted(value: JsonValue, dialect: Dialect = "openapi-3.0") {
  const document: ApiDocument = {
    uri: "file:///a.json",
    file: { path: "a.json", text: "" },
    value,
  };
  const part: Part = { value, at: { document, pointer: "" } };
  const notes: string[] = [];
  const schema = convertSchema(part, {
    dialect,
    note: ({ message }) => void notes.push(message),
    target: () => undefined,
    isBase: () => false,
    refer: (reference) => `./${reference.split("/").at(-1)}.json`,
  });
  return { schema, notes };
}

describe("a schema of OpenAPI 3.0", () => {
  const cases: readonly (readonly [string, JsonValue, JsonValue])[] = [
    ["nullable", { type: "string", nullable: true }, { type: ["string", "null"] }],
    ["nullable false", { type: "string", nullable: false }, { type: "string" }],
    [
      "nullable with listed values",
      { type: "string", enum: ["a"], nullable: true },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      "nullable beside allOf",
      { description: "Who.", allOf: [{ $ref: "#/a/User" }], nullable: true },
      { description: "Who.", anyOf: [{ allOf: [{ $ref: "./User.json" }] }, { type: "null" }] },
    ],
    [
      "nullable beside a $ref",
      { $ref: "#/a/User", nullable: true },
      { anyOf: [{ $ref: "./User.json" }, { type: "null" }] },
    ],
    ["nullable alone", { nullable: true }, {}],
    [
      "nullable beside a type and anyOf",
      { type: "object", nullable: true, anyOf: [{ $ref: "#/a/User" }, { required: ["a"] }] },
      {
        anyOf: [
          { type: "object", anyOf: [{ $ref: "./User.json" }, { required: ["a"] }] },
          { type: "null" },
        ],
      },
    ],
    [
      "nullable in a branch of allOf that says nothing else",
      { allOf: [{ $ref: "#/a/User" }, { nullable: true }] },
      { anyOf: [{ allOf: [{ $ref: "./User.json" }, {}] }, { type: "null" }] },
    ],
    [
      "nullable items beside allOf",
      {
        type: "array",
        items: { type: "object", nullable: true, allOf: [{ $ref: "#/a/User" }] },
      },
      {
        type: "array",
        items: {
          anyOf: [{ type: "object", allOf: [{ $ref: "./User.json" }] }, { type: "null" }],
        },
      },
    ],
    ["x-nullable", { type: "string", "x-nullable": true }, { type: ["string", "null"] }],
    [
      "x-nullable with listed values",
      { type: "string", enum: ["a"], "x-nullable": true },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      "x-nullable beside a $ref",
      { $ref: "#/a/User", "x-nullable": true },
      { anyOf: [{ $ref: "./User.json" }, { type: "null" }] },
    ],
    [
      "properties without a type",
      { properties: { a: { items: {} } } },
      { properties: { a: { items: {}, type: "array" } }, type: "object" },
    ],
    [
      "branches of a type that is said around them",
      { type: "object", nullable: true, allOf: [{ properties: { a: { properties: {} } } }] },
      {
        anyOf: [
          { type: "object", allOf: [{ properties: { a: { properties: {}, type: "object" } } }] },
          { type: "null" },
        ],
      },
    ],
    [
      "branches that all list properties",
      { oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
      { oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }], type: "object" },
    ],
    [
      "properties beside what says more",
      { properties: {}, anyOf: [{ type: "string" }, { required: ["a"] }] },
      { properties: {}, anyOf: [{ type: "string" }, { required: ["a"] }] },
    ],
    ["what stands beside a $ref", { $ref: "#/a/User", description: "x" }, { $ref: "./User.json" }],
    [
      "bounds that are left out",
      { type: "integer", minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      { type: "integer", exclusiveMinimum: 1, maximum: 9 },
    ],
    ["example", { type: "string", example: "a" }, { type: "string", examples: ["a"] }],
    ["file", { type: "file" }, { type: "string", format: "binary" }],
    [
      "password",
      { type: "string", format: "password" },
      { type: "string", format: "password", "x-sensitive": true },
    ],
    [
      "a format of its own",
      { type: "string", format: "isbn" },
      { type: "string", "x-format": "isbn" },
    ],
    [
      "a list of schemas",
      { type: "array", items: [{ type: "string" }] },
      { type: "array", prefixItems: [{ type: "string" }] },
    ],
    [
      "repeated names",
      { type: "object", required: ["a", "a"] },
      { type: "object", required: ["a"] },
    ],
    [
      "flags that say nothing",
      { type: "string", readOnly: false, deprecated: false, uniqueItems: false },
      { type: "string" },
    ],
    [
      "extensions and XML",
      { type: "string", "x-skillc-file": true, xml: { name: "a" }, externalDocs: {} },
      { type: "string" },
    ],
    [
      "property names that are keywords",
      {
        type: "object",
        properties: { nullable: { type: "string" }, $ref: { type: "string" }, "x-a": {} },
      },
      {
        type: "object",
        properties: { nullable: { type: "string" }, $ref: { type: "string" }, "x-a": {} },
      },
    ],
  ];
  test.each(cases)("keeps its meaning in 2020-12: %s", (_, from, to) => {
    expect(converted(from)).toEqual({ schema: to, notes: [] });
  });
});

describe("a schema of OpenAPI 3.1", () => {
  test.each<readonly [string, JsonValue]>([
    ["types", { type: ["string", "null"], const: "a" }],
    ["bounds", { type: "number", exclusiveMinimum: 1 }],
    [
      "booleans",
      { type: "object", properties: { a: true, b: false }, additionalProperties: false },
    ],
    ["patterns of properties", { type: "object", patternProperties: { "^x-": {} } }],
    ["conditions", JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]},"else":false}')],
  ])("stays unchanged: %s", (_, schema) => {
    expect(converted(schema, "2020-12")).toEqual({ schema, notes: [] });
  });

  test("accepts null beside the keywords of a $ref and beside a const", () => {
    expect(
      converted({ $ref: "#/a/User", type: "object", nullable: true }, "2020-12").schema,
    ).toEqual({ anyOf: [{ $ref: "./User.json", type: "object" }, { type: "null" }] });
    expect(converted({ type: "string", const: "a", nullable: true }, "2020-12").schema).toEqual({
      anyOf: [{ type: "string", const: "a" }, { type: "null" }],
    });
  });

  test("reads the patterns of properties in other languages", () => {
    const named = { "(?i)^x-": { type: "string" }, "^\\@": { type: "integer" } };
    expect(converted({ type: "object", patternProperties: named }, "2020-12")).toEqual({
      schema: {
        type: "object",
        patternProperties: { "^[xX]-": { type: "string" }, "^@": { type: "integer" } },
      },
      notes: ["the tool reads the pattern as `^[xX]-`", "the tool reads the pattern as `^@`"],
    });
  });

  test("accepts further properties if the pattern of some has no equal", () => {
    const patternProperties = { "^\\h": { type: "string" }, "^a": { type: "string" } };
    expect(
      converted({ type: "object", patternProperties, additionalProperties: false }, "2020-12"),
    ).toEqual({
      schema: { type: "object", patternProperties: { "^a": { type: "string" } } },
      notes: [
        "the tool does not check the pattern, because `\\h` has no certain equal in ECMAScript",
      ],
    });
  });

  test("keeps the keywords beside a $ref", () => {
    const { schema } = converted({ $ref: "#/a/User", description: "Who." }, "2020-12");
    expect(schema).toEqual({ $ref: "./User.json", description: "Who." });
  });
});

describe("a keyword that can't be converted", () => {
  test.each<readonly [JsonValue, JsonValue, string]>([
    [{ type: "text" }, {}, '`"text"` is not a type of JSON Schema'],
    [
      { type: "string", pattern: "(a+)\\1+$" },
      { type: "string", "x-pattern": "(a+)\\1+$" },
      "the tool does not check the pattern, because a search for it may never end",
    ],
    [
      { type: "string", pattern: "(a" },
      { type: "string", "x-pattern": "(a" },
      "the tool does not check the pattern, because it is not an ECMAScript pattern with the flag `u`",
    ],
    [
      { type: "integer", default: "1" },
      { type: "integer" },
      "the schema rejects its own default, so the import leaves the default out",
    ],
    [
      { type: "string", pattern: "^a$", default: "b" },
      { type: "string", pattern: "^a$" },
      "the schema rejects its own default, so the import leaves the default out",
    ],
    [
      { type: "string", minLength: -1 },
      { type: "string" },
      "JSON Schema has no `minLength` with such a value, so the import leaves it out",
    ],
    [
      { type: "integer", maximum: Infinity, minimum: 0 },
      { type: "integer", minimum: 0 },
      "`maximum` contains a number that is too large, so the import leaves it out",
    ],
    [
      { type: "array", default: [[1, -Infinity]] },
      { type: "array" },
      "`default` contains a number that is too large, so the import leaves it out",
    ],
    [
      { type: "object", required: true },
      { type: "object" },
      "JSON Schema has no `required` with such a value, so the import leaves it out",
    ],
  ])("gets omitted with a note: %j", (from, to, note) => {
    expect(converted(from)).toEqual({ schema: to, notes: [note] });
  });
});
