import { describe, expect, test } from "vitest";
import { lookUp, propertyNames } from "../../src/schema/look-up.js";
import { mustRead } from "./read.js";

const order = mustRead({
  type: "object",
  additionalProperties: false,
  required: ["id", "lines"],
  properties: {
    id: { type: "string" },
    size: { type: "integer", default: 1 },
    note: { type: ["string", "null"] },
    status: { enum: ["open", "paid", null] },
    lines: { type: "array", items: { $ref: "#/$defs/line" } },
    pair: {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: false,
      minItems: 1,
    },
    open: { type: "object", properties: { known: { type: "boolean" } } },
    counts: { type: "object", additionalProperties: { type: "number" } },
    either: {
      oneOf: [
        {
          type: "object",
          required: ["a"],
          properties: { a: { type: "string" } },
          additionalProperties: false,
        },
        {
          type: "object",
          required: ["a", "b"],
          properties: { a: { type: "number" }, b: {} },
          additionalProperties: false,
        },
      ],
    },
    merged: { allOf: [{ $ref: "#/$defs/line" }, { required: ["sku"] }] },
  },
  $defs: {
    line: {
      type: "object",
      properties: { sku: { type: "string" }, parent: { $ref: "#/$defs/line" } },
      additionalProperties: false,
    },
  },
});

describe("lookUp", () => {
  test.each([
    [["id"], { presence: "always", types: ["string"], known: true, schema: "/properties/id" }],
    [
      ["note"],
      { presence: "sometimes", types: ["string", "null"], known: true, schema: "/properties/note" },
    ],
    [["size"], { presence: "always", types: ["integer"], known: true, schema: "/properties/size" }],
    [
      ["status"],
      {
        presence: "sometimes",
        types: ["string", "null"],
        known: true,
        enum: ["open", "paid", null],
        schema: "/properties/status",
      },
    ],
    [["missing"], { presence: "never", types: [], known: true }],
    [["id", "length"], { presence: "never", types: [], known: true }],
    [
      ["lines", 0],
      { presence: "sometimes", types: ["object"], known: true, schema: "/properties/lines/items" },
    ],
    [
      ["lines", 0, "sku"],
      {
        presence: "sometimes",
        types: ["string"],
        known: true,
        schema: "/$defs/line/properties/sku",
      },
    ],
    [
      ["lines", 0, "parent", "parent", "sku"],
      {
        presence: "sometimes",
        types: ["string"],
        known: true,
        schema: "/$defs/line/properties/sku",
      },
    ],
    [["lines", "length"], { presence: "never", types: [], known: true }],
    [["lines", -1], { presence: "never", types: [], known: true }],
    [["pair", 0], { presence: "sometimes", types: ["string"], known: true }],
    [["pair", 2], { presence: "never", types: [], known: true }],
    [
      ["open", "known"],
      {
        presence: "sometimes",
        types: ["boolean"],
        known: true,
        schema: "/properties/open/properties/known",
      },
    ],
    [
      ["open", "other"],
      {
        presence: "sometimes",
        types: ["string", "number", "boolean", "null", "array", "object"],
        known: false,
      },
    ],
    [
      ["open", "toString"],
      {
        presence: "sometimes",
        types: ["string", "number", "boolean", "null", "array", "object"],
        known: false,
      },
    ],
    [["counts", "any"], { presence: "sometimes", types: ["number"], known: true }],
    [["either", "a"], { presence: "sometimes", types: ["string", "number"], known: true }],
    [
      ["merged", "sku"],
      {
        presence: "sometimes",
        types: ["string"],
        known: true,
        schema: "/$defs/line/properties/sku",
      },
    ],
  ] as const)("finds the facts about the path %j", (path, expected) => {
    expect(lookUp(order, path, "filled")).toEqual(expected);
  });

  test("knows a property with a default to be there only once it is filled in", () => {
    expect(lookUp(order, ["size"], "input").presence).toBe("sometimes");
    expect(lookUp(order, ["size"], "stated").presence).toBe("sometimes");
  });

  test("knows to be there what every alternative has", () => {
    const either = mustRead({
      oneOf: [
        { type: "object", required: ["a"] },
        { type: "object", required: ["a"], properties: { a: { const: 1 } } },
      ],
    });
    expect(lookUp(either, ["a"])).toMatchObject({ presence: "always" });
    const root = mustRead({ required: ["a"] });
    expect(lookUp(root, ["a"])).toMatchObject({ presence: "sometimes" });
  });

  test("handles schemas that allow anything or nothing", () => {
    expect(lookUp(mustRead(true), ["a", 0])).toMatchObject({ presence: "sometimes", known: false });
    expect(lookUp(mustRead(false), ["a"])).toEqual({ presence: "never", types: [], known: true });
  });
});

test("propertyNames lists what is declared at a path", () => {
  expect(propertyNames(order, ["lines", 0])).toEqual(["sku", "parent"]);
  expect(propertyNames(order, ["either"])).toEqual(["a", "b"]);
  expect(propertyNames(order, ["id"])).toEqual([]);
});

test("propertyNames gathers the names of a place once: bindings ask again for each reference", () => {
  expect(propertyNames(order, [])).toBe(propertyNames(order, []));
});

test("a lookup follows each reference once, however many ways lead to it", () => {
  const names = Array.from({ length: 40 }, (_, index) => `d${index}`);
  const $defs = Object.fromEntries(
    names.map((name, index) => [
      name,
      {
        anyOf: [
          {
            type: "object",
            properties: { [name]: { type: "string" }, again: { $ref: "#/$defs/d0" } },
          },
          ...names.slice(index + 1).map((other) => ({ $ref: `#/$defs/${other}` })),
        ],
      },
    ]),
  );
  const schema = { $ref: "#/$defs/d0", $defs };
  const all = propertyNames({ ...order, schema }, ["again", "again"]);
  expect(all.filter((each) => each !== "again")).toEqual(names);
});
