import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/core/json.js";
import { read } from "./read.js";

function fault(at: string, name: string): string {
  return `error schema/impossible-required at ${at}: \`${name}\` is required, and no value fits its schema: no value can ever fit (change the schema of \`${name}\`, or leave it out of \`required\`)`;
}

function requiring(v: JsonValue): JsonObject {
  return { type: "object", properties: { v }, required: ["v"] };
}

const impossible: readonly JsonValue[] = [
  { type: "string", enum: [1] },
  { type: "string", const: 1 },
  { not: {} },
  false,
  { $ref: "#/$defs/none" },
  { allOf: [{ type: "string" }, { type: "number" }] },
];

test.each(impossible)("a required property that %j describes is told where it is required", (v) => {
  const schema = { ...requiring(v), $defs: { none: false } };
  expect(read(schema).lines).toEqual([fault('"v"', "v")]);
});

test("the innermost is told, once", () => {
  expect(read(requiring(requiring({ not: {} }))).lines).toEqual([fault('"v"', "v")]);
  const schema = {
    ...requiring(true),
    properties: { v: { ...requiring(false), required: ["v"] } },
  };
  expect(read(schema).lines).toHaveLength(1);
});

test("schemas beside each other can leave nothing", () => {
  const number = { properties: { v: { type: "number" } }, required: ["v"] };
  const schema = { type: "object", properties: { v: { type: "string" } }, allOf: [number] };
  expect(read(schema).lines).toEqual([fault('"v"', "v")]);
});

test.each([
  { type: "object", properties: { v: false } },
  { type: ["object", "null"], properties: { v: false }, required: ["v"] },
  { anyOf: [requiring(false), requiring({ type: "string" })] },
  { type: "object", properties: { a: requiring(false) } },
  requiring({ type: ["string", "integer"], enum: [1] }),
  { not: requiring(false) },
] as readonly JsonObject[])("%j leaves a way to fit", (schema) => {
  expect(read(schema).lines).toEqual([]);
});
