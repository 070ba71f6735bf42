import { expect, test } from "vitest";
import { masked } from "../../src/runtime/call/mask.js";
import { maskedPaths } from "../../src/schema/masked-paths.js";
import { mustRead } from "./read.js";

test("marked values are found wherever they may stand", () => {
  const model = mustRead({
    type: "object",
    properties: {
      password: { type: "string", writeOnly: true },
      card: {
        anyOf: [
          { type: "object", properties: { number: { "x-sensitive": true }, name: {} } },
          { type: "null" },
        ],
      },
      people: { type: "array", items: { $ref: "#/$defs/person" } },
      headers: { type: "object", additionalProperties: { "x-sensitive": true } },
    },
    $defs: { person: { properties: { ssn: { writeOnly: true } } } },
  });
  expect(maskedPaths(model)).toEqual([
    ["password"],
    ["card", "number"],
    ["headers", "*"],
    ["people", "*", "ssn"],
  ]);
});

test("a schema without marks masks nothing", () => {
  expect(maskedPaths(mustRead({ properties: { writeOnly: { type: "boolean" } } }))).toEqual([]);
});

test("a recursive schema hides what it would repeat", () => {
  const model = mustRead({
    properties: { secret: { writeOnly: true }, name: {}, children: { items: { $ref: "#" } } },
  });
  const paths = maskedPaths(model);
  expect(paths).toEqual([["secret"], ["children", "*"]]);
  expect(masked({ secret: 1, name: "a", children: [{ secret: 2 }] }, paths)).toEqual({
    secret: "***",
    name: "a",
    children: ["***"],
  });
});

test("a schema that repeats itself exponentially ends", () => {
  const levels = Array.from(
    { length: 30 },
    (_, level) =>
      [
        `d${level}`,
        {
          properties: {
            a: { $ref: `#/$defs/d${level + 1}` },
            b: { $ref: `#/$defs/d${level + 1}` },
          },
        },
      ] as const,
  );
  const model = mustRead({
    $ref: "#/$defs/d0",
    $defs: { ...Object.fromEntries(levels), d30: { writeOnly: true } },
  });
  const deep = (level: number): unknown => (level === 0 ? "secret" : { a: deep(level - 1), b: 1 });
  expect(JSON.stringify(masked(deep(30), maskedPaths(model)))).not.toContain("secret");
});
