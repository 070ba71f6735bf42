import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/runtime/json/json.js";
import { readModelInput } from "../../../src/runtime/model/model-input.js";
import { toModelSchema } from "../../../src/runtime/model/model-schema.js";
import { compile, judge } from "./judge-schema.js";

const text = { type: "string" };

describe("toModelSchema", () => {
  test.each<[string, JsonValue, JsonValue]>([
    ["no properties", { type: "object" }, { type: "object", properties: {} }],
    ["no type", { properties: { a: text } }, { type: "object", properties: { a: text } }],
    ["everything", true, { type: "object", properties: {} }],
    [
      "a union inside",
      { type: "object", properties: { a: { anyOf: [text] } } },
      { type: "object", properties: { a: { anyOf: [text] } } },
    ],
    [
      "parameters with names of keywords",
      { type: "object", properties: { anyOf: text, $ref: text } },
      { type: "object", properties: { anyOf: text, $ref: text } },
    ],
  ])("gives a schema with %s a type and properties, and no wrapper", (_, given, expected) => {
    expect(toModelSchema(given)).toEqual({ schema: expected, back: {} });
  });

  test("replaces a reference at the root by its object, and keeps the definitions", () => {
    const order = { type: "object", properties: { next: { $ref: "#/$defs/order" } } };
    const given = {
      $id: "skillc:/a",
      title: "Order",
      $ref: "#/$defs/again",
      $defs: { again: { $ref: "#/$defs/order" }, order },
    };
    expect(toModelSchema(given)).toEqual({
      schema: { ...order, $id: "skillc:/a", title: "Order", $defs: given.$defs },
      back: {},
    });
  });

  test.each<[string, JsonValue]>([
    ["a cycle", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }],
    ["a reference to itself", { $ref: "#" }],
    ["a missing target", { $ref: "#/$defs/none" }],
    ["another document", { $ref: "other.json" }],
    ["a broken escape", { $ref: "#/$defs/%" }],
    ["a name that every object has", { $ref: "#/$defs/toString", $defs: {} }],
    ["a union", { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ type: "object" }] } } }],
    [
      "a target beside properties",
      { $ref: "#/$defs/a", properties: { b: text }, $defs: { a: { type: "object" } } },
    ],
    ["a target with an anchor", { $ref: "#/$defs/a", $defs: { a: { $anchor: "here" } } }],
  ])("wraps a schema that refers to %s", (_, given) => {
    const { back, schema } = toModelSchema(given);
    expect(back).toEqual({ inputParameter: "input" });
    expect(Object.keys(schema.properties)).toEqual(["input"]);
  });

  test.each(["allOf", "anyOf", "oneOf"])("wraps a schema with %s at its root", (keyword) => {
    const given = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "skillc:/a",
      description: "One of two.",
      [keyword]: [{ $ref: "#/$defs/a" }, { properties: { again: { $ref: "#" } } }],
      $defs: { a: { properties: { root: { $ref: "#" }, first: { $ref: `#/${keyword}/0` } } } },
    };
    expect(toModelSchema(given).schema).toEqual({
      $schema: given.$schema,
      $id: given.$id,
      type: "object",
      properties: {
        input: {
          description: "One of two.",
          [keyword]: [
            { $ref: "#/$defs/a" },
            { properties: { again: { $ref: "#/properties/input" } } },
          ],
        },
      },
      required: ["input"],
      additionalProperties: false,
      $defs: {
        a: {
          properties: {
            root: { $ref: "#/properties/input" },
            first: { $ref: `#/properties/input/${keyword}/0` },
          },
        },
      },
    });
  });

  test.each<[string, JsonValue]>([
    ["not", { not: { required: ["a"] } }],
    ["if", { if: { required: ["a"] }, else: { required: ["b"] } }],
    ["enum", { enum: [{ a: 1 }] }],
    ["const", { const: { a: 1 } }],
    ["dependentSchemas", { dependentSchemas: { a: { required: ["b"] } } }],
    ["nothing allowed", false],
  ])("wraps a schema with %s at its root", (_, given) => {
    expect(toModelSchema(given).back).toEqual({ inputParameter: "input" });
  });

  test("changes no value that only looks like a reference", () => {
    const own = { const: { $ref: "#" }, default: { $ref: "#" }, examples: [{ $ref: "#" }] };
    const given = { anyOf: [{ properties: { a: own } }] };
    const { properties } = toModelSchema(given).schema;
    expect(properties["input"]).toMatchObject({ anyOf: [{ properties: { a: own } }] });
  });

  test("keeps a parameter named __proto__", () => {
    const json = '{"anyOf":[{"properties":{"__proto__":{"$ref":"#"}}}]}';
    const { schema } = toModelSchema(JSON.parse(json) as JsonValue);
    expect(JSON.stringify(schema)).toContain('{"__proto__":{"$ref":"#/properties/input"}}');
  });
});

const names = ["x", "y", "input", "default", "enum", "$ref", "properties", "__proto__"];
const name = fc.constantFrom(...names);

const { schema: anySchema } = fc.letrec<{ schema: JsonValue }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonValue>(true, false, { type: "object" }, text, { const: { $ref: "#" } }),
    fc
      .constantFrom("#", "#/$defs/a", "#/$defs/b~1c", "#/properties/x", "#/anyOf/0", "#/%24defs/a")
      .map(($ref): JsonValue => ({ $ref })),
    fc
      .record(
        {
          type: fc.constant("object"),
          properties: fc
            .array(fc.tuple(name, tie("schema")))
            .map((each) => Object.fromEntries(each)),
          required: fc.uniqueArray(name, { maxLength: 2 }),
          additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        },
        { requiredKeys: ["properties"] },
      )
      .map((each): JsonValue => each),
    fc
      .tuple(
        fc.constantFrom("anyOf", "allOf", "oneOf"),
        fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
      )
      .map(([keyword, all]): JsonValue => ({ [keyword]: all })),
    tie("schema").map((not): JsonValue => ({ not })),
  ),
}));

/** Root schemas: what an object has beside its definitions. */
const anyRoot = fc
  .tuple(anySchema, anySchema, anySchema, anySchema)
  .map(([own, more, a, other]): JsonValue => {
    const parts = [more, own].filter((each) => typeof each === "object");
    return Object.assign({}, ...parts, { $defs: { a, "b/c": other } }) as JsonValue;
  });

const anyArgs = fc.dictionary(
  name,
  fc.oneof(
    fc.constantFrom<unknown>("t", 1, null, {}, { $ref: "#" }, []),
    fc.dictionary(name, fc.constantFrom<unknown>("t", {}, { x: "t" })),
  ),
);

test("a converted schema accepts exactly the arguments whose parameters fit the tool's schema", () => {
  const seen = { direct: 0, wrapped: 0, accepted: 0 };
  fc.assert(
    fc.property(anyRoot, fc.array(anyArgs, { minLength: 1, maxLength: 5 }), (root, all) => {
      const original = compile(root);
      fc.pre(original !== undefined);
      const { back, schema } = toModelSchema(root);
      const offered = compile(schema);
      // Without an original, the run was skipped.
      if (offered === undefined || original === undefined) throw new Error("a reference broke");
      for (const keyword of ["$ref", "allOf", "anyOf", "oneOf", "not", "if"])
        expect(schema).not.toHaveProperty([keyword]);
      const { inputParameter } = back;
      for (const params of all) {
        const args = inputParameter === undefined ? params : { [inputParameter]: params };
        expect(readModelInput("a", args, back).params).toStrictEqual(params);
        const expected = judge(original, params);
        expect(judge(offered, args)).toBe(expected);
        if (expected === true) seen.accepted += 1;
      }
      seen[inputParameter === undefined ? "direct" : "wrapped"] += 1;
    }),
    { numRuns: 300 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
});
