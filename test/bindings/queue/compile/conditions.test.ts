/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
/** Keywords of a JSON Schema that constrain a value as a whole. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/core/json.js";
import { ofJson } from "./support.js";

const of = (schema: string, wanted: JsonObject) =>
  ofJson(
    { parameters: `{ p: ${schema} }`, required: "p", message: '{ v: "{p}" }' },
    { type: "object", properties: { v: wanted } },
  );

const closed = (properties: string, required = "") =>
  `{ type: object, additionalProperties: false, required: [${required}], properties: ${properties} }`;

describe("parameter that does not declare what its field demands", () => {
  it.each<[schema: string, wanted: JsonObject, words: string]>([
    [
      "{ type: integer }",
      { type: "integer", multipleOf: 5 },
      "may be any integer, but the field `v` takes multiples of 5 (write `multipleOf: 5`)",
    ],
    [
      "{ type: string }",
      { type: "string", not: { enum: ["", "x"] } },
      "might not satisfy `not`, but the field `v` requires it (write `not: {enum: ['', x]}`)",
    ],
    [
      closed("{ kind: { enum: [a, b] }, n: { type: integer } }", "kind"),
      {
        type: "object",
        properties: { kind: {}, n: {} },
        if: { properties: { kind: { const: "a" } } },
        then: { required: ["n"] },
      },
      "might not satisfy `if`, but the field `v` requires it (write `if: {properties: {kind: {const: a}}}, then: {required: ['n']}`)",
    ],
    [
      "{ type: object, additionalProperties: { type: string } }",
      { type: "object", propertyNames: { pattern: "^[a-z]+$" } },
      "may have properties with other names, but the field `v` allows only certain names (write `propertyNames: {pattern: '^[a-z]+$'}`)",
    ],
    [
      "{ type: array, items: { type: string } }",
      { type: "array", uniqueItems: true },
      "might not satisfy `uniqueItems`, but the field `v` requires it (write `uniqueItems: true`)",
    ],
    [
      "{ type: object, additionalProperties: false, properties: { a: {} } }",
      { type: "object", minProperties: 1 },
      "might not satisfy `minProperties`, but the field `v` requires it (write `minProperties: 1`)",
    ],
    [
      "{ type: string }",
      { allOf: [{ type: "string", not: { const: "x" } }, { not: { const: "y" } }] },
      "might not satisfy `not`, but the field `v` requires it (write `not: {const: 'y'}`)",
    ],
  ])("warns that %s may not fit %j", (schema, wanted, words) => {
    expect(of(schema, wanted)).toEqual([`field-may-not-fit [{p}] \`p\` ${words}`]);
  });
});

describe("parameter that declares what its field demands, or can't break it", () => {
  it.each<[schema: string, wanted: JsonObject]>([
    ["{ type: integer, multipleOf: 10 }", { type: "integer", multipleOf: 5 }],
    ["{ type: integer }", { type: "number", multipleOf: 0.5 }],
    ["{ type: string, not: { const: x } }", { type: "string", not: { const: "x" } }],
    ["{ enum: [a, b] }", { type: "string", not: { const: "x" } }],
    [closed("{ a: {} }"), { type: "object", properties: { a: {} }, not: { required: ["a", "b"] } }],
    [
      closed("{ kind: { const: b } }", "kind"),
      {
        type: "object",
        properties: { kind: {} },
        if: { properties: { kind: { const: "a" } } },
        then: { required: ["n"] },
      },
    ],
    [
      closed("{ kind: { const: a }, n: {} }", "kind, n"),
      {
        type: "object",
        properties: { kind: {}, n: {} },
        if: { properties: { kind: { const: "a" } } },
        then: { required: ["n"] },
        else: { required: ["m"] },
      },
    ],
    [closed("{ ab: {} }"), { type: "object", propertyNames: { pattern: "^[a-z]+$" } }],
    [
      "{ type: object, additionalProperties: true, propertyNames: { pattern: '^[a-z]+$' } }",
      { type: "object", propertyNames: { pattern: "^[a-z]+$" } },
    ],
    [closed("{ a: {} }", "a"), { type: "object", minProperties: 1, maxProperties: 1 }],
    [closed("{ a: {}, b: {} }", "b"), { type: "object", dependentRequired: { a: ["b"] } }],
  ])("accepts %s for %j", (schema, wanted) => {
    expect(of(schema, wanted)).toEqual([]);
  });
});

describe("condition that is known to hold", () => {
  it("checks parameters against the schema that applies under the condition", () => {
    const wanted = {
      type: "object",
      properties: { kind: {}, n: {} },
      if: { properties: { kind: { const: "a" } } },
      then: { properties: { n: { type: "integer" } } },
    };
    const schema = closed("{ kind: { const: a }, n: { type: string } }", "kind, n");
    expect(of(schema, wanted)).toEqual([
      "field-type [{p}] `p` at `n` may be a string, but the field `v.n` takes an integer",
    ]);
  });
});

describe("literal parts of a message", () => {
  const wanted = {
    type: "object",
    properties: { kind: {}, n: {}, tags: { type: "array", uniqueItems: true } },
    if: { properties: { kind: { const: "a" } } },
    then: { required: ["n"] },
    propertyNames: { maxLength: 4 },
  };

  it.each<[message: string, lines: readonly string[]]>([
    ["{ kind: a, n: 1, tags: [1, 2] }", []],
    ["{ kind: b }", []],
    [
      "{ kind: a }",
      ["field-type [{ kind: a }] this object doesn't satisfy `if`, but the message requires it"],
    ],
    [
      "{ kind: b, tags: [1, 1] }",
      [
        "field-type [[1, 1]] this list doesn't satisfy `uniqueItems`, but the field `tags` requires it",
      ],
    ],
    [
      "{ kind: b, label: 1 }",
      [
        "field-type [{ kind: b, label: 1 }] this object has the property `label`, but the message rejects that name",
      ],
    ],
  ])("checks %s by the validator", (message, lines) => {
    expect(ofJson({ message }, wanted)).toEqual(lines);
  });

  it("checks conditions of an object as far as they don't depend on parameters", () => {
    const text = { parameters: "{ p: { type: string } }", required: "p" };
    expect(ofJson({ ...text, message: '{ kind: "{p}" }' }, wanted)).toEqual([
      'field-may-not-fit [{ kind: "{p}" }] this object might not satisfy `if`, but the message requires it',
    ]);
    expect(ofJson({ ...text, message: '{ kind: "{p}", n: 1 }' }, wanted)).toEqual([]);
    expect(ofJson({ ...text, message: '{ kind: b, n: "{p}" }' }, wanted)).toEqual([]);
    expect(ofJson({ ...text, message: '{ kind: a, n: 1, names: "{p}" }' }, wanted)).toEqual([
      'field-type [{ kind: a, n: 1, names: "{p}" }] this object has the property `names`, but the message rejects that name',
    ]);
  });
});
