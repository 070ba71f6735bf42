import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/core/json.js";
import { read } from "./read.js";
import { validatorOf } from "./validators.js";

const draft07 = "http://json-schema.org/draft-07/schema#";

describe("normalization", () => {
  test("converts draft-07 to 2020-12", () => {
    const { model, lines } = read({
      $schema: draft07,
      $id: "https://example.com/order",
      type: "object",
      properties: {
        point: {
          type: "array",
          items: [{ type: "number" }, { type: "number" }],
          additionalItems: false,
        },
        line: { $ref: "#/definitions/line item" },
        self: { $ref: "https://example.com/order" },
      },
      dependencies: { point: ["line"], line: { required: ["self"] } },
      definitions: { "line item": { $id: "#line", type: "string" }, unused: { type: "number" } },
    });
    expect(lines).toEqual([]);
    expect(model?.schema).toEqual({
      type: "object",
      properties: {
        point: {
          type: "array",
          prefixItems: [{ type: "number" }, { type: "number" }],
          items: false,
        },
        line: { $ref: "#/$defs/line_item" },
        self: { $ref: "#" },
      },
      dependentRequired: { point: ["line"] },
      dependentSchemas: { line: { required: ["self"] } },
      $defs: { line_item: { type: "string" } },
    });
  });

  test("converts a recursive reference of 2019-09 to a plain one", () => {
    const { model, lines } = read({
      $schema: "https://json-schema.org/draft/2019-09/schema",
      $recursiveAnchor: true,
      type: "object",
      properties: { next: { $recursiveRef: "#" } },
    });
    expect(lines).toEqual([]);
    expect(model?.schema).toEqual({ type: "object", properties: { next: { $ref: "#" } } });
  });

  test("follows anchors, embedded ids and pointers to anywhere", () => {
    const { model, lines } = read({
      $id: "https://example.com/root.json",
      properties: {
        a: { $anchor: "here", type: "string" },
        b: { $ref: "#here" },
        c: { $ref: "item.json#/properties/x" },
        d: { $ref: "#/properties/a" },
      },
      $defs: {
        item: {
          $id: "item.json",
          properties: { x: { $ref: "#/$defs/y" } },
          $defs: { y: { type: "integer" } },
        },
      },
    });
    expect(lines).toEqual([]);
    expect(model?.schema).toEqual({
      properties: {
        a: { $ref: "#/$defs/here" },
        b: { $ref: "#/$defs/here" },
        c: { $ref: "#/$defs/x" },
        d: { $ref: "#/$defs/here" },
      },
      $defs: { here: { type: "string" }, x: { $ref: "#/$defs/y" }, y: { type: "integer" } },
    });
  });

  test("assigns an anchor to a schema with an `$id`, not to its document, even if the `$id` leads nowhere", () => {
    const { model, lines } = read({
      properties: { a: { $ref: "#here" } },
      $defs: {
        one: { $anchor: "here", type: "string" },
        other: { $id: "other", $anchor: "here", type: "integer" },
      },
    });
    expect(lines).toEqual([]);
    expect(model?.schema).toMatchObject({ $defs: { here: { type: "string" } } });
  });

  test("bundles files, each in its own dialect, relative to its place", () => {
    const { model, lines } = read(
      { properties: { line: { $ref: "./schemas/order.json#/definitions/line" } } },
      {
        "./schemas/order.json": {
          $schema: draft07,
          definitions: { line: { items: [{ $ref: "sku.json" }] } },
        },
        "./schemas/sku.json": { type: "string" },
      },
    );
    expect(lines).toEqual([]);
    expect(model?.schema).toEqual({
      properties: { line: { $ref: "#/$defs/line" } },
      $defs: { line: { prefixItems: [{ $ref: "#/$defs/sku" }] }, sku: { type: "string" } },
    });
  });

  test("keeps only annotations beside a draft-07 reference", () => {
    const { model, lines } = read({
      $schema: draft07,
      properties: { a: { $ref: "#/definitions/t", description: "kept", maxLength: 1 } },
      definitions: { t: { type: "string" } },
    });
    expect(lines).toEqual([
      'warning schema/ignored-beside-ref at "maxLength": `maxLength` has no effect beside `$ref` in draft-07 (wrap the reference: `allOf: [{$ref: …}]`, or declare a later `$schema`)',
    ]);
    expect(model?.schema).toMatchObject({
      properties: { a: { $ref: "#/$defs/t", description: "kept" } },
    });
  });

  test.each<[schema: object, lines: readonly string[]]>([
    [
      { propertyNames: { allOf: [{ minLength: 1, writeOnly: true }] } },
      [
        'warning schema/ignored-mark at "writeOnly": `writeOnly` under `propertyNames` masks nothing: only values are masked (write `writeOnly: true` beside `propertyNames`: the object is then masked as a whole)',
      ],
    ],
    [
      { properties: { a: { "x-sensitive": "true" } } },
      [
        'warning schema/ignored-mark at "true": `x-sensitive` masks nothing: it is neither `true` nor `false` (write `x-sensitive: true`)',
      ],
    ],
    [{ propertyNames: { "x-sensitive": false }, "x-sensitive": true }, []],
  ])("reports a mark that has no effect: %j", (schema, lines) => {
    expect(read({ type: "object", ...schema }).lines).toEqual(lines);
  });

  test("knows the place of every subschema", () => {
    const schema = {
      type: "object",
      properties: { a: { items: { $ref: "#/$defs/t" } } },
      $defs: { t: { type: "string" } },
    };
    const text = JSON.stringify(schema).replaceAll(":", ": ").replaceAll(",", ", ");
    const { model } = read(schema);
    const shown = Object.entries(model?.places ?? {}).map(([pointer, { start, end }]) => [
      pointer,
      text.slice(start, end),
    ]);
    expect(Object.fromEntries(shown)).toMatchObject({
      "": text,
      "/properties/a": '{"items": {"$ref": "#/$defs/t"}}',
      "/properties/a/items": '{"$ref": "#/$defs/t"}',
      "/$defs/t": '{"type": "string"}',
    });
  });
});

const faults: readonly (readonly [string, JsonValue, readonly string[]])[] = [
  [
    "a type that doesn't exist",
    { type: "strng" },
    ['error schema/invalid at "strng": `strng` is not a JSON Schema type (did you mean `string`?)'],
  ],
  [
    "a limit that is no number",
    { properties: { a: { minimum: "1" } } },
    ['error schema/invalid at "1": `minimum` must be a number'],
  ],
  [
    "required as a flag",
    { properties: { a: { required: true } } },
    [
      "error schema/invalid at true: `required` must be an array (write `required: [name, …]` on the object, beside `properties`)",
    ],
  ],
  [
    "a type in place of a schema",
    { properties: { a: "string", b: "int", c: "thing" } },
    [
      'error schema/invalid at "string": `a` must be an object or a boolean (write `{ type: string }`)',
      'error schema/invalid at "int": `b` must be an object or a boolean (write `{ type: integer }`)',
      'error schema/invalid at "thing": `c` must be an object or a boolean',
    ],
  ],
  [
    "a list under items",
    { items: [{}] },
    [
      "error schema/invalid at [{}]: `items` must be an object or a boolean (write `prefixItems` for a tuple: since 2020-12 `items` is one schema)",
    ],
  ],
  [
    "an unknown dialect",
    { $schema: "http://json-schema.org/draft-05/schema#" },
    [
      'error schema/unknown-dialect at "http://json-schema.org/draft-05/schema#": `http://json-schema.org/draft-05/schema#` is not a dialect that skillc reads (did you mean `http://json-schema.org/draft-07/schema#`?)',
    ],
  ],
  [
    "a reference to nothing",
    { $ref: "#/$defs/lin", $defs: { line: {} } },
    [
      'error schema/unresolved-ref at "#/$defs/lin": `#/$defs/lin` refers to nothing (did you mean `line`?)',
    ],
  ],
  [
    "a reference to the network",
    { $ref: "https://example.com/a.json" },
    [
      'error schema/remote-ref at "https://example.com/a.json": `https://example.com/a.json` is not in this skill (save the schema beside SKILL.md and refer to it as `./file.json`: skillc fetches nothing)',
    ],
  ],
  [
    "a reference to the file system",
    { $ref: "file:///etc/passwd" },
    [
      'error schema/remote-ref at "file:///etc/passwd": `file:///etc/passwd` is not in this skill (save the schema beside SKILL.md and refer to it as `./file.json`: skillc fetches nothing)',
    ],
  ],
  [
    "a reference out of the project",
    { $ref: "../../../../etc/passwd" },
    [
      'error schema/ref-outside at "../../../../etc/passwd": `../../../../etc/passwd` leads out of the skills folder (move the file into the skill\'s folder and refer to it as `./file.json`)',
    ],
  ],
  [
    "a reference to itself",
    { $ref: "#" },
    ['error schema/cyclic-ref at "#": the schema refers to itself without reaching a value'],
  ],
  [
    "two references to each other",
    {
      $ref: "#/$defs/a",
      $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } },
    },
    [
      'error schema/cyclic-ref at {"anyOf": [{"$ref": "#/$defs/b"}]}: the schema refers to itself without reaching a value',
    ],
  ],
  [
    "a broken pattern",
    { pattern: "[a" },
    [
      'error schema/invalid-pattern at "[a": `[a` is not a regular expression: unterminated character class (patterns are JavaScript\'s, with the `u` flag: only syntax characters may be escaped)',
    ],
  ],
  [
    "a broken pattern as a key",
    { patternProperties: { "\\A": {} } },
    [
      'error schema/invalid-pattern at "\\\\A": `\\A` is not a regular expression: invalid escape (patterns are JavaScript\'s, with the `u` flag: only syntax characters may be escaped)',
    ],
  ],
  [
    "a default of the wrong type",
    { properties: { a: { type: "integer", default: "1" } } },
    [
      'error schema/invalid-default at "1": the default must be an integer, not a string (write `1` without quotes)',
    ],
  ],
  [
    "a default that is none of the values",
    { properties: { a: { type: "string", enum: ["asc", "desc"], default: "up" } } },
    [
      'error schema/invalid-default at "up": the default must be equal to one of the allowed values',
    ],
  ],
  [
    "a default beyond a bound",
    { properties: { a: { type: "integer", minimum: 1, maximum: 100, default: 101 } } },
    ["error schema/invalid-default at 101: the default must be <= 100"],
  ],
  [
    "a default that is wrong inside",
    { properties: { a: { items: { type: "string" }, default: ["x", 1] } } },
    [
      'error schema/invalid-default at ["x", 1]: the default at `/1` must be a string, not an integer',
    ],
  ],
  [
    "a misspelt keyword",
    { maxLenght: 1 },
    [
      'warning schema/unknown-keyword at "maxLenght": `maxLenght` is not a JSON Schema keyword (did you mean `maxLength`?)',
    ],
  ],
  [
    "a misspelt mark",
    { "x-sensitve": true, "x-order": 1, "x-sensitive-data": true },
    [
      'warning schema/unknown-keyword at "x-sensitve": `x-sensitve` is not a JSON Schema keyword (did you mean `x-sensitive`?)',
    ],
  ],
  [
    "OpenAPI's nullable",
    { nullable: true },
    [
      'warning schema/unknown-keyword at "nullable": `nullable` is not a JSON Schema keyword (write `type: [string, "null"]`: `nullable` is OpenAPI 3.0\'s)',
    ],
  ],
  [
    "a type written in TypeScript",
    { tsType: "typeof process" },
    [
      'warning schema/unknown-keyword at "tsType": `tsType` is not a JSON Schema keyword (types are made from the standard keywords alone)',
    ],
  ],
  [
    "a keyword of a later dialect",
    { $schema: draft07, prefixItems: [] },
    [
      'warning schema/unknown-keyword at "prefixItems": `prefixItems` is not a keyword of draft-07 (it belongs to 2020-12: `$schema` says which is meant)',
    ],
  ],
  [
    "an unknown format",
    { format: "uid" },
    [
      'warning schema/unknown-format at "uid": `uid` is not a format that is checked (did you mean `uuid`?)',
    ],
  ],
  [
    "a format named like a member of every object",
    { format: "constructor" },
    [
      'warning schema/unknown-format at "constructor": `constructor` is not a format that is checked',
    ],
  ],
];

describe("mistakes in a schema", () => {
  test.each(faults)("cause an error: %s", (_, schema, expected) => {
    expect(read(schema).lines).toEqual(expected);
  });

  test("cause all their errors at once", () => {
    expect(read({ properties: { a: { type: "x" }, b: { minLength: -1 } } }).lines).toHaveLength(2);
    expect(
      read({ allOf: [{ $ref: "#/a" }, { $ref: "#/b" }, { pattern: "(" }] }).lines,
    ).toHaveLength(3);
  });

  test("do not include keys that begin with `x-`", () => {
    expect(read({ "x-order": 1 }).lines).toEqual([]);
  });
});

describe("unknown keywords", () => {
  test("cause one warning per document, which names each with its count", () => {
    const property = { type: "string", nullable: true, tsType: "Date" };
    const schema = { properties: { a: property, b: property, c: { type: "string" } } };
    expect(read(schema).lines).toEqual([
      'warning schema/unknown-keyword at "nullable": `nullable` (2 times) and `tsType` (2 times) are not JSON Schema keywords (`nullable`: write `type: [string, "null"]`: `nullable` is OpenAPI 3.0\'s; `tsType`: types are made from the standard keywords alone)',
    ]);
  });

  test("appear in the warning with misspelt ones first, wherever they are", () => {
    const schema = { javaType: "Order", properties: { a: { tsType: "Date", maxLenght: 3 } } };
    expect(read(schema).lines).toEqual([
      'warning schema/unknown-keyword at "maxLenght": `maxLenght`, `javaType` and `tsType` are not JSON Schema keywords (`maxLenght`: did you mean `maxLength`?; `tsType`: types are made from the standard keywords alone)',
    ]);
  });

  test("appear in the warning by the reason", () => {
    expect(read({ $schema: draft07, nullable: true, prefixItems: [] }).lines).toEqual([
      expect.stringContaining(
        "`nullable` is not a JSON Schema keyword; `prefixItems` is not a keyword of draft-07",
      ),
    ]);
  });

  test("appear in the warning as a number if there are very many", () => {
    const schema = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`q${at}zzzzzz`, {}]));
    expect(read(schema).lines).toEqual([
      expect.stringContaining("`q11zzzzzz` and 28 more are not JSON Schema keywords"),
    ]);
  });

  test("cause a warning for each file that contains them", () => {
    const { lines } = read(
      { tsType: "A", properties: { a: { $ref: "./other.json" }, b: { tsType: "B" } } },
      { "./other.json": { tsType: "C", items: { tsType: "D" } } },
    );
    expect(lines).toHaveLength(2);
    expect(lines.join("\n").match(/`tsType` \(2 times\)/g)).toHaveLength(2);
  });
});

const nested = (depth: number, step: (inner: JsonValue) => JsonValue): JsonValue =>
  Array.from({ length: depth }).reduce<JsonValue>((inner) => step(inner), {});

describe("endless input", () => {
  test.each<readonly [string, JsonValue]>([
    ["deep nesting", nested(1000, (items) => ({ items }))],
    ["deep data", { const: nested(1000, (inner) => [inner]) }],
    ["many values", { enum: Array.from({ length: 30_000 }, (_, index) => index) }],
    [
      "doubling",
      {
        $ref: "#/$defs/d0",
        $defs: Object.fromEntries(
          Array.from({ length: 40 }, (_, i) => [
            `d${i}`,
            i === 39
              ? {}
              : { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
          ]),
        ),
      },
    ],
    [
      "a long chain",
      {
        $ref: "#/$defs/d0",
        $defs: Object.fromEntries(
          Array.from({ length: 3000 }, (_, i) => [
            `d${i}`,
            i === 2999 ? {} : { properties: { a: { $ref: `#/$defs/d${i + 1}` } } },
          ]),
        ),
      },
    ],
  ])("causes an error quickly: %s", (_, schema) => {
    const { model, lines } = read(schema);
    expect(model).toBeUndefined();
    expect(lines.join("\n")).toMatch(/^error schema\/too-large at/);
  });

  test("a default on which its pattern backtracks for ever causes an error quickly", () => {
    const { lines } = read({
      properties: { a: { type: "string", pattern: "^(a+)+$", default: `${"a".repeat(60)}!` } },
    });
    expect(lines.join("\n")).toContain("schema/invalid-default");
  });
});

describe("a required property without a declaration", () => {
  const properties = { total: { type: "number" }, note: { type: "string" } };

  test("causes a warning with a suggestion", () => {
    const { model, lines } = read({ type: "object", required: ["note", "totl"], properties });
    expect(lines).toEqual([
      'warning schema/undeclared-required at "totl": `totl` is required, and `properties` does not declare it (did you mean `total`?)',
    ]);
    expect(model).toBeDefined();
  });

  test("causes an error in a closed object", () => {
    const { lines } = read({ required: ["id"], properties, additionalProperties: false });
    expect(lines).toEqual([
      'error schema/impossible-required at "id": `id` is required but not allowed: no value can fit (declare `id` under `properties`)',
    ]);
    expect(read({ required: ["id"], properties, unevaluatedProperties: false }).lines).toHaveLength(
      1,
    );
  });

  test("causes a warning in every object schema", () => {
    const at = { required: ["totl"], properties };
    const schema = {
      properties: { a: at, b: { items: at }, c: { $ref: "#/$defs/d" } },
      $defs: { d: at },
    };
    expect(read(schema).lines).toHaveLength(3);
  });

  test.each<[string, JsonValue]>([
    ["by no `properties`", { anyOf: [{ required: ["a"] }, { required: ["b"] }] }],
    ["in `allOf`", { allOf: [{ properties: { id: {} } }], required: ["id"], properties }],
    ["around `allOf`", { allOf: [{ required: ["id"], properties }], properties: { id: {} } }],
    ["by reference", { $ref: "#/$defs/a", required: ["id"], properties, $defs: { a: {} } }],
    ["by pattern", { required: ["id"], properties, patternProperties: { "^i": {} } }],
    ["by the schema of all others", { required: ["id"], properties, additionalProperties: {} }],
  ])("may be declared elsewhere: %s", (_, schema) => {
    expect(read(schema).lines).toEqual([]);
  });
});

test.each([
  ["int", "did you mean `integer`?"],
  ["str", "did you mean `string`?"],
  ["none", 'did you mean `"null"`, in quotes?'],
  ["datetime", "write `type: string, format: date-time`"],
  ["string[]", "write `type: array, items: { type: string }`"],
  ["any", "leave `type` out: then any value fits"],
])("the help for the type `%s` suggests the type of JSON Schema", (type, help) => {
  const written = JSON.stringify(type);
  expect(read({ properties: { a: { type } } }).lines).toEqual([
    `error schema/invalid at ${written}: \`${type}\` is not a JSON Schema type (${help})`,
  ]);
});

test("names that every object has are ordinary names", () => {
  const { model, lines } = read({
    type: "object",
    properties: {
      toString: { enum: [{ toString: 1 }, { valueOf: {} }] },
      constructor: { type: "string" },
    },
    required: ["constructor"],
    additionalProperties: false,
  });
  expect(lines).toEqual([]);
  if (model === undefined) throw new Error("unreadable");
  const validate = validatorOf(model);
  expect(validate({ constructor: "x" })).toBe(true);
  expect(validate({})).toBe(false);
  expect(validate({ constructor: "x", toString: { toString: 1 } })).toBe(true);
  expect(validate({ constructor: "x", toString: { valueOf: 1 } })).toBe(false);
  expect(validate({ constructor: "x", valueOf: 1 })).toBe(false);
});
