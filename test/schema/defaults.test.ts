import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/core/json.js";
import { withDefaults } from "../../src/runtime/call/defaults.js";
import { defaultsOf } from "../../src/schema/defaults.js";
import { mustRead, read } from "./read.js";
import { validatorOf } from "./validators.js";

const ignored = /^warning schema\/default-ignored at "x"/;

describe("defaults are filled in", () => {
  test("fills in defaults of properties, items and what they refer to, at any depth", () => {
    const model = mustRead({
      type: "object",
      properties: {
        size: { type: "integer", default: 10 },
        where: {
          type: "object",
          default: {},
          properties: { city: { type: "string", default: "Berlin" } },
        },
        lines: { type: "array", items: { $ref: "#/$defs/line" } },
      },
      allOf: [{ properties: { also: { $ref: "#/$defs/flag" } } }],
      $defs: {
        line: { type: "object", properties: { quantity: { default: 1 } } },
        flag: { type: "boolean", default: false },
      },
    });
    const defaults = defaultsOf(model);
    expect(defaults).toEqual({
      properties: {
        size: { value: 10 },
        where: { value: {}, inside: { properties: { city: { value: "Berlin" } } } },
        lines: { inside: { items: { properties: { quantity: { value: 1 } } } } },
        also: { value: false },
      },
    });
    expect(withDefaults({ lines: [{}, { quantity: 2 }] }, defaults ?? {})).toEqual({
      size: 10,
      where: { city: "Berlin" },
      lines: [{ quantity: 1 }, { quantity: 2 }],
      also: false,
    });
  });

  test("fills in nothing if there is no default", () => {
    expect(
      defaultsOf(mustRead({ type: "object", properties: { a: { type: "string" } } })),
    ).toBeUndefined();
  });

  test("fills in the default of a property named `__proto__`", () => {
    const model = mustRead(
      JSON.parse('{"properties": {"__proto__": {"default": 1}}}') as JsonValue,
    );
    const filled = withDefaults({}, defaultsOf(model) ?? {});
    expect(JSON.stringify(filled)).toBe('{"__proto__":1}');
  });

  test("doesn't require of callers a property that has a default, and has it afterwards", () => {
    const model = mustRead({
      type: "object",
      required: ["a", "b"],
      properties: { a: { default: 1 }, b: {} },
    });
    expect([
      validatorOf(model, "input")({ b: 1 }),
      validatorOf(model, "stated")({ b: 1 }),
      validatorOf(model, "filled")({ b: 1 }),
    ]).toEqual([true, false, false]);
    expect(validatorOf(model, "input")({ a: 1 })).toBe(false);
  });
});

describe("a default that is never filled in is reported", () => {
  test.each<readonly [string, JsonValue]>([
    ["below anyOf", { anyOf: [{ properties: { a: { default: "x" } } }] }],
    ["below not", { not: { properties: { a: { default: "x" } } } }],
    ["below a pattern", { patternProperties: { a: { properties: { b: { default: "x" } } } } }],
    ["below a tuple's position", { prefixItems: [{ properties: { b: { default: "x" } } }] }],
    ["in a recursive schema", { properties: { a: { default: "x" }, next: { $ref: "#" } } }],
    [
      "below a recursive schema",
      { properties: { next: { $ref: "#" }, b: { properties: { a: { default: "x" } } } } },
    ],
    ["on the whole", { default: "x" }],
    ["on an item", { items: { default: "x" } }],
  ])("reports a default that is never filled in: %s", (_, schema) => {
    const { model, lines } = read(schema);
    expect(lines).toEqual([expect.stringMatching(ignored)]);
    expect(model && defaultsOf(model)).toBeUndefined();
  });

  test("a definition that is used both ways is filled in nowhere, so what it requires is required", () => {
    const { model } = read({
      properties: { a: { $ref: "#/$defs/t" } },
      anyOf: [{ $ref: "#/$defs/t" }, true],
      $defs: { t: { properties: { b: { default: "x" } }, required: ["b"] } },
    });
    expect(model && defaultsOf(model)).toBeUndefined();
    expect(model && validatorOf(model)({ a: {} })).toBe(false);
  });
});
