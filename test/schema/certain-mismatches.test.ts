import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { getOwn, isJsonObject, type JsonValue } from "../../src/core/json.js";
import type { SchemaModel } from "../../src/core/skill-model.js";
import { certainMismatches, type CertainMismatch } from "../../src/schema/certain-mismatches.js";
import { schemaOf, value } from "./arbitrary-schema.js";
import { preciseSchema } from "./arbitrary-precise-schema.js";
import { choices, derive } from "./derive-values.js";
import { mustRead, read } from "./read.js";
import { validatorOf } from "./validators.js";
import { runs } from "../support/runs.js";

const compare = (found: SchemaModel, wanted: SchemaModel) =>
  certainMismatches({ model: found, at: [] }, { model: wanted, at: [] });

/** `kind path` of each contradiction; `*` is every item. */
function told(found: JsonValue, wanted: JsonValue): readonly string[] {
  return compare(mustRead(found), mustRead(wanted)).map(
    ({ kind, path }) =>
      `${kind} ${path.map((step) => (typeof step === "object" ? "*" : step)).join(".")}`,
  );
}

const object = (properties: Record<string, JsonValue>, more: Record<string, JsonValue> = {}) => ({
  type: "object",
  properties,
  ...more,
});
const closed = (properties: Record<string, JsonValue>, ...required: readonly string[]) =>
  object(properties, { additionalProperties: false, required });
const text = { type: "string" };
const number = { type: "number" };

describe("a certain mismatch", () => {
  test.each<[what: string, found: JsonValue, wanted: JsonValue, lines: readonly string[]]>([
    ["a type", text, number, ["values "]],
    [
      "a property",
      object({ a: object({ b: text }) }),
      object({ a: object({ b: number }) }),
      ["values a.b"],
    ],
    ["items", { type: "array", items: text }, { type: "array", items: number }, ["values *"]],
    ["an optional property", object({ a: text }), object({ a: number }), ["values a"]],
    ["values", object({ a: { enum: ["x", "y"] } }), object({ a: { const: "z" } }), ["values a"]],
    ["a fraction for an integer", { const: 1.5 }, { type: "integer" }, ["values "]],
    ["a missing property", closed({ a: text }), object({}, { required: ["b"] }), ["missing b"]],
    [
      "a refused property",
      object({ a: text }, { required: ["a"] }),
      closed({ b: text }),
      ["refused a"],
    ],
    [
      "a forbidden property",
      object({ a: text }, { required: ["a"] }),
      object({ a: false }),
      ["refused a"],
    ],
    [
      "two of them, in order",
      object({ a: text, b: text, c: text }),
      object({ a: number, b: text, c: { type: "null" } }),
      ["values a", "values c"],
    ],
    [
      "a place in a tuple",
      { type: "array", prefixItems: [text, text] },
      { type: "array", prefixItems: [text, number] },
      ["values 1"],
    ],
    [
      "a place in a tuple, against a list",
      { type: "array", items: text },
      { type: "array", prefixItems: [number] },
      ["values 0"],
    ],
    [
      "all of `allOf`",
      { allOf: [object({ a: text }), object({ b: text })] },
      { allOf: [object({ b: number }), object({ a: number })] },
      ["values a", "values b"],
    ],
    [
      "a type beside null",
      { type: ["object", "null"], properties: { a: text } },
      { type: ["object", "null"], properties: { a: number } },
      ["values a"],
    ],
    [
      "every branch",
      { anyOf: [text, number] },
      { oneOf: [{ type: "boolean" }, { type: "null" }] },
      ["values "],
    ],
    [
      "every branch of objects",
      {
        oneOf: [
          object({ k: { const: 1 } }, { required: ["k"] }),
          object({ k: { const: 2 } }, { required: ["k"] }),
        ],
      },
      object({ k: { const: 3 } }),
      ["values "],
    ],
    [
      "behind references",
      { $ref: "#/$defs/o", $defs: { o: object({ a: { $ref: "#/$defs/t" } }), t: text } },
      { $ref: "#/$defs/p", $defs: { p: object({ a: { $ref: "#/$defs/n" } }), n: number } },
      ["values a"],
    ],
    [
      "in recursive schemas, once",
      { $ref: "#/$defs/o", $defs: { o: object({ id: text, next: { $ref: "#/$defs/o" } }) } },
      { $ref: "#/$defs/p", $defs: { p: object({ id: number, next: { $ref: "#/$defs/p" } }) } },
      ["values id"],
    ],
  ])("gets reported for %s", (_, found, wanted, lines) => {
    expect(told(found, wanted)).toEqual(lines);
  });

  test.each<[what: string, found: JsonValue, wanted: JsonValue]>([
    ["a narrower type", { type: ["string", "number"] }, text],
    ["an integer among numbers", number, { type: "integer" }],
    ["a bound", { type: "integer", maximum: 1 }, { type: "integer", minimum: 5 }],
    [
      "a property that an open object may have",
      object({ a: text }),
      object({}, { required: ["b"] }),
    ],
    ["an optional property that a closed object refuses", object({ a: text }), closed({})],
    ["an optional property that a closed object lacks", closed({ a: text }), object({ b: text })],
    ["something nullable", { type: ["string", "null"] }, { type: ["number", "null"] }],
    [
      "a property missing beside null",
      { anyOf: [{ type: "null" }, closed({ a: text })] },
      { type: ["object", "null"], required: ["b"] },
    ],
    ["one branch that fits", { anyOf: [text, number] }, { anyOf: [{ type: "null" }, number] }],
    [
      "one object among several that fits",
      { anyOf: [object({ a: text }), object({ a: number })] },
      object({ a: number }),
    ],
    [
      "a map of other values, which may be empty",
      object({}, { additionalProperties: text }),
      object({}, { additionalProperties: number }),
    ],
    [
      "a name that a pattern allows",
      object({}, { patternProperties: { "^a": text }, additionalProperties: false }),
      object({ ab: text }, { required: ["ab"] }),
    ],
    ["anything", {}, object({ a: text })],
    [
      "what is said of another type only",
      { properties: { a: text } },
      { properties: { a: number }, type: "string" },
    ],
    ["nothing", text, false],
  ])("does not get reported for %s", (_, found, wanted) => {
    expect(told(found, wanted)).toEqual([]);
  });
});

/** The values at a path; for an object that lacks a property, the object. */
function valuesAt(instance: JsonValue, path: CertainMismatch["path"]): readonly JsonValue[] {
  return path.reduce<readonly JsonValue[]>(
    (values, step) =>
      values.flatMap((each): readonly JsonValue[] => {
        if (Array.isArray(each)) {
          const items: readonly JsonValue[] = each;
          return typeof step === "object" ? items : items.slice(Number(step), Number(step) + 1);
        }
        if (!isJsonObject(each) || typeof step !== "string") return [];
        const found = getOwn(each, step);
        return found === undefined ? [] : [found];
      }),
    [instance],
  );
}

/** Two schemas that are alike, or nothing to each other. */
const pair = fc
  .oneof(schemaOf("2020-12"), preciseSchema("2020-12"))
  .chain((one) =>
    fc.tuple(
      fc.constant(one),
      fc.oneof(schemaOf("2020-12"), preciseSchema("2020-12"), changed(one)),
    ),
  );

/** The schema, with some of its scalars replaced: types, names, values and bounds. */
function changed(schema: JsonValue): fc.Arbitrary<JsonValue> {
  return fc.integer({ min: 0, max: 2 ** 30 }).map((seed) => {
    const pick = choices(seed);
    const types = ["string", "number", "integer", "boolean", "null", "array", "object"];
    const change = (node: JsonValue): JsonValue => {
      if (Array.isArray(node)) return node.map((each: JsonValue) => change(each));
      if (isJsonObject(node))
        return Object.fromEntries(Object.entries(node).map(([key, each]) => [key, change(each)]));
      if (pick(4) > 0) return node;
      if (typeof node === "string" && types.includes(node)) return types[pick(7)] ?? node;
      return typeof node === "boolean" ? !node : node;
    };
    return change(schema);
  });
}

const numRuns = runs(400);
const seed = Number(process.env["SKILLC_SEED"] ?? 20_12);

test("no value fits both schemas at the place of a certain mismatch", () => {
  let contradicted = 0;
  let fitted = 0;
  const property = fc.property(
    pair,
    fc.nat(),
    fc.array(value, { maxLength: 4 }),
    (both, from, some) => {
      const [found, wanted] = both.map((each) => read(each).model);
      if (found === undefined || wanted === undefined) return;
      const told = compare(found, wanted);
      const pick = choices(from);
      const made = Array.from({ length: 30 }, (_, index) => {
        const { schema } = index % 2 === 0 ? found : wanted;
        return derive(schema, schema, pick);
      });
      const [fitsFound, fitsWanted] = [validatorOf(found, "stated"), validatorOf(wanted, "stated")];
      const fitting = [...made, ...some].filter((each) => fitsFound(each) && fitsWanted(each));
      contradicted += told.length > 0 ? 1 : 0;
      fitted += fitting.length > 0 ? 1 : 0;
      for (const { kind, path } of told) {
        const place = kind === "values" ? path : path.slice(0, -1);
        const standing = fitting.flatMap((each) => valuesAt(each, place));
        expect(kind === "values" ? standing : standing.filter(isJsonObject)).toEqual([]);
      }
    },
  );
  fc.assert(property, { numRuns, seed });
  expect(contradicted).toBeGreaterThan(numRuns / 10);
  expect(fitted).toBeGreaterThan(numRuns / 10);
}, 120_000);

test("a schema has no certain mismatch with itself", () => {
  const property = fc.property(
    fc.oneof(schemaOf("2020-12"), preciseSchema("2020-12")),
    fc.nat(),
    (schema, from) => {
      const { model } = read(schema);
      if (model === undefined) return;
      const told = compare(model, model);
      // Compiling a validator takes longer than all else.
      if (told.length === 0) return;
      const pick = choices(from);
      const accepted = validatorOf(model, "stated");
      const made = Array.from({ length: 10 }, () => derive(model.schema, model.schema, pick));
      for (const { path } of told)
        expect(
          made.filter((each) => accepted(each)).flatMap((each) => valuesAt(each, path)),
        ).toEqual([]);
    },
  );
  fc.assert(property, { numRuns, seed });
}, 120_000);
