/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import fc from "fast-check";
import { expect, test } from "vitest";
import { catalog as examples } from "../../../generated/index.js";
import type { JsonValue } from "../../../src/runtime/json/json.js";
import { createRuntime } from "../../../src/runtime/index.js";
import type { Catalog } from "../../../src/runtime/model/catalog.js";
import { readModelInput } from "../../../src/runtime/model/model-input.js";
import { toModelSchema } from "../../../src/runtime/model/model-schema.js";
import { entryOf } from "../../../src/runtime/model/offered-entry.js";
import { readOffer } from "../../../src/runtime/model/offer-options.js";
import { offeredNames } from "../../../src/runtime/model/offered-names.js";
import { catalog as renamed } from "../../cases/offered-names/generated/index.js";
import { catalog as wrapped } from "../../cases/wrapped-parameters/generated/index.js";
import { compile, judge } from "./judge-schema.js";
import { rejectionsOf } from "./provider-rules.js";

const runtime = createRuntime({ ledger: false, inherit: false });

test.each<[string, Catalog]>([
  ["the example skills", examples],
  ["skills with unusual names", renamed],
  ["skills with unions at the root", wrapped],
])("models' APIs accept every tool of %s", (_, catalog) => {
  const options = readOffer("offerTools", catalog, { runtime });
  const tools = catalog.skills.flatMap((skill) =>
    skill.tools.map((tool) => entryOf({ skill, tool }, options).offered),
  );
  expect(tools.length).toBeGreaterThan(0);
  expect(rejectionsOf(tools)).toEqual([]);
});

test.each<[string, JsonValue, string]>([
  ["a name with brackets", { type: "object", properties: { "a[b]": {} } }, "property keys"],
  [
    "a name inside a list",
    { type: "object", properties: { a: { items: { properties: { "a b": {} } } } } },
    "property keys",
  ],
  ["a list without items", { type: "object", properties: { a: { type: "array" } } }, "items"],
  [
    "a list of a fixed form",
    { type: "object", properties: { a: { type: ["array", "null"], prefixItems: [{}] } } },
    "items",
  ],
  ["a union at the root", { type: "object", properties: {}, anyOf: [{}] }, "no `anyOf`"],
  ["a reference at the root", { $ref: "#/$defs/a", $defs: { a: {} } }, "no `$ref`"],
  ["no properties", { type: "object" }, "`properties`"],
  [
    "a pattern of JavaScript",
    { type: "object", properties: { a: { pattern: "\\p{L}" } } },
    "regex",
  ],
])("the rules reject %s, and the converted schema breaks none", (_, schema, rule) => {
  const tool = { name: "a", description: "Does it." };
  const before = rejectionsOf([{ ...tool, input_schema: schema as Record<string, unknown> }]);
  expect(before.map((each) => each.rule).join()).toContain(rule);
  const { schema: after } = toModelSchema(schema, offeredNames(schema, []));
  expect(rejectionsOf([{ ...tool, input_schema: after }])).toEqual([]);
});

const lookahead = { type: "string", pattern: "^(?=x)x" };

test.each<[string, JsonValue, JsonValue]>([
  ["not", { not: { $ref: "#/$defs/p" } }, "y"],
  ["oneOf", { oneOf: [{ $ref: "#/$defs/again" }, { pattern: "^y" }] }, "y"],
  ["if", { if: { $ref: "#/$defs/p" }, then: { minLength: 5 } }, "y"],
  ["maxContains", { contains: { $ref: "#/$defs/p" }, maxContains: 1 }, ["y", "x"]],
  ["unevaluatedProperties", { $ref: "#/$defs/object", unevaluatedProperties: false }, { x: 1 }],
])("a schema with %s fits its values after a definition loses a pattern", (_, a, value) => {
  const $defs = {
    p: lookahead,
    again: { $ref: "#/$defs/p" },
    object: { patternProperties: { "(?=x)x": {} } },
  };
  const root: JsonValue = { type: "object", properties: { a }, $defs };
  const { schema } = toModelSchema(root);
  expect(compile(root)?.({ a: value })).toBe(true);
  expect(compile(schema)?.({ a: value })).toBe(true);
});

const names = [
  "a b",
  "a_b",
  "a_b_2",
  "$top",
  "top",
  "größe",
  " ",
  "名称",
  "x",
  "__proto__",
  "a/b~c",
  "l".repeat(70),
];
const name = fc.constantFrom(...names);
const pattern = fc.constantFrom(
  "^a",
  "^\\p{L}+$",
  "(?=x)",
  "(?<n>x)",
  "[^\\]]",
  "\\u{61}",
  "(?:a|b)",
);

const { schema: anySchema } = fc.letrec<{ schema: JsonValue }>((tie) => {
  const list = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
  const map = fc.array(fc.tuple(name, tie("schema")), { maxLength: 3 }).map(Object.fromEntries);
  return {
    schema: fc.oneof(
      { depthSize: "medium", withCrossShrink: true },
      fc.constantFrom<JsonValue>(true, {}, { type: "string" }, { type: "array" }),
      pattern.map((each): JsonValue => ({ type: "string", pattern: each })),
      fc
        .constantFrom("#", "#/$defs/a", "#/properties/a%20b", "#/$defs/b")
        .map(($ref): JsonValue => ({ $ref })),
      fc.record({ const: fc.dictionary(name, fc.constantFrom("t", "a")), properties: map }),
      fc
        .record(
          {
            type: fc.constantFrom("object", ["object", "null"]),
            properties: map,
            required: fc.uniqueArray(name, { maxLength: 2 }),
            additionalProperties: tie("schema"),
            patternProperties: fc
              .tuple(pattern, tie("schema"))
              .map((each) => Object.fromEntries([each])),
            propertyNames: fc.record({ pattern }),
            dependentRequired: fc
              .tuple(name, fc.uniqueArray(name))
              .map((each) => Object.fromEntries([each])),
            dependentSchemas: map,
          },
          { requiredKeys: [] },
        )
        .map((each) => each as JsonValue),
      fc
        .record(
          {
            type: fc.constant("array"),
            prefixItems: list,
            items: tie("schema"),
            contains: tie("schema"),
          },
          { requiredKeys: ["type"] },
        )
        .map((each) => each as JsonValue),
      fc
        .tuple(fc.constantFrom("anyOf", "allOf", "oneOf"), list)
        .map(([key, all]): JsonValue => ({ [key]: all })),
      fc
        .tuple(fc.constantFrom("not", "if"), tie("schema"), tie("schema"))
        .map(([key, one, other]): JsonValue => ({ [key]: one, else: other })),
    ),
  };
});

const anyRoot = fc
  .tuple(anySchema, anySchema, anySchema)
  .map(([own, a, b]) => ({ ...(typeof own === "object" && own), $defs: { a, b } }) as JsonValue);

const anyValue = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<JsonValue>("t", "a", 1, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie("value")), { maxLength: 4 }).map(Object.fromEntries),
  ),
})).value;

test("models' APIs accept every converted schema", () => {
  fc.assert(
    fc.property(anyRoot, (root) => {
      const { schema } = toModelSchema(root, offeredNames(root, []));
      const tool = { name: "a", description: "Does it.", input_schema: schema };
      expect(rejectionsOf([tool])).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test("parameters under the offered names fit the offered schema, and become the parameters again", () => {
  const seen = { renamed: 0, accepted: 0 };
  fc.assert(
    fc.property(anyRoot, fc.array(anyValue, { minLength: 1, maxLength: 5 }), (root, all) => {
      const given = offeredNames(root, []);
      const own = compile(root);
      const { back, schema } = toModelSchema(root, given);
      fc.pre(own !== undefined);
      const offered = compile(schema);
      if (offered === undefined) throw new Error("a reference broke");
      const { inputParameter, renamed: changed } = back;
      const taken = new Set(Object.values(given));
      for (const params of all) {
        // Such a name means the property with the other name.
        if (namesIn(params).some((each) => taken.has(each))) continue;
        const asOffered = changed === undefined ? params : changed.toOffered(params, root as never);
        const args = inputParameter === undefined ? asOffered : { [inputParameter]: asOffered };
        expect(readModelInput("a", args, back).params).toStrictEqual(params);
        if (JSON.stringify(asOffered) !== JSON.stringify(params)) seen.renamed += 1;
        if (judge(own, params) !== true || typeof params !== "object") continue;
        if (params === null || Array.isArray(params)) continue;
        expect(judge(offered, args)).toBe(true);
        seen.accepted += 1;
      }
    }),
    { numRuns: 600 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
});

function namesIn(value: JsonValue): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap((each) => namesIn(each as JsonValue));
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}
