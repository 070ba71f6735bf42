import { expect, test } from "vitest";
import { contextFieldOf } from "../../src/policy/context-field.js";
import { cedarValue, roundedPlaces } from "../../src/runtime/governance/cedar/context.js";
import { withInt64Text } from "../../src/schema/int64-text.js";
import { mustRead } from "../schema/read.js";

const fieldOf = (id: object) => {
  const model = mustRead({ type: "object", required: ["id"], properties: { id } } as never);
  return contextFieldOf({ ...model, schema: withInt64Text(model.schema) });
};

test.each([
  [{ type: "integer", format: "int64" }],
  [{ type: "integer", format: "int64", enum: [1, 2] }],
  [{ type: "integer", format: "uint64" }],
])("an integer of 64 bits that is text is a Long: %j", (id) => {
  expect(fieldOf(id)).toEqual({
    as: "record",
    fields: [{ name: "id", field: { as: "long" }, required: true }],
  });
});

test("text of another schema stays a String", () => {
  expect(fieldOf({ type: "string", format: "int64" })).toMatchObject({
    fields: [{ field: { as: "string" } }],
  });
});

test.each([
  ["5", true],
  ["-9007199254740991", true],
  ["653247040368672768", "rawJSON" in JSON],
  ["9223372036854775807", "rawJSON" in JSON],
  ["9223372036854775808", false],
])("a policy sees each digit of %s, or the value counts as rounded", (digits, isHeld) => {
  const rounded = { any: false };
  const value = cedarValue({ as: "long" }, digits, rounded);
  expect(rounded.any).toBe(!isHeld);
  expect(roundedPlaces({ as: "long" }, digits)).toEqual(isHeld ? [] : [[]]);
  expect(JSON.stringify(value)).toBe(isHeld ? digits : "9007199254740991");
});
