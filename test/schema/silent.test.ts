import { describe, expect, test } from "vitest";
import { silentParameters, withInferred } from "../../src/schema/silent.js";
import type { JsonValue } from "../../src/core/json.js";
import { mustRead } from "./read.js";

function parametersOf(properties: { readonly [name: string]: JsonValue }) {
  return mustRead({ type: "object", properties, $defs: { id: { type: "string" } } });
}

describe("a parameter without a type", () => {
  test.each<[JsonValue]>([
    [{}],
    [{ description: "Who.", default: 1, "x-own": true }],
    [{ minimum: 1, maximum: 9 }],
    [{ pattern: "^a", maxLength: 3, format: "date" }],
    [{ minItems: 1, uniqueItems: true }],
  ])("accepts the keywords %j", (schema) => {
    expect([...silentParameters(parametersOf({ x: schema })).keys()]).toEqual(["x"]);
  });

  test.each<[JsonValue]>([
    [true],
    [{ type: "string" }],
    [{ enum: [1] }],
    [{ const: 1 }],
    [{ $ref: "#/$defs/id" }],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }],
    [{ not: { type: "null" } }],
    [{ items: {} }],
    [{ properties: {} }],
  ])("does not include %j", (schema) => {
    expect([...silentParameters(parametersOf({ x: schema })).keys()]).toEqual([]);
  });

  test("does not exist in a schema without parameters", () => {
    expect(silentParameters(mustRead(true)).size).toBe(0);
  });
});

describe("the inferred type of a parameter", () => {
  const int2 = { type: "integer", minimum: -32768, maximum: 32767 };
  function filled(own: JsonValue, known: { readonly [keyword: string]: JsonValue } = int2) {
    const model = withInferred(parametersOf({ x: own, other: {} }), { x: known });
    return (model.schema as { properties: { x: JsonValue; other: JsonValue } }).properties;
  }

  test("fills in only parameters without a type", () => {
    expect(filled({})).toEqual({ x: int2, other: {} });
  });

  test("leaves the author's keywords unchanged", () => {
    expect(filled({ minimum: 0, description: "Years." }).x).toEqual({
      ...int2,
      minimum: 0,
      description: "Years.",
    });
  });

  test.each([
    [{ minimum: 40_000 }, { type: "integer", minimum: 40_000 }],
    [{ exclusiveMinimum: 40_000 }, { type: "integer", minimum: -32768, exclusiveMinimum: 40_000 }],
    [{ maximum: -40_000 }, { type: "integer", maximum: -40_000 }],
  ])("omits the bound that %j contradicts", (own, expected) => {
    expect(filled(own).x).toEqual(expected);
  });

  test("fills in a parameter of any name", () => {
    const model = withInferred(
      parametersOf(JSON.parse('{ "__proto__": {} }') as object as Record<string, JsonValue>),
      JSON.parse('{ "__proto__": { "type": "string" } }') as Record<string, { type: string }>,
    );
    expect(JSON.stringify(model.schema)).toContain('"__proto__":{"type":"string"}');
  });
});
