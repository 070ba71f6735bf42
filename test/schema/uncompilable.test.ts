/**
 * Whatever passes our checks compiles: schemas of the official suite's shapes, cut and put together
 * anew, go through all that asks Ajv.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ident, printCode } from "../../src/core/code.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json.js";
import { emitValidators } from "../../src/schema/emit-validators.js";
import { keywordNames } from "../../src/schema/keywords.js";
import { object } from "./arbitrary-schema.js";
import { mustRead, read } from "./read.js";
import { compileFiles } from "../support/compile.js";
import { runs } from "../support/runs.js";

const names = [
  "foo",
  "bar",
  "__proto__",
  "toString",
  "constructor",
  "",
  "a/b",
  "~",
  "foo\nbar",
  "\ud800",
  "ü",
  "$ref",
];

/** What the suite puts under each keyword. */
const { schema } = fc.letrec<{ schema: JsonValue; list: JsonValue; map: JsonValue }>((tie) => {
  const name = fc.constantFrom(...names);
  const size = fc.constantFrom(0, 1, 2, 2.0, 100_000);
  const number = fc.constantFrom(0, -1.5, 0.5, 3, 1e308, 1e-8, 2 ** 53, 5e-324);
  const values: Record<string, fc.Arbitrary<JsonValue>> = {
    type: fc.constantFrom<JsonValue>("string", "integer", "object", ["array", "object", "null"]),
    enum: fc.array(
      fc.constantFrom<JsonValue>(null, 0, "", [], {}, { foo: false }, [[]], "\u0000", "\ud800"),
      { maxLength: 3 },
    ),
    const: fc.constantFrom<JsonValue>(null, 0, -2, false, [], { a: false }, "hello\u0000there", {
      __proto__: 1,
    }),
    multipleOf: fc.constantFrom(1, 0.01, 1e-8, 1e308, 5e-324),
    pattern: fc.constantFrom(
      "^a*$",
      "\\p{Letter}cole",
      "^\\S$",
      "a{0}",
      "[^]",
      "$^",
      "\\u{1F600}",
      "__proto__",
    ),
    format: fc.constantFrom(
      "regex",
      "email",
      "int32",
      "float",
      "password",
      "ipv4",
      "made-up",
      "binary",
      "__proto__",
    ),
    required: fc.uniqueArray(name, { maxLength: 3 }),
    dependentRequired: fc
      .array(fc.tuple(name, fc.uniqueArray(name, { maxLength: 2 })), { maxLength: 2 })
      .map((each) => object(each as [string, JsonValue][])),
    uniqueItems: fc.boolean(),
    $ref: fc.constantFrom("#", "#/$defs/a", "#/$defs/__proto__", "#/properties/foo", "#a"),
    $anchor: fc.constantFrom("a", "b"),
    $id: fc.constantFrom("https://example.com/a", "b"),
    $comment: fc.constant("x"),
    default: fc.constantFrom<JsonValue>(null, 1, "a", {}, [1]),
    description: fc.constant("*/"),
    title: fc.constant("T"),
  };
  for (const each of [
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
  ])
    values[each] = size;
  for (const each of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])
    values[each] = number;
  for (const each of ["allOf", "anyOf", "oneOf", "prefixItems"]) values[each] = tie("list");
  for (const each of ["properties", "patternProperties", "dependentSchemas", "$defs"])
    values[each] = tie("map");
  for (const each of keywordNames("2020-12"))
    if (!each.startsWith("$")) values[each] ??= tie("schema");
  const keyword = fc
    .constantFrom(...Object.keys(values))
    .chain((key) =>
      (values[key] ?? fc.constant(true)).map((value): [string, JsonValue] => [key, value]),
    );
  return {
    schema: fc.oneof(
      { depthSize: "small" },
      { weight: 1, arbitrary: fc.boolean() },
      {
        weight: 8,
        arbitrary: fc.array(keyword, { minLength: 1, maxLength: 4 }).map((each) => object(each)),
      },
    ),
    list: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
    map: fc.array(fc.tuple(name, tie("schema")), { maxLength: 3 }).map((each) => object(each)),
  };
});

function emit(root: JsonValue): string | undefined {
  const { model } = read(root);
  if (model === undefined) return undefined;
  return printCode(
    emitValidators([{ exportName: "validate", schema: model, form: "input", type: ident("Root") }]),
  );
}

test("a schema that is accepted compiles", () => {
  let accepted = 0;
  fc.assert(
    fc.property(schema, (each) => {
      if (
        emit({ ...(isJsonObject(each) ? each : { not: each }), $defs: { a: true } }) !== undefined
      )
        accepted += 1;
    }),
    { numRuns: runs(1500), seed: 23 },
  );
  expect(accepted).toBeGreaterThan(runs(300));
});

test("an empty list of values causes an error at its place", () => {
  expect(read({ type: "object", properties: { a: { enum: [] } } }).lines).toEqual([
    "error schema/invalid at []: `enum` lists no value (list the values, or write `false` if no value is allowed)",
  ]);
});

test("`unevaluatedItems` beside `contains`, which Ajv counts wrongly, causes an error", () => {
  expect(read({ contains: { type: "string" }, unevaluatedItems: false }).lines).toEqual([
    expect.stringContaining('error schema/unsupported at "unevaluatedItems"'),
  ]);
  expect(read({ contains: { type: "string" }, unevaluatedItems: true }).lines).toEqual([]);
  const apart = { items: { contains: { type: "string" } }, unevaluatedItems: false };
  expect(read(apart).lines).toEqual([]);
});

const holder = { contains: { type: "string" } };

test.each([
  { allOf: [holder] },
  { anyOf: [{ minItems: 1 }, holder] },
  { if: holder },
  { if: { minItems: 1 }, else: { if: holder } },
])(
  "`unevaluatedItems` beside `contains` in a part, which Ajv counts wrongly, causes an error: %j",
  (part) => {
    expect(read({ ...part, unevaluatedItems: false }).lines).toEqual([
      expect.stringContaining('error schema/unsupported at "unevaluatedItems"'),
    ]);
  },
);

test("the error of a schema that Ajv rejects names the schema", () => {
  const good = mustRead({ type: "object" });
  // No reading gives such a schema; a version of Ajv may refuse one that it does.
  const bad = {
    ...good,
    span: { file: "x", start: 3, end: 4 },
    schema: { enum: [] } as JsonObject,
  };
  const request = (exportName: string, model: typeof good) =>
    ({ exportName, schema: model, form: "input", type: ident("Root") }) as const;
  expect(() => emitValidators([request("one", good), request("two", bad)])).toThrow(
    expect.objectContaining({ name: "UncompilableSchema", span: bad.span }),
  );
});

test("a parameter that nothing fits causes one error at its schema", async () => {
  const { diagnostics } = await compileFiles({
    "skills/desk/SKILL.md": `---
name: desk
description: Desk.
tools_schema:
  get-order:
    description: Get.
    parameters:
      type: object
      required: [mode]
      properties: { mode: { type: integer, enum: [duplicate] } }
    binding: { type: http, method: GET, url: "https://x.example.com/o/{mode}" }
---
`,
  });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code }) => code)).toEqual(["schema/impossible-required"]);
});
