import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  masked,
  maskedInShape,
  maskedLeaves,
  maskedPlace,
  withMaskedPlaces,
  withoutShapes,
} from "../../../src/runtime/call/mask.js";

test("masking puts stars in place of what stands at the paths, whatever it is", () => {
  const card = { number: "4111", holder: { name: "Ada" }, codes: [1, 2], note: null };
  expect(masked({ card, id: 7 }, [["card", "number"]])).toEqual({
    card: { ...card, number: "***" },
    id: 7,
  });
  expect(masked({ card, id: 7 }, [["card"], ["id"]])).toEqual({ card: "***", id: "***" });
  expect(masked({ card }, [["card", "codes", "*"]])).toMatchObject({
    card: { codes: ["***", "***"] },
  });
  expect(masked({ card }, [["card", "*"]])).toEqual({
    card: { number: "***", holder: "***", codes: "***", note: "***" },
  });
  expect(masked("4111", [[]])).toBe("***");
});

test("an unknown path masks nothing", () => {
  const value = { a: 1, list: [{ b: 2 }] };
  const paths = [["b"], ["a", "b"], ["list", "b"], ["toString"], ["__proto__", "x"]];
  expect(masked(value, paths)).toEqual(value);
  expect(masked(value, undefined)).toBe(value);
});

test("a step into a list is `*`, and a property may be called so", () => {
  expect(masked({ list: [{ pin: 1 }, { pin: 2, x: 3 }] }, [["list", "*", "pin"]])).toEqual({
    list: [{ pin: "***" }, { pin: "***", x: 3 }],
  });
  expect(masked({ "*": 1 }, [["*"]])).toEqual({ "*": "***" });
});

test("`__proto__` is a property like any other", () => {
  const value: unknown = JSON.parse('{"__proto__": {"pin": 1}, "a": 2}');
  expect(JSON.stringify(masked(value, [["__proto__", "pin"]]))).toBe(
    '{"__proto__":{"pin":"***"},"a":2}',
  );
});

test("masking never changes the value itself", () => {
  const path = fc.array(fc.constantFrom("a", "b", "*", "__proto__"), { maxLength: 4 });
  const value = fc.object({ key: fc.constantFrom("a", "b", "__proto__"), maxDepth: 3 });
  fc.assert(
    fc.property(value, fc.array(path, { maxLength: 3 }), (given, paths) => {
      const before = JSON.stringify(given);
      masked(given, paths);
      expect(JSON.stringify(given)).toBe(before);
    }),
  );
});

test("a builder reads a masked property by its name and finds `***` when it lists the names", () => {
  const given = { secret: { "john@x.org": 1, card: { digits: [4, 1] }, toJSON: "x" } };
  // The shape of what was given, with text in the place of scalars.
  const { secret } = maskedInShape(given, [["secret"]]) as typeof given;
  expect(secret.card.digits).toHaveLength(2);
  expect(secret.card.digits[0]).toBe("***");
  expect(Object.hasOwn(secret, "john@x.org")).toBe(true);
  expect(Object.entries(secret)).toEqual([["***", "***"]]);
  expect({ ...secret }).toEqual({ "***": "***" });
  expect(JSON.stringify({ secret, list: secret.card.digits })).toBe(
    '{"secret":"***","list":"***"}',
  );
  expect(withoutShapes({ a: [secret], b: secret.card.digits, c: 1 })).toEqual({
    a: ["***"],
    b: "***",
    c: 1,
  });
});

test("the ledger searches for the values of a masked object, and for its names that are no words", () => {
  const given = { secret: { "john@x.org": "a", card_holder: ["b", 2], tok_1: null } };
  expect(maskedLeaves(given, [["secret"]])).toEqual(["john@x.org", "tok_1", "a", "b", 2]);
});

test.each([
  [[["secret"]], "/secret/john@x.org", "/secret/***"],
  [[["secret"]], "/secret/a~1b/c", "/secret/***"],
  [[["secret"]], "/a/0/secret/b", "/a/0/secret/***"],
  [[["secret"]], "/secret", "/secret"],
  [[["secret"]], "/other/b", "/other/b"],
  [[["list", "*", "pin"]], "/list/0/pin/x", "/list/0/pin/***"],
  [[["map", "*"]], "/map/x", "/map/***"],
  [[[]], "/a/b", "/***"],
  [[["*"]], "", ""],
  [[], "/a/b", "/a/b"],
])(
  "a place is shown without names inside of what is masked: with %j masked, %j is shown as %j",
  (paths, pointer, shown) => {
    expect(maskedPlace(paths)(pointer)).toBe(shown);
  },
);

test("a missing property keeps its name, and the names around it are masked", () => {
  const missing = { keyword: "required", message: "is missing" };
  const problems = [
    { ...missing, pointer: "/card/number" },
    { ...missing, pointer: "/card/john@x.org/number" },
  ];
  expect(withMaskedPlaces(problems, [["card"]]).map(({ pointer }) => pointer)).toEqual([
    "/card/number",
    "/card/***/number",
  ]);
});
