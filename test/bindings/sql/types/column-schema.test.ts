import { describe, expect, test } from "vitest";
import { builtInTypes } from "../../../../src/bindings/sql/types/builtin-types.js";
import { columnSchema } from "../../../../src/bindings/sql/types/column-schema.js";
import type { JsonValue } from "../../../../src/core/json.js";
import { acceptor } from "../../../../src/schema/compare/values.js";
import { madeTextOf } from "../../../../src/schema/made-text.js";

function isGiven(name: string, value: JsonValue): boolean {
  const traits = builtInTypes.find(({ names }) => names.includes(name));
  if (traits === undefined) throw new Error(`${name} is no built-in type`);
  const schema = columnSchema({ kind: "scalar", name, traits });
  const made = madeTextOf(schema);
  const isPrinted = made === undefined || new RegExp(made, "u").test(String(value));
  return isPrinted && acceptor({ schema, root: schema })(value);
}

describe("schema of a column", () => {
  const examples = builtInTypes.flatMap(({ example: [, json], names }) =>
    // Each example is JSON.
    names.map((name) => [name, JSON.parse(json) as JsonValue] as const),
  );

  test.each(examples)("accepts the example of %s on the page of types: %j", (name, value) => {
    expect(isGiven(name, value)).toBe(true);
  });

  test.each([
    ["numeric", "NaN"],
    ["numeric", "-Infinity"],
    ["numeric", "-0.10"],
    ["date", "infinity"],
    ["date", "-infinity"],
    ["date", "+012026-01-02"],
    ["timestamp", "-000043-03-15T00:00:00.000001"],
    ["timestamptz", "+294276-12-31T23:59:59.999999Z"],
    ["timestamptz", "infinity"],
    ["time", "24:00:00"],
    ["timetz", "03:04:05.6-02:30:15"],
    ["interval", "P1Y-2M-3DT-4H-5M-6.000001S"],
    ["interval", "PT0S"],
    ["interval", "-infinity"],
    ["bytea", ""],
    ["bytea", "AA=="],
  ])("accepts extreme values that PostgreSQL prints for %s: %s", (name, value) => {
    expect(isGiven(name, value)).toBe(true);
  });

  test.each([
    ["timestamp", "2026-01-02T03:04:05Z"],
    ["date", "2026-01-02T03:04:05"],
    ["int8", "1.5"],
    ["time", "03:04:05Z"],
  ])("rejects another type's text in a column of %s: %s", (name, value) => {
    expect(isGiven(name, value)).toBe(false);
  });
});
