import { describe, expect, it } from "vitest";
import { field, ofAvro, ofJson, record, symbols, withSchema } from "./support.js";

const decimal = { type: "bytes", logicalType: "decimal", precision: 4, scale: 2 };
const date = { type: "int", logicalType: "date" };
const uuid = { type: "string", logicalType: "uuid" };
const list = (items: string) => ({ type: "array", items });
const map = (values: string) => ({ type: "map", values });
const inner = record("Inner", field("a", "string"));
const other = record("Other", field("b", "int"));
const small = "{ type: integer, minimum: 0, maximum: 9 }";

describe("literal", () => {
  it.each([
    ["a string", "x", "string"],
    ["digits of a long", '"9223372036854775807"', "long"],
    ["a whole number as a double", "1", "double"],
    ["a symbol", "OPEN", symbols],
    ["a date", '"2026-02-28"', date],
    ["a decimal", '"-12.5"', decimal],
    ["base64", "aGk=", "bytes"],
    ["null where it may be", "null", ["null", "string"]],
    ["a list", "[1, 2]", list("int")],
    ["a list where null may be too", "[]", ["null", list("int")]],
    ["a map", "{ x: 1, __proto__: 2, constructor: 3 }", map("int")],
    ["a map beside a record", "{ z: 1 }", [inner, map("int")]],
    ["the second of two records", "{ b: 1 }", [inner, other]],
  ])("accepts %s", (_, message, type) => {
    expect(ofAvro({ message: `{ v: ${message} }` }, field("v", type))).toEqual([]);
  });

  it.each([
    [
      "12",
      "string",
      "field-type [12] this value is `12`, but the field `v` (`string`) takes a string",
    ],
    [
      '"12"',
      "int",
      'field-type ["12"] this value is the text `12`, but the field `v` (`int`) takes an integer (remove the quotes)',
    ],
    [
      "2147483648",
      "int",
      "field-type [2147483648] this value is `2147483648`, but the field `v` (`int`) holds -2147483648 to 2147483647",
    ],
    [
      "12a",
      "long",
      "field-type [12a] this value is `12a`, but the field `v` (`long`) takes an integer of 64 bits, or its digits",
    ],
    [
      "CLOSED",
      symbols,
      "field-type [CLOSED] this value is `CLOSED`, but the field `v` (`Status`) takes `OPEN`, `PAID`",
    ],
    [
      "open",
      symbols,
      "field-type [open] this value is `open`, but the field `v` (`Status`) takes `OPEN`, `PAID`",
    ],
    [
      '"2026-02-30"',
      date,
      'field-type ["2026-02-30"] this value is `2026-02-30`, but the field `v` (`date`) takes a date, such as `2026-01-02`',
    ],
    [
      "123.45",
      decimal,
      "field-type [123.45] this value is `123.45`, but the field `v` (`decimal(4, 2)`) takes a decimal as text, with at most 2 digits before the point and 2 behind it",
    ],
    [
      "h i",
      "bytes",
      "field-type [h i] this value is `h i`, but the field `v` (`bytes`) takes bytes in base64",
    ],
    [
      "null",
      "string",
      "field-type [null] this value is `null`, but the field `v` (`string`) takes a string",
    ],
    [
      "{ x: 1 }",
      "string",
      "field-type [{ x: 1 }] this is an object, but the field `v` (`string`) takes a string",
    ],
    [
      "[1, x]",
      list("int"),
      "field-type [x] this value is `x`, but the field `v.1` (`int`) takes an integer",
    ],
    [
      "{ x: a }",
      map("int"),
      "field-type [a] this value is `a`, but the field `v.x` takes an integer",
    ],
  ])("rejects %s as %j", (message, type, line) => {
    expect(ofAvro({ message: `{ v: ${message} }` }, field("v", type))).toEqual([line]);
  });
});

describe("parameter", () => {
  const given = (schema: string, type: Parameters<typeof field>[1], defs?: string) =>
    ofAvro(
      {
        parameters: `{ p: ${schema} }`,
        required: "p",
        message: '{ v: "{p}" }',
        ...(defs !== undefined && { defs }),
      },
      field("v", type),
    );

  it.each([
    ["{ type: string }", "string"],
    ["{ type: string, format: uuid }", uuid],
    ["{ type: string, format: uuid }", "string"],
    ["{ type: string, format: date }", date],
    ["{ type: integer }", "long"],
    ["{ type: string, pattern: '^[0-9]{1,18}$' }", "long"],
    ["{ type: [integer, string], pattern: '^[0-9]{1,18}$' }", ["null", "long"]],
    [small, "int"],
    ["{ type: number }", "double"],
    ["{ type: [string, 'null'] }", ["null", "string"]],
    ["{ enum: [PAID, null] }", ["null", symbols]],
    ["{ const: OPEN }", symbols],
    ["{ type: array, items: { type: string } }", list("string")],
    ["{ type: object, additionalProperties: { type: string } }", map("string")],
    [
      "{ type: object, additionalProperties: false, properties: { a: { type: string, default: x } } }",
      inner,
    ],
    ["{ type: string, contentEncoding: base64 }", "bytes"],
  ])("accepts %s as %j", (schema, type) => {
    expect(given(schema, type)).toEqual([]);
  });

  it.each([
    [
      "{ type: [string, 'null'] }",
      "string",
      "field-type [{p}] `p` may be null, but the field `v` (`string`) takes a string",
    ],
    [
      "{}",
      "string",
      "field-may-not-fit [{p}] `p` may be anything, but the field `v` (`string`) takes a string",
    ],
    [
      "{ type: string }",
      "long",
      "field-may-not-fit [{p}] `p` may be any text, but the field `v` (`long`) takes an integer of 64 bits, or its digits (declare `type: integer`, or write `pattern: '^(0|-?[1-9][0-9]{0,17})$'`)",
    ],
    [
      "{ type: number }",
      "long",
      "field-may-not-fit [{p}] `p` may be a number, but the field `v` (`long`) takes an integer of 64 bits, or its digits (write `type: integer`)",
    ],
    [
      "{ type: integer }",
      "int",
      "field-may-not-fit [{p}] `p` may be any integer, but the field `v` (`int`) holds -2147483648 to 2147483647 (write `minimum: -2147483648, maximum: 2147483647`)",
    ],
    [
      "{ type: string }",
      uuid,
      "field-may-not-fit [{p}] `p` may be any text, but the field `v` (`uuid`) takes a UUID, with hyphens (write `format: uuid`)",
    ],
    [
      "{ type: string, format: date-time }",
      date,
      "field-type [{p}] `p` has the format `date-time`, but the field `v` (`date`) takes a date, such as `2026-01-02`",
    ],
    [
      "{ type: string }",
      decimal,
      "field-may-not-fit [{p}] `p` may be any text, but the field `v` (`decimal(4, 2)`) takes a decimal as text, with at most 2 digits before the point and 2 behind it (write `pattern: '^-?(0|[1-9]\\d{0,1})(\\.\\d{1,2})?$'`)",
    ],
    [
      "{ enum: [OPEN, LOST] }",
      symbols,
      "field-may-not-fit [{p}] `p` may be `LOST`, but the field `v` (`Status`) takes `OPEN`, `PAID`",
    ],
    [
      "{ type: array, prefixItems: [{ type: string }, { type: integer }], items: false }",
      list("string"),
      "field-type [{p}] `p` at `1` may be an integer, but the field `v.1` (`string`) takes a string",
    ],
    [
      "{ type: object }",
      map("string"),
      "field-may-not-fit [{p}] `p` at `*` may be anything, but the field `v.*` takes a string",
    ],
    [
      "{ type: object, additionalProperties: false, properties: { a: { type: string } } }",
      inner,
      "field-type [{p}] `p` at `a` may be absent, but the field `v.a` (`string`) is required (make it required)",
    ],
    [
      "{ type: object, required: [a], properties: { a: { type: string } } }",
      inner,
      "field-may-not-fit [{p}] `p` may have undeclared properties, but the field `v` (`Inner`) rejects them (write `additionalProperties: false`)",
    ],
  ])("reports %s as %j", (schema, type, line) => {
    expect(given(schema, type)).toEqual([line]);
  });

  it("accepts a recursive schema, as a whole and as a part of a recursive record", () => {
    const node = record("Node", field("v", "string"), field("next", ["null", "Node"], null));
    const next = 'anyOf: [{ type: "null" }, { $ref: "#/$defs/node" }]';
    const defs = `{ node: { type: object, additionalProperties: false, required: [v], properties: { v: { type: string }, next: { ${next} } } } }`;
    expect(given('{ $ref: "#/$defs/node" }', node, defs)).toEqual([]);
    expect(given('{ $ref: "#/$defs/node" }', node, defs.replace("string", "integer"))).toEqual([
      "field-type [{p}] `p` at `v` may be an integer, but the field `v.v` (`string`) takes a string",
      "field-type [{p}] `p` at `next.v` may be an integer, but the field `v.next.v` (`string`) takes a string",
    ]);
  });
});

describe("text around a parameter", () => {
  it.each([
    ["string", []],
    ["long", ["takes an integer of 64 bits, or its digits"]],
    ["int", ["takes an integer"]],
    [symbols, ["takes `OPEN`, `PAID`"]],
    [uuid, ["takes a UUID, with hyphens"]],
  ])("checks the whole text against the type of its field: %j", (type, faults) => {
    const parts = {
      parameters: "{ p: { type: integer } }",
      required: "p",
      message: '{ v: "x{p}" }',
    };
    const lines = ofAvro(parts, field("v", type));
    expect(lines).toHaveLength(faults.length);
    for (const fault of faults) {
      expect(lines[0]).toContain(fault);
      expect(lines[0]).toContain("(use one parameter for the whole value)");
    }
  });
});

describe("parameter that may be absent", () => {
  const optional = (message: string, type: Parameters<typeof field>[1], initial?: string | null) =>
    ofAvro({ parameters: "{ p: { type: string } }", message }, field("v", type, initial));
  const help = "(make it required, give it a `default`, or make `v` optional in the schema)";

  it("accepts a field with a default, for a parameter alone or inside text", () => {
    expect(optional('{ v: "{p}" }', "string", "none")).toEqual([]);
    expect(optional('{ v: "no. {p}" }', "string", "none")).toEqual([]);
    expect(optional('{ v: "{p}" }', ["null", "string"], null)).toEqual([]);
  });

  it("rejects a field without a default, nullable or not", () => {
    expect(optional('{ v: "{p}" }', "string")).toEqual([
      `optional-field [{p}] \`p\` may be absent, but the field \`v\` (\`string\`) is required ${help}`,
    ]);
    expect(optional('{ v: "no. {p}" }', ["null", "string"])).toEqual([
      `optional-field [{p}] \`p\` may be absent, but the field \`v\` (\`null or string\`) is required ${help}`,
    ]);
  });

  it("rejects text around a nullable parameter", () => {
    const parts = {
      parameters: "{ p: { type: [string, 'null'] } }",
      required: "p",
      message: '{ v: "no. {p}" }',
    };
    expect(ofAvro(parts, field("v", "string"))[0]).toContain("optional-field [{p}]");
  });

  it("reports a field of a nested record, also of a nullable one", () => {
    for (const type of [inner, ["null", inner]])
      expect(optional('{ v: { a: "{p}" } }', type)[0]).toContain(
        "optional-field [{p}] `p` may be absent, but the field `v.a` (`string`) is required",
      );
  });

  it("rejects an optional parameter as the whole message, with or without a schema", () => {
    const line =
      "optional-field [{p}] `p` may be absent, but the message needs it (make it required, or give it a `default`)";
    const object = "{ p: { type: object, additionalProperties: false } }";
    expect(ofAvro({ parameters: object, message: '"{p}"' })).toEqual([line]);
    expect(ofJson({ parameters: object, message: '"{p}"' }, {})).toEqual([line]);
  });

  it("treats a parameter with a default as always present", () => {
    const parts = { parameters: "{ p: { type: string, default: x } }", message: '{ v: "{p}" }' };
    expect(ofAvro(parts, field("v", "string"))).toEqual([]);
    expect(ofAvro(parts, field("v", "boolean"))[0]).toContain("may be a string");
  });
});

describe("fields of a message", () => {
  it("reports required fields that are missing, also in nested records", () => {
    expect(ofAvro({ message: "{}" }, field("v", "string"))).toEqual([
      "missing-field [{}] the field `v` (`string`) is required, but the message doesn't have it (add `v: …`)",
    ]);
    expect(ofAvro({ message: "{ v: {} }" }, field("v", ["null", inner], null))).toEqual([
      "missing-field [v] the field `v.a` (`string`) is required, but the message doesn't have it (add `a: …`)",
    ]);
  });

  it("reports an unknown field, and suggests the schema's spelling", () => {
    const parts = { parameters: "{ p: { type: string } }", required: "p" };
    expect(
      ofAvro({ ...parts, message: '{ orderID: "{p}" }' }, field("order_id", "string")),
    ).toEqual([
      "unknown-field [orderID] the message (`Order`) has no field `orderID` (write `order_id`, exactly as in the schema)",
    ]);
    expect(ofAvro({ ...parts, message: '{ ordr: "{p}" }' }, field("order", "string"))).toEqual([
      "unknown-field [ordr] the message (`Order`) has no field `ordr` (did you mean `order`?)",
    ]);
    expect(ofAvro({ message: "{ __proto__: 1, toString: 2 }" })).toEqual([
      "unknown-field [__proto__] the message (`Order`) has no field `__proto__` (it has none)",
      "unknown-field [toString] the message (`Order`) has no field `toString` (it has none)",
    ]);
  });

  it("reports fields that belong to different forms of a union", () => {
    expect(ofAvro({ message: "{ v: { a: x, b: 1 } }" }, field("v", [inner, other]))).toEqual([
      "unknown-field [b] the field `v` (`Inner or Other`) has no form with `b` and all the fields beside it (keep the fields of one form)",
    ]);
  });

  it("checks the parameters as fields if the message lists none", () => {
    const parts = {
      parameters: "{ a: { type: string }, extra: { type: string } }",
      required: "a, extra",
    };
    expect(ofAvro(parts, field("a", "string"), field("long_name", "int"))).toEqual([
      "unknown-field [{ type: string }] the message (`Order`) has no field `extra` (it has `a`, `long_name`; list them under `message`, or write `unused: [extra]`)",
      "missing-field [./order.json] the field `long_name` (`int`) is required, but the message doesn't have it (declare a parameter `long_name`, or write `message`)",
    ]);
  });

  it("rejects a message that is not an object", () => {
    expect(ofAvro({ message: "[1]" }, field("v", "int", 1))).toEqual([
      "field-type [[1]] this is an array, but the message (`Order`) takes an object",
    ]);
    expect(ofAvro({ message: "hello" }, field("v", "int", 1))).toEqual([
      "field-type [hello] this value is `hello`, but the message (`Order`) takes an object",
    ]);
  });

  it("accepts one parameter as all fields", () => {
    const parts = (type: string) => ({
      parameters: `{ p: { type: object, additionalProperties: false, required: [v], properties: { v: { type: ${type} } } } }`,
      required: "p",
      message: '"{p}"',
    });
    expect(ofAvro(parts("string"), field("v", "string"))).toEqual([]);
    expect(ofAvro(parts("integer"), field("v", "string"))).toEqual([
      "field-type [{p}] `p` at `v` may be an integer, but the field `v` (`string`) takes a string",
    ]);
  });

  it("points at the field in the schema's file", () => {
    const schema = JSON.stringify(record("Order", field("total", "long")));
    const { related } = withSchema("avro", schema, { message: "{ total: many }" });
    expect(related).toEqual([['"long"']]);
  });
});

describe("message with a JSON Schema", () => {
  const order = {
    type: "object",
    required: ["order_id"],
    properties: {
      order_id: { type: "string", minLength: 1 },
      tags: { type: "array", items: { type: "string" }, maxItems: 2 },
      kind: { const: "order" },
    },
  };
  const parts = (schema: string, message: string) => ({
    parameters: `{ p: ${schema} }`,
    required: "p",
    message,
  });

  it("accepts a field that an open schema does not name, unless the name looks misspelt", () => {
    const id = "{ type: string, minLength: 1 }";
    expect(ofJson(parts(id, '{ order_id: "{p}", more: 1 }'), order)).toEqual([]);
    expect(ofJson(parts(id, '{ order_id: "{p}", Tags: [] }'), order)[0]).toContain(
      "unknown-field [Tags]",
    );
    const closed = { ...order, additionalProperties: false };
    expect(ofJson(parts(id, '{ order_id: "{p}", more: 1 }'), closed)[0]).toContain(
      "unknown-field [more]",
    );
  });

  it("checks sizes and constants", () => {
    expect(ofJson(parts("{ type: string }", '{ order_id: "{p}" }'), order)).toEqual([
      "field-may-not-fit [{p}] `p` may be shorter, but the field `order_id` takes at least 1 character (write `minLength: 1`)",
    ]);
    expect(ofJson(parts("{ type: string }", '{ order_id: x, kind: "{p}" }'), order)).toEqual([
      "field-may-not-fit [{p}] `p` may be any text, but the field `kind` takes `order` (write `enum: [order]`)",
    ]);
    const tags = "{ type: array, items: { type: string } }";
    expect(ofJson(parts(tags, '{ order_id: x, tags: "{p}" }'), order)).toEqual([
      "field-may-not-fit [{p}] `p` may have more items, but the field `tags` holds 2 items (write `maxItems: 2`)",
    ]);
    expect(ofJson({ message: "{ order_id: x, tags: [a, b, c] }" }, order)).toEqual([
      "field-type [[a, b, c]] this list has 3 items, but the field `tags` holds 2 items",
    ]);
  });
});

describe("message with a Protobuf schema", () => {
  const proto = `syntax = "proto3";
message Order {
  int64 id = 1;
  Line line = 2;
  repeated Line lines = 3;
  map<string, int32> counts = 4;
  oneof payer { string card = 5; string iban = 6; }
}
message Line { string sku = 1; Unit unit = 2; }
enum Unit { UNIT_UNSPECIFIED = 0; PIECE = 1; }
`;
  const of = (message: string, parameters = "{ p: { type: string } }", required = "p") =>
    withSchema("protobuf", proto, { parameters, required, message }).lines.map((line) =>
      line.replace(/^\d+:\d+ queue\//, ""),
    );

  it.each([
    '{ id: 1, line: { sku: "{p}", unit: PIECE } }',
    '{ lines: [{ sku: "{p}" }], counts: { a: 1 }, card: x }',
    '{ id: "9223372036854775807", iban: "{p}" }',
  ])("accepts %s", (message) => {
    expect(of(message)).toEqual([]);
  });

  it.each([
    [
      '{ id: "{p}" }',
      "field-may-not-fit [{p}] `p` may be any text, but the field `id` (`int64`) takes an integer of 64 bits, or its digits",
    ],
    [
      '{ line: { SKU: "{p}" } }',
      "unknown-field [SKU] the field `line` (`Line`) has no field `SKU` (write `sku`",
    ],
    [
      '{ lines: [{ sku: "{p}", unit: 1 }] }',
      "field-type [1] this value is `1`, but the field `lines.0.unit` (`Unit`)",
    ],
    ['{ counts: { a: "{p}" } }', "field-type [{p}] `p` may be a string, but the field `counts.a`"],
    ['{ card: "{p}", iban: "{p}" }', "exclusive-fields [iban] `iban` and `card` are both given"],
  ])("reports %s", (message, start) => {
    expect(of(message).map((line) => line.slice(0, start.length))).toEqual([start]);
  });

  it("accepts two fields of a oneof if one may be absent", () => {
    expect(
      of('{ card: "{p}", iban: "{q}" }', "{ p: { type: string }, q: { type: string } }"),
    ).toEqual([]);
  });
});

it("one message reports at most fifty problems, and that there are more", () => {
  const of = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `f${index}`);
    const fields = names.map((name) => field(name, "int"));
    return ofAvro({ message: `{ ${names.map((name) => `${name}: x`).join(", ")} }` }, ...fields);
  };
  expect(of(50).filter((line) => !line.startsWith("field-type "))).toEqual([]);
  expect(of(51).filter((line) => !line.startsWith("field-type "))).toEqual([
    expect.stringContaining(
      "skillc reports only 50 of the message's problems (fix these to see the others)",
    ),
  ]);
});
