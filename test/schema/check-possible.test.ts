import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json.js";
import { noValueOf } from "../../src/schema/compare/no-value.js";
import { preciseSchema } from "./arbitrary-precise-schema.js";
import { choices, derive } from "./derive-values.js";
import { read } from "./read.js";
import { validatorOf } from "./validators.js";
import { runs } from "../support/runs.js";

function requiring(v: JsonValue): JsonObject {
  return { type: "object", properties: { v }, required: ["v"] };
}

/** What a required `v` is told for. */
function fault(at: string, problem: string): string {
  return `error schema/impossible-required at ${at}: \`v\` is required, and no value fits its schema: ${problem} (change the schema of \`v\`, or leave it out of \`required\`)`;
}

const text = { type: "string" };
const two = "`minLength` (2) is more than `maxLength` (1)";

/** What nothing fits, where it is told, and why. */
const impossible: readonly (readonly [schema: JsonValue, at: string, problem: string])[] = [
  [false, "false", "it is `false`"],
  [{ not: {} }, '{"not": {}}', "no value can fit"],
  [{ $ref: "#/$defs/none" }, "false", "no value can fit"],
  [{ allOf: [text, { type: "number" }] }, "", "no value can fit"],
  [{ ...text, enum: [1] }, "[1]", "no value of `enum` fits the keywords beside it"],
  [{ ...text, const: 1 }, "1", "the value of `const` doesn't fit the keywords beside it"],
  [
    { enum: ["EUR"], pattern: "^[a-z]{3}$" },
    '["EUR"]',
    "no value of `enum` fits the keywords beside it",
  ],
  [
    { allOf: [{ enum: [1, 2] }, { minimum: 3 }] },
    "[1, 2]",
    "no value of `enum` fits the keywords beside it",
  ],
  [
    { ...text, minLength: 200, maxLength: 1 },
    "200",
    "`minLength` (200) is more than `maxLength` (1)",
  ],
  [
    { allOf: [{ ...text, minLength: 3 }, { maxLength: 2 }] },
    "3",
    "`minLength` (3) is more than `maxLength` (2)",
  ],
  [
    { type: "number", minimum: 2, maximum: 1 },
    "2",
    "there is no number between `minimum` (2) and `maximum` (1)",
  ],
  [
    { type: "number", exclusiveMinimum: 1, maximum: 1 },
    "1",
    "there is no number between `exclusiveMinimum` (1) and `maximum` (1)",
  ],
  [
    { type: "integer", minimum: 0.2, maximum: 0.8 },
    "0.2",
    "there is no integer between `minimum` (0.2) and `maximum` (0.8)",
  ],
  [
    { type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 2 },
    "1",
    "there is no integer between `exclusiveMinimum` (1) and `exclusiveMaximum` (2)",
  ],
  [
    { type: "number", minimum: 11, maximum: 19, multipleOf: 10 },
    "10",
    "there is no multiple of 10 between `minimum` (11) and `maximum` (19)",
  ],
  [
    { type: "number", exclusiveMinimum: 10, exclusiveMaximum: 20, multipleOf: 10 },
    "10",
    "there is no multiple of 10 between `exclusiveMinimum` (10) and `exclusiveMaximum` (20)",
  ],
  [{ type: "array", minItems: 2, maxItems: 1 }, "2", "`minItems` (2) is more than `maxItems` (1)"],
  [
    { type: "array", prefixItems: [true], items: false, minItems: 2 },
    "2",
    "`minItems` is 2, but the list can have at most 1 item",
  ],
  [{ type: "array", items: { ...text, minLength: 2, maxLength: 1 }, minItems: 1 }, "2", two],
  [
    { type: "array", prefixItems: [true, { ...text, enum: [1] }], minItems: 2 },
    "[1]",
    "no value of `enum` fits the keywords beside it",
  ],
  [
    { type: "array", uniqueItems: true, items: { enum: ["a", "b"] }, minItems: 3 },
    "3",
    "`minItems` is 3, but at most 2 different items can exist",
  ],
  [
    { type: "array", contains: text, maxItems: 0 },
    '{"type": "string"}',
    "`contains` requires 1 item, but `maxItems` is 0",
  ],
  [
    { type: "array", contains: text, minContains: 3, maxContains: 2 },
    "3",
    "`minContains` (3) is more than `maxContains` (2)",
  ],
  [{ type: "array", contains: { ...text, minLength: 2, maxLength: 1 } }, "2", two],
  [
    { type: "array", items: { type: "integer" }, contains: text },
    '{"type": "string"}',
    "no item fits both `items` and `contains`",
  ],
  [
    { type: "array", items: { type: "integer", minimum: 3 }, contains: { maximum: 2 } },
    '{"maximum": 2}',
    "no item fits both `items` and `contains`",
  ],
  [
    { type: "array", uniqueItems: true, items: { type: "boolean" }, minItems: 3 },
    "3",
    "`minItems` is 3, but at most 2 different items can exist",
  ],
  [
    { type: "object", minProperties: 2, maxProperties: 1 },
    "2",
    "`minProperties` (2) is more than `maxProperties` (1)",
  ],
  [
    { type: "object", properties: { a: true }, additionalProperties: false, minProperties: 2 },
    "2",
    "`minProperties` is 2, but the object can have at most 1 property",
  ],
  [
    { type: "object", required: ["a", "b"], properties: { a: true, b: true }, maxProperties: 1 },
    "1",
    "`maxProperties` is 1, but 2 properties must be present",
  ],
  [
    { type: "object", required: ["A"], propertyNames: { pattern: "^[a-z]$" } },
    '{"pattern": "^[a-z]$"}',
    "`A` is required, but `propertyNames` forbids the name",
  ],
  [
    {
      anyOf: [
        { ...text, minLength: 2, maxLength: 1 },
        { type: "null", enum: [1] },
      ],
    },
    "2",
    "`minLength` (2) is more than `maxLength` (1)",
  ],
];

describe("an impossible schema", () => {
  test.each(impossible)(
    "causes an error at its keyword if it is required: %j",
    (v, at, problem) => {
      const { lines, model } = read({ ...requiring(v), $defs: { none: false } });
      expect(model).toBeUndefined();
      expect(lines.map((line) => line.replace(/ at .*?: `v` is/, ": `v` is"))).toEqual([
        fault(at, problem).replace(` at ${at}:`, ":"),
      ]);
      expect(lines[0]).toContain(` at ${at}`);
    },
  );

  test("causes an error if it is a whole document that isn't an object", () => {
    expect(read({ ...text, minLength: 3, maxLength: 2 }).lines).toEqual([
      "error schema/no-value at 3: no value fits: `minLength` (3) is more than `maxLength` (2)",
    ]);
    expect(read({ ...text, enum: [1] }).lines).toEqual([
      "error schema/no-value at [1]: no value fits: no value of `enum` fits the keywords beside it",
    ]);
  });

  test("causes an error if it is a union with impossible branches", () => {
    const branches = [
      { ...text, minLength: 2, maxLength: 1 },
      { type: "null", enum: [1] },
    ];
    expect(read(requiring({ anyOf: branches })).lines).toEqual([
      fault("2", "`minLength` (2) is more than `maxLength` (1)"),
    ]);
  });

  test("causes one error at the innermost schema", () => {
    const inner = requiring(requiring({ ...text, minLength: 3, maxLength: 2 }));
    expect(read(inner).lines).toEqual([fault("3", "`minLength` (3) is more than `maxLength` (2)")]);
    const recursive = {
      ...requiring(true),
      properties: { v: { ...requiring(false), required: ["v"] } },
    };
    expect(read(recursive).lines).toHaveLength(1);
  });

  test("causes an error if two schemas beside each other exclude every value", () => {
    const number = { properties: { v: { type: "number" } }, required: ["v"] };
    const schema = { type: "object", properties: { v: text }, allOf: [number] };
    expect(read(schema).lines).toEqual([
      expect.stringContaining("error schema/impossible-required"),
    ]);
  });

  test("causes an error if it belongs to a list that must have items", () => {
    const items = { ...text, minLength: 3, maxLength: 2 };
    expect(read({ type: "array", minItems: 1, items }).lines).toEqual([
      "error schema/no-value at 3: no value fits: `minLength` (3) is more than `maxLength` (2)",
    ]);
  });
});

describe("an impossible optional schema", () => {
  const none = { ...text, minLength: 3, maxLength: 2 };
  const warning =
    "warning schema/no-value-here at 3: no value can fit here: `minLength` (3) is more than `maxLength` (2) (write `false` if that is intended)";

  test.each<[what: string, schema: JsonObject]>([
    ["a property", { type: "object", properties: { v: none } }],
    ["items", { type: "array", items: none }],
    ["a branch", { anyOf: [none, { type: "null" }] }],
    ["values of a map", { type: "object", additionalProperties: none }],
    [
      "a property of an optional object",
      { type: "object", properties: { a: { type: "object", properties: { v: none } } } },
    ],
    [
      "what several refer to",
      {
        type: "object",
        properties: { a: { $ref: "#/$defs/v" }, b: { $ref: "#/$defs/v" } },
        $defs: { v: none },
      },
    ],
  ])("causes one warning: %s", (_, schema) => {
    expect(read(schema).lines).toEqual([warning]);
  });

  test.each([
    { type: "object", properties: { v: false } },
    { type: ["object", "null"], properties: { v: false }, required: ["v"] },
    { anyOf: [requiring(false), requiring(text)] },
    requiring({ type: ["string", "integer"], enum: [1] }),
    { not: requiring(false) },
    { not: { minLength: 3, maxLength: 2, type: "string" } },
    requiring({ type: "number", multipleOf: 0.1, minimum: 0.3, maximum: 0.3 }),
    requiring({ type: "number", minimum: 1, maximum: 1 }),
    requiring({ type: "integer", minimum: 0.5, maximum: 1.5 }),
    requiring({ type: "array", items: false }),
    requiring({ minLength: 3, maxLength: 2 }),
    { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] },
    { type: "array", items: { type: "integer" }, contains: { minimum: 3 } },
    { type: "array", prefixItems: [text], items: { type: "integer" }, contains: text },
    { type: "array", items: { type: "integer" }, contains: text, minContains: 0 },
    { type: "array", uniqueItems: true, items: { type: "boolean" }, minItems: 2 },
  ] as readonly JsonObject[])("causes no warning if a value may fit: %j", (schema) => {
    expect(read(schema).lines).toEqual([]);
  });
});

const bound = fc.constantFrom(0, 1, 2, 3, 10);
const bounds = fc.record(
  {
    minLength: bound,
    maxLength: bound,
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: bound,
    multipleOf: fc.constantFrom(1, 2, 0.5, 3),
    minItems: bound,
    maxItems: bound,
    minProperties: bound,
    maxProperties: bound,
    uniqueItems: fc.boolean(),
    contains: fc.constantFrom<JsonValue>(true, { type: "string" }),
  },
  { requiredKeys: [] },
);

test("no value that a validator accepts is reported as impossible", () => {
  let found = 0;
  fc.assert(
    fc.property(preciseSchema("2020-12"), bounds, bounds, fc.nat(), (schema, one, other, seed) => {
      const add = (each: JsonValue, more: JsonObject): JsonValue =>
        isJsonObject(each) ? { ...each, ...more } : each;
      const root = isJsonObject(schema) ? schema : {};
      const properties = isJsonObject(root["properties"]) ? root["properties"] : {};
      const document: JsonObject = {
        ...root,
        properties: { value: add(properties["value"] ?? true, one) },
        $defs: Object.fromEntries(
          Object.entries(isJsonObject(root["$defs"]) ? root["$defs"] : {}).map(
            ([name, each]): [string, JsonValue] => [name, add(each, other)],
          ),
        ),
      };
      // A reading that refuses has no model: what it would accept is asked of the schema without
      // `required`.
      const { model } = read({ ...document, required: [] });
      if (model === undefined) return;
      const wanted = { ...(isJsonObject(model.schema) ? model.schema : {}), required: ["value"] };
      if (noValueOf({ schema: wanted, pointer: "" }, wanted) === undefined) return;
      found += 1;
      const validate = validatorOf({ ...model, schema: wanted });
      const pick = choices(seed);
      for (let times = 0; times < 20; times += 1) {
        const value = derive(wanted, wanted, pick);
        expect(validate(value)).toBe(false);
      }
    }),
    { numRuns: runs(400), seed: 26 },
  );
  expect(found).toBeGreaterThan(runs(10));
});

describe("alternatives of `oneOf`", () => {
  const object = (properties: JsonObject) => ({ type: "object", properties });
  const a = { const: "a" };

  test.each<[what: string, alternatives: readonly JsonObject[]]>([
    ["an integer and a number", [text, { type: "integer" }, { type: "number" }]],
    ["a text with a format and a text", [{ type: "boolean" }, { ...text, format: "date" }, text]],
    ["open objects", [text, object({ a: text }), object({ b: text })]],
    ["lists", [text, { type: "array", items: text }, { type: "array", items: a }]],
    ["listed values", [text, { enum: [1, 2] }, { enum: [2, 3] }]],
  ])("cause a warning at `oneOf` if a value fits two of them: %s", (_, oneOf) => {
    expect(read(object({ v: { oneOf } })).lines).toEqual([
      expect.stringMatching(
        /^warning schema\/overlapping-alternatives at \[.*\]: a value can fit both alternative 2 and alternative 3/,
      ),
    ]);
  });

  test("cause a warning if keywords beside them accept the value", () => {
    const { lines } = read(object({ v: { type: "object", oneOf: [object({}), object({ a })] } }));
    expect(lines).toEqual([expect.stringContaining("schema/overlapping-alternatives")]);
  });

  test.each<[what: string, schema: JsonObject]>([
    ["types", { oneOf: [text, { type: "integer" }] }],
    ["required names", { type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] }],
    [
      "required names beside a type elsewhere",
      { allOf: [{ type: "object" }, { oneOf: [{ required: ["a"] }, { required: ["b"] }] }] },
    ],
    [
      "a discriminator",
      {
        oneOf: [
          { ...object({ kind: a }), required: ["kind"] },
          { ...object({ kind: { const: "b" } }), required: ["kind"] },
        ],
      },
    ],
    [
      "formats",
      {
        oneOf: [
          { ...text, format: "date" },
          { ...text, format: "uuid" },
        ],
      },
    ],
    ["a bound beside them", { minLength: 1, oneOf: [{ const: "" }, { ...text, pattern: "^b?$" }] }],
    ["a value left out beside them", { not: a, oneOf: [a, { enum: ["a", "b"] }] }],
    [
      "types beside them",
      {
        type: ["string", "integer"],
        oneOf: [{ type: ["string", "null"] }, { type: ["integer", "null"] }],
      },
    ],
  ])("cause no warning if no value certainly fits two of them: %s", (_, schema) => {
    expect(read(schema).lines).toEqual([]);
  });
});
