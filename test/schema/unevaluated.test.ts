/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/core/json.js";
import { object } from "./arbitrary-schema.js";
import { mustRead, read } from "./read.js";
import { fits } from "./unevaluated.js";
import { validatorOf } from "./validators.js";
import { runs } from "../support/runs.js";

const seed = Number(process.env["SKILLC_SEED"] ?? 20_12);

const names = ["a", "b", "c", "toString", "constructor", "__proto__"];
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "b", "c") },
  fc.constantFrom(...names),
);

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", maxDepth: 2 },
    fc.constantFrom<JsonValue>(1, "x", true),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie("value")), { maxLength: 4 }).map(object),
  ),
}));

const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => {
  const each = tie("schema");
  const list = fc.array(each, { minLength: 1, maxLength: 3 });
  const named = (key: fc.Arbitrary<string>) =>
    fc.array(fc.tuple(key, each), { minLength: 1, maxLength: 3 }).map(object);
  const piece: fc.Arbitrary<JsonObject> = fc.oneof(
    fc.constantFrom("object", "array", "number", "string").map((type) => ({ type })),
    named(name).map((properties) => ({ properties })),
    named(name).map((properties) => ({ properties })),
    name.map((key) => ({ required: [key] })),
    named(fc.constantFrom("^a", "o")).map((patternProperties) => ({ patternProperties })),
    each.map((additionalProperties) => ({ additionalProperties })),
    each.map((items) => ({ items })),
    list.map((prefixItems) => ({ prefixItems })),
    list.map((allOf) => ({ allOf })),
    list.map((anyOf) => ({ anyOf })),
    list.map((anyOf) => ({ anyOf })),
    list.map((oneOf) => ({ oneOf })),
    each.map((not) => ({ not })),
    each.map((test) => ({ if: test })),
    fc.tuple(each, each, each).map(([test, then, other]) => ({ if: test, then, else: other })),
    named(name).map((dependentSchemas) => ({ dependentSchemas })),
    fc.constantFrom("#/$defs/one", "#/$defs/two").map(($ref) => ({ $ref })),
    fc.constant({ unevaluatedProperties: false }),
    each.map((unevaluatedProperties) => ({ unevaluatedProperties })),
    fc.constant({ unevaluatedItems: false }),
    each.map((unevaluatedItems) => ({ unevaluatedItems })),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.constantFrom<JsonValue>(true, true, false, { type: "number" }, { type: "string" }),
      fc
        .array(piece, { minLength: 1, maxLength: 3 })
        .map((all): JsonValue => Object.assign({}, ...all)),
    ),
  };
});

const closed = fc
  .tuple(schema, schema, schema, fc.constantFrom("unevaluatedProperties", "unevaluatedItems"))
  .map(([root, one, two, keyword]) => ({
    allOf: [root],
    [keyword]: false,
    $defs: { one, two },
  }));

test(
  "`unevaluated…` checks the values that the specification says, in one value and in a list of them",
  { timeout: runs(300_000) },
  () => {
    const seen = { accepted: 0, refused: 0 };
    const values = fc.array(value, { minLength: 4, maxLength: 8 });
    fc.assert(
      fc.property(closed, values, ({ $defs, ...item }, all) => {
        const { model } = read({ ...item, $defs });
        const list = read({ type: "array", items: item, $defs }).model;
        const map = read({ additionalProperties: item, $defs }).model;
        if (model === undefined || list === undefined || map === undefined) return;
        const validate = validatorOf(model);
        const expected = all.map((each) => fits(each, model.schema, model.schema));
        expect(all.map((each) => validate(each))).toEqual(expected);
        for (const fit of expected) seen[fit ? "accepted" : "refused"] += 1;
        const [inList, inMap] = [validatorOf(list), validatorOf(map)];
        const pairs = all.flatMap((a, i) => all.map((b, k) => [a, b, expected[i] && expected[k]]));
        for (const [a = null, b = null, both] of pairs) {
          expect(inList([a, b])).toBe(both);
          expect(inMap({ a, b })).toBe(both);
        }
      }),
      { numRuns: runs(400), seed },
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(runs(200));
  },
);

test("the properties that one item evaluated do not count for the next", () => {
  const either = {
    type: "object",
    anyOf: [{ properties: { a: { type: "number" } }, required: ["a"] }, { properties: { b: {} } }],
    unevaluatedProperties: false,
  };
  const inList = validatorOf(mustRead({ type: "array", items: either }));
  expect([[{ a: "x" }], [{ a: 1 }, { a: "x" }]].map((each) => inList(each))).toEqual([
    false,
    false,
  ]);
  const byReference = validatorOf(
    mustRead({ additionalProperties: { $ref: "#/$defs/either" }, $defs: { either } }),
  );
  expect(byReference({ x: { a: 1 }, y: { a: "x" } })).toBe(false);
});

test("inherited names of objects do not count as evaluated", () => {
  const validate = validatorOf(
    mustRead({
      type: "object",
      anyOf: [{ properties: { a: { type: "number" } } }],
      unevaluatedProperties: false,
    }),
  );
  const inherited = [...Object.getOwnPropertyNames(Object.prototype)];
  expect(inherited.filter((key) => validate(JSON.parse(`{${JSON.stringify(key)}: 1}`)))).toEqual(
    [],
  );
  expect(validate({ a: 1 })).toBe(true);
});

test("a condition that doesn't hold evaluates nothing, and one that holds evaluates even without `then`", () => {
  const validate = validatorOf(
    mustRead({
      $ref: "#/$defs/base",
      if: { properties: { a: { const: 1 } }, required: ["a"] },
      unevaluatedProperties: false,
      $defs: { base: { properties: { id: {} } } },
    }),
  );
  const values = [{ id: 1 }, { id: 1, a: 1 }, { id: 1, a: 2 }];
  expect(values.map((each) => validate(each))).toEqual([true, true, false]);
});

test("schemas without evaluation are checked beside others with it", () => {
  const validate = validatorOf(
    mustRead({
      type: "object",
      anyOf: [{ properties: { closed: { type: "object", unevaluatedProperties: false } } }, false],
      patternProperties: { "^a": { type: "string" } },
    }),
  );
  const values = [{ a: "x" }, { a: 1 }, { closed: 1, a: "x" }, { closed: {}, a: "x" }];
  expect(values.map((each) => validate(each))).toEqual([true, false, false, true]);
});
