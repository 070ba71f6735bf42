import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/core/json.js";
import { problemsOf, tellProblems } from "../../../src/runtime/validation/validation.js";
import { mustRead } from "../../schema/read.js";
import { validatorOf } from "../../schema/validators.js";

function told(schema: JsonValue, value: unknown): readonly string[] {
  const problems = problemsOf(validatorOf(mustRead(schema)), value);
  return problems.map(({ message, pointer }) => `${pointer} ${message}`.trim());
}

const order: JsonValue = {
  type: "object",
  additionalProperties: false,
  required: ["lines"],
  properties: {
    color: { type: "string" },
    lines: { type: "array", items: { $ref: "#/$defs/line" } },
  },
  $defs: {
    line: {
      type: "object",
      required: ["sku"],
      properties: { sku: { type: "string" }, quantity: { type: "integer" } },
    },
  },
};

describe("the message of a problem", () => {
  test.each<[string, JsonValue, unknown, readonly string[]]>([
    ["a missing property", order, { lines: [{}] }, ["/lines/0/sku is missing"]],
    [
      "a misspelt property",
      order,
      { lines: [], colour: "red" },
      ["/colour is not known here; did you mean `color`?"],
    ],
    [
      "a property like no other",
      order,
      { lines: [], weight: 1 },
      ["/weight is not known here: the properties are `color`, `lines`"],
    ],
    [
      "a property where there are none",
      { type: "object", additionalProperties: false },
      { a: 1 },
      ["/a is not known here"],
    ],
    [
      "a property that no part of the schema looks at",
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      { b: 1 },
      ["/b is not known here"],
    ],
    [
      "another type",
      order,
      { lines: [{ sku: "a", quantity: "2" }] },
      ["/lines/0/quantity must be an integer, not a string"],
    ],
    [
      "a fraction",
      order,
      { lines: [{ sku: "a", quantity: 0.5 }] },
      ["/lines/0/quantity must be an integer, not a number with a fraction"],
    ],
    ["arguments as text", order, '{"lines":[]}', ["must be an object, not a string"]],
    ["nothing at all", order, undefined, ["must be an object, not undefined"]],
    [
      "none of several types",
      { type: ["string", "null", "boolean"] },
      [],
      ["must be a string, null or a boolean, not an array"],
    ],
    ["a number that JSON lacks", { type: "number" }, Number.NaN, ["must be a number, not NaN"]],
    ["a word that isn't listed", { enum: ["a", 1, null] }, "b", ['must be one of "a", 1, null']],
    [
      "an object that isn't listed",
      { enum: [{ a: 1 }, { b: [2] }] },
      {},
      ['must be one of {"a":1}, {"b":[2]}'],
    ],
    ["another constant", { const: "EUR" }, "USD", ['must be "EUR"']],
    [
      "a date in words",
      { type: "string", format: "date-time" },
      "tomorrow",
      ["must be a valid `date-time`, such as 2025-01-31T09:30:00Z"],
    ],
    ["no address", { type: "string", format: "email" }, "me", ["must be a valid `email`"]],
    ["another pattern", { pattern: "^cus_\\d+$" }, "c", ["must match the pattern `^cus_\\d+$`"]],
    ["empty text", { minLength: 1 }, "", ["must not be empty"]],
    ["short text", { minLength: 2 }, "a", ["must have at least 2 characters"]],
    ["long text", { maxLength: 1 }, "ab", ["must have at most 1 character"]],
    ["an empty list", { minItems: 1 }, [], ["must not be empty"]],
    ["a long list", { maxItems: 2 }, [1, 2, 3], ["must have at most 2 items"]],
    ["a longer tuple", { prefixItems: [true], items: false }, [1, 2], ["must have at most 1 item"]],
    ["few properties", { minProperties: 2 }, { a: 1 }, ["must have at least 2 properties"]],
    ["many properties", { maxProperties: 1 }, { a: 1, b: 2 }, ["must have at most 1 property"]],
    ["any property", { maxProperties: 0 }, { a: 1 }, ["must be empty"]],
    ["too little", { minimum: 1 }, 0, ["must be at least 1"]],
    ["too much", { exclusiveMaximum: 1 }, 1, ["must be less than 1"]],
    ["no multiple", { multipleOf: 0.01 }, 0.015, ["must be a multiple of 0.01"]],
    [
      "equal items",
      { uniqueItems: true },
      ["a", "b", "a"],
      ["must not have equal items: 0 and 2 are"],
    ],
    [
      "a missing item",
      { contains: { const: 1 } },
      [2],
      ["must contain at least 1 of the items that `contains` describes"],
    ],
    [
      "too many of an item beside others",
      { contains: { type: "integer" }, minContains: 2, maxContains: 3, items: { minLength: 1 } },
      [1, "", 2, 3, "a", 4],
      ["/1 must not be empty", "must contain 2 to 3 of the items that `contains` describes"],
    ],
    [
      "too many of an item",
      { contains: { const: 1 }, maxContains: 1 },
      [1, 1],
      ["must contain exactly 1 of the items that `contains` describes"],
    ],
    [
      "a property that another one needs",
      { dependentRequired: { card: ["holder"] } },
      { card: 1 },
      ["/holder is missing, although `card` is present"],
    ],
    ["a forbidden property", { properties: { a: false } }, { a: 1 }, ["/a is not allowed"]],
    ["a forbidden form", { not: { type: "string" } }, "a", ["has a forbidden form"]],
    [
      "a name of another form",
      { propertyNames: { maxLength: 3 } },
      { secret: 1 },
      [
        "has a property whose name must have at most 3 characters",
        "has a property with a forbidden name",
      ],
    ],
    [
      "no alternative",
      { anyOf: [{ type: "string" }, { type: "null" }] },
      1,
      [
        "must be a string, not a number",
        "must be null, not a number",
        "fits none of the allowed forms",
      ],
    ],
    [
      "several alternatives",
      { oneOf: [{ type: "number" }, { type: "integer" }] },
      1,
      ["fits several of the allowed forms, but may fit only one"],
    ],
    [
      "a condition",
      // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema has a keyword of that name
      { if: { type: "string" }, then: { maxLength: 1 } },
      "ab",
      ["must have at most 1 character", "does not satisfy `then`"],
    ],
  ])("describes %s", (_, schema, value, messages) => {
    expect(told(schema, value)).toEqual(messages);
  });
});

test("a message shortens long lists and texts of the schema", () => {
  const words = Array.from({ length: 300 }, (_, index) => `word ${index} ${"x".repeat(200)}`);
  const [message = ""] = told({ enum: words }, "none");
  expect(message).toMatch(/^must be one of "word 0 x+…, .* and others$/);
  expect(message.length).toBeLessThan(2200);
  const [pattern = ""] = told({ pattern: `^${"a".repeat(1000)}$` }, "b");
  expect(pattern.length).toBeLessThan(200);
});

test("a message finds the type of names with `/`, `~` and digits", () => {
  const schema: JsonValue = {
    properties: { "a/b": { items: { properties: { "~0": { type: "string" } } } } },
  };
  expect(told(schema, { "a/b": [{}, { "~0": 1 }] })).toEqual([
    "/a~1b/1/~00 must be a string, not a number",
  ]);
});

test("no message contains anything of the value", () => {
  const secret = "hunter2-correct-horse";
  const schema: JsonValue = {
    type: "object",
    properties: Object.fromEntries(
      [
        { type: "integer" },
        { enum: ["a", "b"] },
        { const: "a" },
        { pattern: "^[0-9]+$" },
        { maxLength: 3 },
        { format: "uuid" },
        { not: { type: "string" } },
        { oneOf: [{ type: "null" }, { minLength: 100 }] },
      ].map((each, index) => [`p${index}`, { ...each, writeOnly: true }]),
    ),
    propertyNames: { maxLength: 10 },
    additionalProperties: false,
  };
  const names = Array.from({ length: 8 }, (_, index) => [`p${index}`, secret]);
  const value = { ...Object.fromEntries(names), [secret]: secret };
  const problems = problemsOf(validatorOf(mustRead(schema)), value);
  expect(new Set(problems.map((each) => each.keyword)).size).toBeGreaterThan(8);
  expect(problems.filter(({ message }) => message.includes("hunter2"))).toEqual([]);
});

test("a validator of another library keeps its own messages", () => {
  const validator = Object.assign((value: unknown): value is string => typeof value === "string", {
    errors: [{ instancePath: "/a", keyword: "own", message: "is not mine" }],
  });
  expect(problemsOf(validator, {})).toEqual([
    { pointer: "/a", keyword: "own", message: "is not mine" },
  ]);
});

describe("a value of 200,000 levels", () => {
  const nested = (levels: number): unknown => {
    let value: unknown = {};
    for (let level = 0; level < levels; level += 1) value = { next: value };
    return value;
  };
  const recursive = validatorOf(
    mustRead({ type: "object", additionalProperties: false, properties: { next: { $ref: "#" } } }),
  );

  test("causes a problem, not a crash, under a recursive schema", () => {
    expect(problemsOf(recursive, nested(100))).toEqual([]);
    expect(problemsOf(recursive, nested(200_000))).toEqual([
      { pointer: "", keyword: "depth", message: "is nested too deeply" },
    ]);
  });

  test("rethrows any other error of a validator", () => {
    const broken = (value: unknown): value is string => {
      throw new TypeError(`a bug, with ${typeof value}`);
    };
    expect(() => problemsOf(broken, {})).toThrow("a bug");
  });
});

describe("problems in a message", () => {
  const problem = { pointer: "/a", keyword: "type", message: "must be null, not a number" };

  test("lists the first five and the number of the others", () => {
    const told = tellProblems(Array.from({ length: 7 }, () => problem));
    expect(told.split("; ")).toHaveLength(6);
    expect(told).toMatch(/; and 2 more$/);
    expect(tellProblems([{ ...problem, pointer: "" }])).toBe(
      "the value must be null, not a number",
    );
  });

  test("stays short however long a name is", () => {
    const told = tellProblems([{ ...problem, pointer: `/${"x".repeat(1e6)}` }]);
    expect(told.length).toBeLessThan(300);
  });
});
