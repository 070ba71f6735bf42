import { expect, test } from "vitest";
import { inOrder } from "../../../../src/bindings/sql/pull/schema-objects.js";

const ordered = (nodes: Readonly<Record<string, readonly string[]>>) =>
  inOrder(Object.entries(nodes).map(([key, needs]) => ({ key, value: key, needs }))).join("");

test("objects follow the objects that they need, and otherwise keep their order", () => {
  expect(ordered({ a: [], b: ["d"], c: ["b"], d: [], e: [] })).toBe("adbce");
  expect(ordered({ a: ["c", "b"], b: [], c: ["b"] })).toBe("bca");
  expect(ordered({ a: ["elsewhere"], b: [] })).toBe("ab");
});

test("an object that needs itself is listed once", () => {
  expect(ordered({ a: ["b"], b: ["c"], c: ["a"], d: ["d", "a"] })).toBe("cbad");
});

test("a chain of objects may have any length", () => {
  const keys = Array.from({ length: 50_000 }, (_, index) => `${index} `);
  const nodes = Object.fromEntries(keys.map((key, index) => [key, [keys[index + 1] ?? ""]]));
  expect(ordered(nodes)).toBe(keys.toReversed().join(""));
});
