import { describe, expect, test } from "vitest";
import type { JsonObject, JsonSchema } from "../../../src/core/json.js";
import { compare } from "../../../src/schema/compare/compare.js";
import { notPromised } from "../../../src/schema/compare/mismatch.js";

const told = (given: JsonSchema, wanted: JsonSchema) =>
  notPromised(compare({ schema: given, root: given }, { schema: wanted, root: wanted })).map(
    ({ fits, given: has, path, wanted: asks }) => `${fits} ${path.length}: ${has}; ${asks}`,
  );

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

describe("recursion", () => {
  const named = (title: string, $defs: JsonObject): JsonSchema => ({
    title,
    allOf: Object.keys($defs).map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs,
  });
  const node = (name: string, value: JsonSchema) => ({
    type: "object",
    properties: { [name]: value, next: { $ref: `#/$defs/${name}` } },
  });

  test("ends through `allOf`", () => {
    const [text, integer] = ["string", "integer"].map((type) => ({ type }));
    const all = (title: string, a: JsonObject = {}) =>
      named(title, { a: node("a", a), b: node("b", text ?? {}), c: node("c", integer ?? {}) });
    expect(told(all("one", text), all("other", text))).toEqual([]);
    expect(told(all("one", text), all("other", integer))).toEqual([
      "no 1: may be a string; takes an integer",
      "no 2: may be a string; takes an integer",
    ]);
  });

  test("ends under `not`", () => {
    const root = (title: string) => ({
      title,
      type: "object",
      not: { $ref: "#/$defs/T" },
      $defs: { T: { type: "object", properties: { a: { $ref: "#/$defs/T" } }, required: ["a"] } },
    });
    expect(told(root("one"), root("other"))).toEqual([]);
  });

  test("ends in two branches of a tree", () => {
    const tree = (leaf: JsonSchema): JsonSchema => ({
      $ref: "#/$defs/A0",
      $defs: Object.fromEntries(
        many(40, (at) => {
          const next = { $ref: `#/$defs/A${at + 1}` };
          const properties = at === 39 ? { leaf } : { l: next, r: next };
          return [`A${at}`, { type: "object", properties }];
        }),
      ),
    });
    expect(told(tree({ type: "string" }), tree({ type: "string", title: "x" }))).toEqual([]);
    expect(told(tree({ type: "string" }), tree({ type: "integer" })).length).toBe(50);
  });

  test("ends under a property", () => {
    const node = (value: JsonSchema) => ({
      $ref: "#/$defs/node",
      $defs: { node: { type: "object", properties: { value, next: { $ref: "#/$defs/node" } } } },
    });
    expect(told(node({ type: "string" }), node({ type: "string" }))).toEqual([]);
    expect(told(node({ type: "string" }), node({ type: "integer" }))).toEqual([
      "no 1: may be a string; takes an integer",
      "no 2: may be a string; takes an integer",
    ]);
  });
});
