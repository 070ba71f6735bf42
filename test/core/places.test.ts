import { expect, test } from "vitest";
import { moved, movesBetween, withoutPlaces } from "../../src/core/places.js";

const span = (start: number, end: number, file = "SKILL.md") => ({ file, start, end });
/** A text of ten characters whose spelling is itself. */
const textAt = (start: number, skew = 0) => ({
  value: "abcdefghij",
  span: span(start, start + 12),
  origin: [[0, start + 1 + skew]],
});
const model = (by: number) => ({
  name: { text: "a", span: span(5 + by, 8 + by) },
  query: textAt(20 + by),
});

test("a model without places is the same wherever it stands, and an author's data counts whatever it looks like", () => {
  expect(withoutPlaces(model(7))).toBe(withoutPlaces(model(0)));
  const schema = (value: unknown) => ({
    kind: "schema",
    schema: { default: value },
    span: span(0, 9),
    places: {},
  });
  expect(withoutPlaces(schema(span(1, 2)))).not.toBe(withoutPlaces(schema(span(1, 3))));
});

test("a place moves with the part that it is of, and one within a text with the text", () => {
  const moves = movesBetween(model(0), model(7));
  const found = { at: span(5, 8), inside: [{ at: span(23, 25) }], query: textAt(20), count: 3 };
  expect(moved(found, moves)).toEqual({
    at: span(12, 15),
    inside: [{ at: span(30, 32) }],
    query: textAt(27),
    count: 3,
  });
});

test("a place within a text goes with it to another file, as when a skill's folder is renamed", () => {
  const query = textAt(20);
  const after = { query: { ...query, span: { ...query.span, file: "metadata.json" } } };
  expect(moved(span(23, 25), movesBetween({ query }, after))).toEqual(
    span(23, 25, "metadata.json"),
  );
});

test.each([
  ["of no part", model(7), span(100, 101)],
  ["of another file", model(7), span(23, 25, "other.yaml")],
  ["within a part whose spelling isn't known", model(7), span(6, 7)],
  [
    "within a text that is spelt otherwise now",
    { ...model(7), query: textAt(27, 1) },
    span(23, 25),
  ],
])("a place %s has no new position, nor has a value that contains it", (_, after, at) => {
  expect(moved({ at, more: 1 }, movesBetween(model(0), after))).toBeUndefined();
});

test("a place that two parts share has no new position if they move to two others", () => {
  const before = { one: span(1, 2), other: span(1, 2) };
  expect(moved(span(1, 2), movesBetween(before, { one: span(3, 4), other: span(3, 4) }))).toEqual(
    span(3, 4),
  );
  expect(
    moved(span(1, 2), movesBetween(before, { one: span(3, 4), other: span(5, 6) })),
  ).toBeUndefined();
});
