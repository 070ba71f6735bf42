import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Defaults, withDefaults } from "../../../src/runtime/call/defaults.js";

const defaults: Defaults = {
  properties: {
    limit: { value: 20 },
    sort: { value: { by: "time" }, inside: { properties: { descending: { value: true } } } },
    lines: { inside: { items: { properties: { quantity: { value: 1 } } } } },
    filter: { inside: { properties: { status: { value: "open" } } } },
  },
};
// In a literal `__proto__` would set the prototype.
const hostile: Defaults = JSON.parse('{"properties": {"__proto__": {"value": "own"}}}');

test("defaults fill in what is absent, at every depth", () => {
  expect(withDefaults({ lines: [{ sku: "a" }, { sku: "b", quantity: 2 }] }, defaults)).toEqual({
    limit: 20,
    sort: { by: "time", descending: true },
    lines: [
      { sku: "a", quantity: 1 },
      { sku: "b", quantity: 2 },
    ],
  });
});

test("defaults fill in what is undefined, and nothing in place of null, false, 0 or an empty text", () => {
  for (const limit of [null, false, 0, ""]) {
    expect(withDefaults({ limit, sort: null }, defaults)).toEqual({ limit, sort: null });
  }
  expect(withDefaults({ limit: undefined, sort: 1 }, defaults)).toEqual({ limit: 20, sort: 1 });
});

test("an object that has no default of its own is not made for those inside it", () => {
  expect(withDefaults({}, defaults)).not.toHaveProperty("filter");
  expect(withDefaults({ filter: {} }, defaults)).toMatchObject({ filter: { status: "open" } });
});

test("`__proto__` is a property like any other", () => {
  const filled = withDefaults({}, hostile);
  expect(Object.getOwnPropertyNames(filled)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
});

test("a default is a new value for each call", () => {
  const [one, other] = [withDefaults({}, defaults), withDefaults({}, defaults)];
  expect(one).toEqual(other);
  expect(Object(one).sort).not.toBe(Object(other).sort);
});

test("what needs nothing is the same value, not a copy", () => {
  const whole = { limit: 1, sort: { descending: false }, lines: [{ quantity: 3 }] };
  expect(withDefaults(whole, defaults)).toBe(whole);
});

const name = fc.constantFrom("limit", "sort", "lines", "filter", "__proto__", "descending", "a");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .array(fc.tuple(name, tie("value")), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));

test("the value itself never changes, and filling in twice is filling in once", () => {
  fc.assert(
    fc.property(value, (given) => {
      const before = JSON.stringify(given);
      const filled = withDefaults(deepFrozen(given), defaults);
      expect(JSON.stringify(given)).toBe(before);
      expect(withDefaults(filled, defaults)).toEqual(filled);
    }),
  );
});

function deepFrozen(from: unknown): unknown {
  if (typeof from === "object" && from !== null) Object.values(from).forEach(deepFrozen);
  return Object.freeze(from);
}
