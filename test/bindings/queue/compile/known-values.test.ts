/** Values that are known when modules are generated: the schema's own validator checks them. */
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../../src/core/json.js";
import { field, ofAvro, ofJson, withSchema } from "./support.js";

const of = (schema: JsonValue, value: string, parameters = "{}", required = "") =>
  ofJson(
    { message: `{ v: ${value} }`, parameters, required },
    { type: "object", properties: { v: schema } },
    // The schema itself has warnings too.
  ).filter((line) => !/unknown-format|overlapping-alternatives/.test(line));

const either: JsonValue = {
  oneOf: [
    { type: "object", properties: { x: { type: "integer" } }, required: ["x"] },
    { type: "object", properties: { y: { type: "integer" } }, required: ["y"] },
  ],
};
const several = "fits several forms of `oneOf`, but the field `v` allows exactly one";

describe("literal of several parts", () => {
  it.each<[string, JsonValue, string, string]>([
    ["any form and another", { oneOf: [true, { type: "object" }] }, "{}", `this object ${several}`],
    ["both forms of a `oneOf`", either, "{ x: 1, y: 2 }", `this object ${several}`],
    [
      "too few properties",
      { type: "object", minProperties: 2 },
      "{ a: 1 }",
      "this object doesn't satisfy `minProperties`, but the field `v` requires it",
    ],
    [
      "no item that is contained",
      { type: "array", contains: { type: "integer" } },
      "[a, b]",
      "this list doesn't satisfy `contains`, but the field `v` requires it",
    ],
    [
      "a property without another",
      { type: "object", dependentRequired: { a: ["b"] } },
      "{ a: 1 }",
      "this object doesn't satisfy `dependentRequired`, but the field `v` requires it",
    ],
    [
      "items that are equal",
      { type: "array", uniqueItems: true },
      "[{ a: 1 }, { a: 1 }]",
      "this list doesn't satisfy `uniqueItems`, but the field `v` requires it",
    ],
    [
      "a property that nothing looks at",
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      "{ a: 1, b: 1 }",
      "`b`",
    ],
  ])("reports %s", (_, schema, value, fault) => {
    const lines = of(schema, value);
    expect(lines).toEqual([expect.stringContaining(fault)]);
    expect(lines[0]).toMatch(/^(?:field-type|unknown-field) /);
  });

  it.each<[string, JsonValue, string]>([
    ["one form of a `oneOf`", either, "{ x: 1 }"],
    ["enough properties", { type: "object", minProperties: 2 }, "{ a: 1, b: 2 }"],
    ["an item that is contained", { type: "array", contains: { type: "integer" } }, "[a, 1]"],
    ["a property with another", { dependentRequired: { a: ["b"] } }, "{ a: 1, b: 1 }"],
    ["an object that is the only one", { const: { k: 1 } }, "{ k: 1 }"],
    ["an object that is listed", { enum: [{ k: 1 }, { k: [2] }] }, "{ k: [2] }"],
    ["a form that nothing checks", { type: "string", format: "my-own" }, "x"],
    [
      "a name as on objects",
      { properties: { ["__proto__"]: { type: "string" } } },
      "{ __proto__: x }",
    ],
  ])("accepts %s", (_, schema, value) => {
    expect(of(schema, value)).toEqual([]);
  });

  it("reports the listed values as their author wrote them", () => {
    expect(of({ enum: [{ k: 1 }, [2], "x"] }, "1")).toEqual([
      "field-type [1] this value is `1`, but the field `v` takes an object or an array or a string",
    ]);
    expect(of({ enum: [{ k: 1 }] }, "{ k: 2 }")).toEqual([
      "field-type [2] this value is `2`, but the field `v.k` takes `1`",
    ]);
  });

  it("accepts only keys that maps of Protobuf take", () => {
    const proto = `syntax = "proto3"; message Order { map<int32, string> n = 1; map<bool, string> b = 2; }`;
    const lines = (message: string) => withSchema("protobuf", proto, { message }).lines;
    expect(lines("{ n: { '1': a, '-7': b }, b: { 'true': c } }")).toEqual([]);
    for (const message of ["{ n: { x: a } }", "{ n: { '007': a } }", "{ b: { yes: a } }"])
      expect(lines(message)).toEqual([expect.stringContaining("field-type")]);
  });
});

describe("parameters that list their values", () => {
  it("checks listed values together with the literal parts around them", () => {
    const schema = { enum: [{ k: 1 }, { k: 2 }] };
    expect(of(schema, '{ k: "{p}" }', "{ p: { enum: [1, 2] } }", "p")).toEqual([]);
    expect(of(schema, '{ k: "{p}" }', "{ p: { enum: [1, 3] } }", "p")[0]).toContain("may be `3`");
    expect(of(either, '{ x: 1, y: "{p}" }', "{ p: { enum: [1, 2] } }", "p")).toEqual([
      expect.stringContaining(several),
    ]);
  });

  it("checks listed objects", () => {
    const parameters = "{ p: { enum: [{ k: 1 }, { k: 2 }] } }";
    expect(of({ enum: [{ k: 2 }, { k: 1 }] }, '"{p}"', parameters, "p")).toEqual([]);
    expect(of({ const: { k: 1 } }, '"{p}"', parameters, "p")).toEqual([
      "field-may-not-fit [{p}] `p` at `k` may be `2`, but the field `v.k` takes `1`",
    ]);
  });

  it("checks the values of every form that an object may have", () => {
    const forms = (one: string, other: string) =>
      `{ q: { type: object, required: [kind], oneOf: [{ properties: { kind: ${one} } }, { properties: { kind: ${other} } }] } }`;
    const schema = { enum: ["A", "B", "C"] };
    const [consts, others] = [
      forms("{ const: A }", "{ const: B }"),
      forms("{ const: A }", "{ const: Z }"),
    ];
    expect(of(schema, '"{q.kind}"', consts, "q")).toEqual([]);
    expect(of(schema, '"{q.kind}"', others, "q")[0]).toContain("`q.kind` may be `Z`");
    const small = "{ type: integer, minimum: 0, maximum: 9 }";
    const bounded = forms(small, "{ type: integer, minimum: 20, maximum: 29 }");
    expect(of({ type: "integer", maximum: 29 }, '"{q.kind}"', bounded, "q")).toEqual([]);
    expect(of({ type: "integer", maximum: 28 }, '"{q.kind}"', bounded, "q")[0]).toContain(
      "may be 29",
    );
  });
});

describe("other parameters", () => {
  it("reports parameters that always match two forms of a `oneOf`", () => {
    const integer = "{ p: { type: integer } }";
    expect(of(either, '{ x: "{p}", y: "{p}" }', integer, "p")).toEqual([
      expect.stringContaining(`this object ${several}`),
    ]);
    expect(of(either, '{ x: "{p}" }', integer, "p")).toEqual([]);
  });

  it("checks a parameter against the fields of listed objects", () => {
    expect(of({ const: { k: 1 } }, '{ k: "{p}" }', "{ p: { type: string } }", "p")).toEqual([
      "field-type [{p}] `p` may be a string, but the field `v.k` takes an integer",
    ]);
  });

  it("accepts a format that no validator knows", () => {
    const schema = { type: "string", format: "my-own" };
    expect(of(schema, '"{p}"', "{ p: { type: string } }", "p")).toEqual([]);
    expect(of(schema, '"{p}"', "{ p: { type: string, format: date } }", "p")).toEqual([]);
  });
});

describe("literal of one part", () => {
  it.each([
    [
      '"1"',
      "int",
      "this value is the text `1`, but the field `v` (`int`) takes an integer (remove the quotes)",
    ],
    [
      '"true"',
      "boolean",
      "this value is the text `true`, but the field `v` (`boolean`) takes a boolean (remove the quotes)",
    ],
    [
      '"2.5"',
      "double",
      "this value is the text `2.5`, but the field `v` (`double`) takes a number (remove the quotes)",
    ],
    ['"2.5"', "int", "this value is `2.5`, but the field `v` (`int`) takes an integer"],
  ])("reports a quoted literal that should not be text: %s as %s", (value, type, fault) => {
    const [line] = ofAvro({ message: `{ v: ${value} }` }, field("v", type));
    expect(line).toContain(`] ${fault}`);
  });

  it.each<[JsonValue, string, string]>([
    [{ type: "integer", multipleOf: 5 }, "3", "takes multiples of 5"],
    [{ type: "integer", multipleOf: 5, maximum: 9 }, "10", "holds 9 or less"],
    [{ type: "string", maxLength: 2 }, "abc", "holds 2 characters"],
    [{ type: "string", minLength: 2, pattern: "^a" }, "b", "takes at least 2 characters"],
    [{ type: "string", minLength: 2, pattern: "^a" }, "bb", "takes text that matches `^a`"],
    [{ type: "string", not: { const: "a" } }, "a", "requires `not`"],
  ])("reports a literal that %j rejects: %s", (schema, value, wanted) => {
    expect(of(schema, value)).toEqual([
      `field-type [${value}] this value is \`${value}\`, but the field \`v\` ${wanted}`,
    ]);
  });

  it("reports a timestamp with too many digits", () => {
    const type = { type: "long", logicalType: "timestamp-millis" };
    const [line] = ofAvro({ message: '{ v: "2026-07-25T10:11:12.3456Z" }' }, field("v", type));
    expect(line).toContain("at most 3 digits of fraction");
  });
});

describe("text with a known part", () => {
  const parameters = "{ b: { type: string } }";
  const line = (schema: JsonValue, text: string) => of(schema, `"${text}"`, parameters, "b");

  it.each<[JsonValue, string, string]>([
    [{ type: "string", pattern: "^x" }, "x{b}", "takes text that matches `^x`"],
    [{ type: "string", format: "uri" }, "https://x/{b}", "takes text in the format `uri`"],
    [{ enum: ["x.1", "y.1"] }, "x.{b}", "takes `x.1`, `y.1`"],
  ])("warns that a text may not fit: %j, %s", (schema, text, wanted) => {
    expect(line(schema, text)).toEqual([
      `field-may-not-fit ["${text}"] skillc knows only a part of this text, but the field \`v\` ${wanted} (use one parameter for the whole value)`,
    ]);
  });

  it("reports a field of another type, and a list without a matching text", () => {
    expect(line({ type: "integer" }, "1{b}")[0]).toMatch(/^field-type .* takes an integer/);
    expect(line({ enum: ["x+1", "y.1"] }, "x.{b}")[0]).toMatch(/^field-type /);
  });
});

describe("fields of a parameter", () => {
  const record = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };
  const object = (fields: string) =>
    `{ p: { type: object, additionalProperties: false, ${fields} } }`;

  it("reports fields that the schema does not know, and required fields that are missing", () => {
    const more = object(
      "required: [a, b], properties: { a: { type: string }, b: { type: string } }",
    );
    expect(of(record, '"{p}"', more, "p")).toEqual([
      "field-type [{p}] `p` may have `b`, but the field `v` has no such field",
    ]);
    expect(of(record, '"{p}"', object("properties: {}"), "p")).toEqual([
      "field-type [{p}] `p` declares no `a`, but the field `v.a` is required (declare it there)",
    ]);
  });
});
