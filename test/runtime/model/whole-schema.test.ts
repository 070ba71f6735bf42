import { expect, test } from "vitest";
import { wholeSchema } from "../../../src/runtime/model/whole-schema.js";

const definitions = {
  order: { type: "object", properties: { lines: { items: { $ref: "#/$defs/line" } } } },
  line: { type: "object", properties: { order: { $ref: "#/$defs/order" } } },
  other: { type: "string" },
};

test("puts into a schema all that it refers to, through others too, and nothing else", () => {
  const whole = wholeSchema({ $ref: "#/$defs/order" }, definitions);
  expect(whole).toEqual({
    $ref: "#/$defs/order",
    $defs: { order: definitions.order, line: definitions.line },
  });
});

test("keeps a schema's own definitions, and treats no text as a reference", () => {
  const own = { $defs: { line: true }, items: { $ref: "#/$defs/line" } };
  expect(wholeSchema(own, definitions)).toBe(own);
  const listed = { enum: [{ $ref: "#/$defs/other" }], default: { $ref: "#/$defs/other" } };
  expect(wholeSchema(listed, definitions)).toBe(listed);
});

test("follows references below parameters that have names of keywords", () => {
  const properties = { default: { $ref: "#/$defs/other" }, enum: { $ref: "#/$defs/line" } };
  const whole = wholeSchema({ properties }, definitions);
  expect(whole).toMatchObject({ properties, $defs: definitions });
});

test("passes over what no definition has, and names of every object", () => {
  const missing = { allOf: [{ $ref: "#/$defs/toString" }, { $ref: "#/$defs/__proto__" }] };
  expect(wholeSchema(missing, definitions)).toBe(missing);
  expect(wholeSchema(true, definitions)).toBe(true);
});
