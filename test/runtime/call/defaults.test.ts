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

test("fills in absent values at every depth", () => {
  expect(withDefaults({ lines: [{ sku: "a" }, { sku: "b", quantity: 2 }] }, defaults)).toEqual({
    limit: 20,
    sort: { by: "time", descending: true },
    lines: [
      { sku: "a", quantity: 1 },
      { sku: "b", quantity: 2 },
    ],
  });
});

test("fills in undefined values, but not null, false, 0 or an empty text", () => {
  for (const limit of [null, false, 0, ""]) {
    expect(withDefaults({ limit, sort: null }, defaults)).toEqual({ limit, sort: null });
  }
  expect(withDefaults({ limit: undefined, sort: 1 }, defaults)).toEqual({ limit: 20, sort: 1 });
});

test("does not create an object without a default for the defaults inside it", () => {
  expect(withDefaults({}, defaults)).not.toHaveProperty("filter");
  expect(withDefaults({ filter: {} }, defaults)).toMatchObject({ filter: { status: "open" } });
});

test("treats `__proto__` as any other property", () => {
  const filled = withDefaults({}, hostile);
  expect(Object.getOwnPropertyNames(filled)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
});

test("creates a new default value for each call", () => {
  const [one, other] = [withDefaults({}, defaults), withDefaults({}, defaults)];
  expect(one).toEqual(other);
  expect(Object(one).sort).not.toBe(Object(other).sort);
});

test("returns the same value, not a copy, if nothing is missing", () => {
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

test("never changes the value, and gives the same result if it runs twice", () => {
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
