/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
/** Where no misfit is found, every value of the one schema is a value of the other; and a schema fits itself. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonSchema, JsonValue } from "../../src/core/json.js";
import { acceptor } from "../../src/schema/fit/accepts-value.js";
import { misfits } from "../../src/schema/fit/misfits.js";
import { object, propertyName, scalar } from "./arbitrary-schema.js";
import { choices, derive } from "./derive-values.js";

const bound = fc.integer({ min: -2, max: 3 });
const length = fc.integer({ min: 0, max: 2 });

function keywords(
  type: string,
  ...optional: readonly (readonly [string, fc.Arbitrary<JsonValue>])[]
): fc.Arbitrary<JsonValue> {
  const model = Object.fromEntries(optional);
  return fc.record(model, { requiredKeys: [] }).map((rest) => ({ type, ...rest }));
}

const { schema } = fc.letrec<{ schema: JsonValue; properties: JsonValue }>((tie) => ({
  properties: fc
    .uniqueArray(fc.tuple(propertyName, tie("schema")), {
      maxLength: 3,
      selector: ([name]) => name,
    })
    .map(object),
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonValue>(true, {}, { $ref: "#" }, { type: "boolean" }, { type: "null" }),
    scalar.map((value) => ({ const: value })),
    fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
    keywords("string", ["minLength", length], ["maxLength", length], ["not", tie("schema")]),
    ...["integer", "number"].map((type) =>
      keywords(
        type,
        ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map(
          (name) => [name, bound] as const,
        ),
        ["multipleOf", fc.constantFrom(0.5, 1, 2, 3)],
      ),
    ),
    fc.constantFrom<JsonValue>({ type: ["string", "null"] }, { type: ["integer", "string"] }),
    keywords(
      "array",
      ["items", tie("schema")],
      ["prefixItems", fc.array(tie("schema"), { minLength: 1, maxLength: 2 })],
      ["minItems", length],
      ["maxItems", length],
      ["uniqueItems", fc.boolean()],
      ["contains", tie("schema")],
      ["minContains", length],
      ["maxContains", length],
    ),
    keywords(
      "object",
      ["properties", tie("properties")],
      ["required", fc.uniqueArray(propertyName, { maxLength: 2 })],
      ["additionalProperties", fc.oneof(fc.constant<JsonValue>(false), tie("schema"))],
    ),
    keywords(
      "object",
      ["properties", tie("properties")],
      ["additionalProperties", fc.oneof(fc.constant<JsonValue>(false), tie("schema"))],
      ["patternProperties", tie("schema").map((each) => ({ "^[a-c]": each }))],
      ["propertyNames", fc.oneof(tie("schema"), fc.constant<JsonValue>({ maxLength: 1 }))],
      ["minProperties", length],
      ["maxProperties", length],
      ["dependentRequired", fc.constant<JsonValue>({ a: ["b"] })],
      ["dependentSchemas", tie("schema").map((each) => ({ a: each }))],
    ),
    fc.record({ not: tie("schema") }),
    fc.record(
      { if: tie("schema"), then: tie("schema"), else: tie("schema") },
      { requiredKeys: ["if"] },
    ),
    ...["anyOf", "allOf"].map((keyword) =>
      fc
        .array(tie("schema"), { minLength: 1, maxLength: 2 })
        .map((schemas) => ({ [keyword]: schemas })),
    ),
  ),
}));

/** The generator makes nothing else. */
const root = schema.filter((value) => typeof value === "object") as fc.Arbitrary<
  Exclude<JsonSchema, boolean>
>;

test("what has no misfit fits", () => {
  let fitting = 0;
  fc.assert(
    fc.property(root, root, fc.nat(), (given, wanted, seed) => {
      if (endless(given) || endless(wanted)) return;
      if (misfits({ schema: given, root: given }, { schema: wanted, root: wanted }).length > 0)
        return;
      const [isGiven, isWanted] = [given, wanted].map((each) =>
        acceptor({ schema: each, root: each }),
      );
      const pick = choices(seed);
      for (let count = 0; count < 10; count += 1) {
        const value = derive(given, given, pick);
        if (isGiven?.(value) !== true) continue;
        fitting += 1;
        expect([value, isWanted?.(value)]).toEqual([value, true]);
      }
    }),
    { numRuns: 2000 },
  );
  expect(fitting).toBeGreaterThan(100);
});

/** A reference that leads to itself without a step into the value: no schema that is read has one. */
function endless(of: JsonValue): boolean {
  if (typeof of !== "object" || of === null || Array.isArray(of)) return false;
  const { $ref, anyOf, allOf, dependentSchemas, ...others } = of as {
    readonly [name: string]: JsonValue;
  };
  const inPlace = [
    anyOf ?? [],
    allOf ?? [],
    Object.values(dependentSchemas ?? {}),
    ...["not", "if", "then", "else"].map((name) => others[name] ?? []),
  ];
  return $ref !== undefined || (inPlace.flat() as readonly JsonValue[]).some(endless);
}
