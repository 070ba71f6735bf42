/** Large, deep or recursive schemas: a part that was not compared never counts as fitting. */
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonSchema } from "../../../src/core/json.js";
import { compareInFull, compare } from "../../../src/schema/compare/compare.js";
import { notPromised } from "../../../src/schema/compare/mismatch.js";

const told = (given: JsonSchema, wanted: JsonSchema) =>
  notPromised(compare({ schema: given, root: given }, { schema: wanted, root: wanted })).map(
    ({ fits, given: has, path, wanted: asks }) => `${fits} ${path.length}: ${has}; ${asks}`,
  );

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

const nested = (depth: number, schema: JsonSchema): JsonSchema =>
  many(depth, (at) => at).reduce<JsonSchema>((items) => ({ type: "array", items }), schema);

describe("a schema that is too large to compare", () => {
  const unseen = (depth: number) =>
    `unsure ${depth}: is too large to compare; might not accept all of it`;
  const deep = (type: string) => nested(300, { type });

  test("causes one uncertain mismatch", () => {
    expect(told(deep("integer"), deep("boolean"))).toEqual([unseen(201)]);
    const both = (each: JsonSchema) => ({ type: "object", properties: { a: each, b: each } });
    expect(told(both(deep("integer")), both(deep("null")))).toEqual([unseen(201)]);
  });

  test("fits no branch of a `oneOf`, and no condition", () => {
    const oneOf = [deep("boolean"), deep("null"), { type: "array" }];
    expect(told(deep("integer"), { oneOf })).toEqual([]);
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema has a keyword of that name
    const condition = { type: "array", if: deep("boolean"), then: { maxItems: 9 }, else: false };
    expect(told({ allOf: [deep("integer"), { maxItems: 1 }] }, condition).length).toBe(1);
  });

  test("includes the combined branches of several unions", () => {
    const pairs = (prefix: string): JsonSchema => ({
      allOf: many(22, (at) => ({
        anyOf: ["a", "b"].map((name) => ({
          type: "object",
          properties: { [`${prefix}${name}${at}`]: { type: "string" } },
        })),
      })),
    });
    expect(told({ type: "object" }, pairs("x"))).toEqual([unseen(0)]);
    expect(told(pairs("x"), { type: "object" })).toEqual([unseen(0)]);
    expect(told(pairs("x"), pairs("x"))).toEqual([]);
  });

  test("does not include one that nests as deep as files may", () => {
    expect(told(nested(66, { type: "boolean" }), nested(66, { type: "integer" }))).toEqual([
      "no 66: may be a boolean; takes an integer",
    ]);
  });
});

describe("a union of many branches", () => {
  const forms = (count: number, bad = -1): JsonSchema[] =>
    many(count, (at) => ({
      type: "object",
      additionalProperties: false,
      required: ["kind", "p0"],
      properties: {
        kind: { const: `k${at}` },
        ...Object.fromEntries(
          many(9, (part) => [
            `p${part}`,
            { type: at === bad && part === 0 ? "integer" : "string", title: `of ${bad}` },
          ]),
        ),
      },
    }));

  test.each(["anyOf", "oneOf"])("matches each branch with its counterpart: %s", (keyword) => {
    expect(told({ [keyword]: forms(80) }, { [keyword]: forms(80) })).toEqual([]);
    expect(told({ [keyword]: forms(80, 80) }, { [keyword]: forms(80) })).toEqual([]);
    expect(told({ [keyword]: forms(80, 79) }, { [keyword]: forms(80) })).toEqual([
      "some 1: may be an integer; takes a string",
    ]);
  });

  test("causes a mismatch if values fit two branches of a `oneOf`", () => {
    const open = { type: "object", properties: { kind: { type: "string" } } };
    expect(told({ anyOf: forms(2, 2) }, { oneOf: [...forms(2), open] })).toEqual(
      many(2, () => "no 0: fits several forms of `oneOf`; allows exactly one"),
    );
  });
});

test("keeps the certain mismatches among many", () => {
  const object = (last: string): JsonObject => ({
    type: "object",
    properties: Object.fromEntries(
      many(60, (at) => [`p${at}`, { type: at === 59 ? last : "integer", maximum: 9 }]),
    ),
  });
  const given = JSON.parse(JSON.stringify(object("boolean")).replaceAll(',"maximum":9', ""));
  const [one, other] = [given as JsonObject, object("integer")].map((each) => ({
    schema: each,
    root: each,
  }));
  if (one === undefined || other === undefined) throw new Error("two schemas");
  const { isCut, mismatches: found } = compareInFull(one, other);
  expect([isCut, found.length, found[0]?.path]).toEqual([true, 50, ["p59"]]);
  expect(compareInFull(other, other)).toEqual({ isCut: false, mismatches: [] });
});
