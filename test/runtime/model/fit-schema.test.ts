import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRuntime, offerTools } from "../../../src/runtime/index.js";
import type { JsonValue } from "../../../src/runtime/json/json.js";
import { fitSchema, jsonBytes } from "../../../src/runtime/model/fit-schema.js";
import { toModelSchema } from "../../../src/runtime/model/model-schema.js";
import { catalog } from "../../../generated/index.js";
import { compile, judge } from "./judge-schema.js";
import { rejectionsOf } from "./provider-rules.js";
import { skill, tool } from "./example-catalog.js";

const runtime = createRuntime({ ledger: false, inherit: false });

const order = {
  type: "object",
  required: ["id", "lines"],
  properties: {
    id: { type: "string", description: "Id of the order." },
    lines: {
      type: "array",
      description: "The lines.",
      items: { $ref: "#/$defs/line" },
    },
    customer: {
      type: "object",
      description: "Who ordered it.",
      required: ["name"],
      properties: {
        name: { type: "string", description: "Full name of the customer." },
        address: {
          type: "object",
          description: "Where the customer lives.",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
    },
    history: { $ref: "#/$defs/history" },
  },
  $defs: {
    line: {
      type: "object",
      required: ["article"],
      properties: {
        article: { type: "string", description: "Number of the article." },
        options: {
          type: "array",
          items: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
        },
      },
    },
    history: {
      type: "array",
      description: "Earlier orders.",
      items: { type: "object", properties: { at: { type: "string" }, note: { type: "string" } } },
    },
  },
};

const whole = toModelSchema(order).schema;
const bytes = jsonBytes(whole);

describe("a schema that is too large", () => {
  test("stays as it is if it fits", () => {
    expect(fitSchema(whole, bytes)).toBe(whole);
  });

  test("loses the deepest descriptions first", () => {
    const { $defs, properties } = fitSchema(whole, bytes - 20);
    const text = JSON.stringify({ $defs, properties });
    expect(text).not.toContain("Number of the article.");
    expect(text).toContain("Full name of the customer.");
    expect(text).toContain("Who ordered it.");
  });

  test("keeps the descriptions of the parameters longer than the content of optional ones", () => {
    const { $defs, properties } = fitSchema(whole, 830);
    expect(properties).toMatchObject({
      id: order.properties.id,
      customer: {
        type: "object",
        description: "Who ordered it.",
        required: ["name"],
        properties: { name: { type: "string" } },
      },
    });
    expect($defs).toMatchObject({ line: { required: ["article"], properties: { article: {} } } });
  });

  test("keeps the first optional properties of a depth, as many as fit", () => {
    const content = {
      type: "object",
      required: ["long"],
      properties: { long: { enum: ["x".repeat(300)] } },
    };
    const properties = {
      a: content,
      b: { $ref: "#/$defs/b" },
      c: { items: { $ref: "#/$defs/c" } },
    };
    const schema = toModelSchema({ type: "object", properties, $defs: { b: content, c: content } });
    expect(fitSchema(schema.schema, 1050)).toMatchObject({
      properties: { a: {}, b: { $ref: "#/$defs/b" }, c: { description: "Left out here." } },
      $defs: { b: {} },
    });
    const least = fitSchema(schema.schema, 1);
    expect(Object.keys(least)).toEqual(["type", "properties"]);
  });

  test("keeps what a call needs, whatever the limit", () => {
    const { $defs, properties } = fitSchema(whole, 1);
    expect(properties).toEqual({
      id: { type: "string" },
      lines: { type: "array", items: { $ref: "#/$defs/line" } },
      customer: { type: "object", description: "Left out here." },
      history: {
        type: "array",
        items: {},
        description: "Left out here.",
      },
    });
    expect($defs).toEqual({
      line: {
        type: "object",
        required: ["article"],
        properties: {
          article: { type: "string" },
          options: { type: "array", items: {}, description: "Left out here." },
        },
      },
    });
  });

  test("loses nothing that another part of the schema requires", () => {
    const inner = {
      type: "object",
      required: ["long"],
      properties: { long: { enum: ["x".repeat(300)] } },
    };
    const schema = { type: "object", allOf: [{ properties: { a: inner } }, { required: ["a"] }] };
    const wrapped = toModelSchema(schema).schema;
    expect(JSON.stringify(fitSchema(wrapped, 1))).toContain("xxx");
  });

  test.each(["not", "if", "contains"])(
    "keeps a oneOf below %s, because anyOf accepts more",
    (keyword) => {
      const inner = { oneOf: [{ type: "string" }, { minLength: 2 }] };
      const schema = { type: "object", required: ["c"], properties: { c: { [keyword]: inner } } };
      const fitting = fitSchema(toModelSchema(schema).schema, 1);
      expect(fitting.properties).toEqual({ c: { [keyword]: inner } });
    },
  );

  test("changes no schema that a value must not fit", () => {
    const not = {
      properties: { a: { type: "object", properties: { b: { const: "x".repeat(300) } } } },
    };
    const schema = { type: "object", properties: { c: { not } } };
    const fitting = fitSchema(toModelSchema({ ...schema, required: ["c"] }).schema, 1);
    expect(fitting.properties).toEqual({ c: { not } });
  });
});

const name = fc.constantFrom("a", "b", "c", "__proto__");
const { schema: anySchema } = fc.letrec<{ schema: JsonValue }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.constantFrom<JsonValue>(
      true,
      { type: "string", description: "Some text." },
      { type: "array", items: {} },
    ),
    fc
      .constantFrom("#/$defs/a", "#/$defs/b", "#/properties/a")
      .map(($ref): JsonValue => ({ $ref })),
    fc
      .record(
        {
          type: fc.constant("object"),
          description: fc.constant("An object with a long description that takes some bytes."),
          properties: fc.array(fc.tuple(name, tie("schema"))).map(Object.fromEntries),
          required: fc.uniqueArray(name, { maxLength: 2 }),
          additionalProperties: tie("schema"),
        },
        { requiredKeys: ["properties"] },
      )
      .map((each) => each as JsonValue),
    fc
      .tuple(
        fc.constantFrom("anyOf", "allOf", "oneOf"),
        fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
      )
      .map(([key, all]): JsonValue => ({ [key]: all })),
    tie("schema").map((not): JsonValue => ({ not })),
  ),
}));
const anyRoot = fc
  .tuple(anySchema, anySchema, anySchema)
  .map(([own, a, b]) => ({ ...(typeof own === "object" && own), $defs: { a, b } }) as JsonValue);
const anyValue = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<JsonValue>("t", 1, null),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.array(fc.tuple(name, tie("value")), { maxLength: 3 }).map(Object.fromEntries),
  ),
})).value;

test("a trimmed schema accepts every value of the schema, and APIs accept it", () => {
  const seen = { trimmed: 0, accepted: 0 };
  fc.assert(
    fc.property(anyRoot, fc.array(anyValue, { maxLength: 4 }), fc.nat(600), (root, all, most) => {
      const { schema } = toModelSchema(root);
      const before = compile(schema);
      fc.pre(before !== undefined);
      const trimmed = fitSchema(schema, most);
      expect(rejectionsOf([{ name: "a", description: "", input_schema: trimmed }])).toEqual([]);
      const after = compile(trimmed);
      if (after === undefined) throw new Error("a reference broke");
      if (trimmed !== schema) seen.trimmed += 1;
      for (const value of all) {
        if (judge(before, value) !== true) continue;
        expect(judge(after, value)).toBe(true);
        seen.accepted += 1;
      }
    }),
    { numRuns: 250 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
});

test("offerTools obeys the limit for each tool, with the parameters that it adds", async () => {
  const desk = skill("desk", {
    tools: [tool("do", { input_schema: order, capabilities: [], next_parameter: "next" })],
  });
  const offer = (maxBytes?: number) =>
    offerTools({ skills: [desk] }, { runtime, ...(maxBytes !== undefined && { maxBytes }) });
  const [all] = await offer();
  const [less] = await offer(900);
  expect(jsonBytes(all?.input_schema ?? {})).toBeGreaterThan(900);
  expect(jsonBytes(less?.input_schema ?? {})).toBeLessThanOrEqual(900);
  expect(less?.input_schema).toMatchObject({ properties: { id: {}, next: {} } });
  expect(await offer(900)).toEqual([less]);
  expect(await offer(1_000_000)).toEqual([all]);
});

test.each([0, -1, Number.NaN, "64KiB"])("offerTools rejects %j as a limit", async (maxBytes) => {
  const call = offerTools(catalog, { runtime, maxBytes: maxBytes as number });
  await expect(call).rejects.toThrow("`maxBytes` must be a number of bytes");
});

test("a large schema is trimmed in time, however deep and wide it is", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 2000 }, (_, at) => [
      `d${at}`,
      {
        type: "object",
        description: "x".repeat(100),
        properties: {
          next: { $ref: `#/$defs/d${(at + 1) % 2000}` },
          other: { $ref: `#/$defs/d${(at * 7) % 2000}` },
        },
      },
    ]),
  );
  const schema = { type: "object" as const, properties: { a: { $ref: "#/$defs/d0" } }, $defs };
  expect(jsonBytes(fitSchema(schema, 10_000))).toBeLessThanOrEqual(10_000);
});

test("a trimmed schema with both oneOf and anyOf rejects no value of the schema", () => {
  const alternative = (kind: number): JsonValue => ({
    type: "object",
    properties: {
      size: { type: "object", required: ["kind"], properties: { kind: { const: kind } } },
    },
  });
  const schema = {
    type: "object",
    properties: {
      either: { oneOf: [alternative(1), alternative(2)], anyOf: [{}, { type: "object" }] },
    },
    required: ["either"],
  } as const;
  const trimmed = fitSchema(toModelSchema(schema).schema, 1);
  expect(trimmed).not.toEqual(toModelSchema(schema).schema);
  const value = { either: { size: { kind: 1 } } };
  expect(compile(schema)?.(value)).toBe(true);
  expect(compile(trimmed)?.(value)).toBe(true);
});
