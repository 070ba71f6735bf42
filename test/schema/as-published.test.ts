import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { publishedSchema } from "../../src/schema/as-published.js";
import { mustRead } from "./read.js";

const model = mustRead({
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  required: ["a", "b"],
  properties: {
    a: { $ref: "#/definitions/t", "x-sensitive": true },
    b: { type: "integer", default: 1, description: "How many." },
  },
  definitions: { t: { type: "string" } },
});

test("a model is offered a 2020-12 document that stands alone", () => {
  const published = publishedSchema(model, { id: "urn:skillc:demo/place-order" });
  expect(published).toEqual({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:skillc:demo/place-order",
    type: "object",
    required: ["a"],
    properties: {
      a: { $ref: "#/$defs/t" },
      b: { type: "integer", default: 1, description: "How many." },
    },
    $defs: { t: { type: "string" } },
  });
  expect(new Ajv2020().validate(published, { a: "x" })).toBe(true);
});

test("results are published as they are stated", () => {
  expect(publishedSchema(model, { id: "urn:x", form: "stated" })["required"]).toEqual(["a", "b"]);
});

test("boolean schemas become objects", () => {
  expect(publishedSchema(mustRead(true), { id: "urn:x" })).toEqual({
    $schema: expect.any(String),
    $id: "urn:x",
  });
  expect(publishedSchema(mustRead(false), { id: "urn:x" })).toMatchObject({ not: {} });
});
