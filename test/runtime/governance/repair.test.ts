import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/core/json.js";
import { repaired } from "../../../src/runtime/governance/repair.js";
import { mustRead } from "../../schema/read.js";
import { validatorOf } from "../../schema/validators.js";
import { exampleTool } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

const line = {
  type: "object",
  additionalProperties: false,
  required: ["sku"],
  properties: { sku: { type: "string" } },
};
const order: JsonValue = {
  type: "object",
  additionalProperties: false,
  properties: {
    id: { type: "string" },
    lines: { type: "array", items: line },
    open: { type: "object" },
  },
};

const repair = (schema: JsonValue, value: unknown) =>
  repaired(validatorOf(mustRead(schema)), value);

describe("a repair", () => {
  test("drops undeclared properties of closed objects at any depth, and leaves the rest", () => {
    const given = {
      id: "1",
      internal: { a: 1 },
      "a/b": 2,
      lines: [{ sku: "x" }, { sku: "y", cost: 3 }],
      open: { anything: 4 },
    };
    const before = structuredClone(given);
    expect(repair(order, given)).toEqual({
      data: { id: "1", lines: [{ sku: "x" }, { sku: "y" }], open: { anything: 4 } },
      dropped: ["/internal", "/a~1b", "/lines/1/cost"],
    });
    expect(given).toEqual(before);
  });

  test("drops unevaluated properties", () => {
    const schema: JsonValue = {
      type: "object",
      unevaluatedProperties: false,
      allOf: [{ properties: { a: { type: "string" } } }],
    };
    expect(repair(schema, { a: "x", b: 1 })).toEqual({ data: { a: "x" }, dropped: ["/b"] });
  });

  test.each<[string, JsonValue, unknown]>([
    ["what fits", order, { id: "1" }],
    ["another type", order, { id: 1 }],
    ["another type beside something undeclared", order, { id: 1, more: 1 }],
    ["what is missing", order, { lines: [{ cost: 1 }] }],
    ["forms of a union", { anyOf: [line, { type: "null" }] }, { sku: "x", cost: 1 }],
    ["a value that is none of those listed", { enum: ["a"] }, "b"],
  ])("doesn't touch %s", (_, schema, value) => {
    expect(repair(schema, value)).toBeUndefined();
  });

  test("gives up on an answer with more values than its limit", () => {
    const names = Array.from({ length: 5000 }, (_, at) => [`x${at}`, at] as const);
    expect(repair(order, Object.fromEntries(names))).toBeUndefined();
  });

  test("treats a property that is named __proto__ as any other", () => {
    const given: unknown = JSON.parse('{"id":"1","__proto__":{"a":1}}');
    const found = repair(order, given);
    expect(found?.dropped).toEqual(["/__proto__"]);
    expect(Object.getPrototypeOf(found?.data)).toBe(Object.prototype);
  });
});

describe("an answer with undeclared properties", () => {
  const secret = "a-credential-of-ours";
  const returns = validatorOf(mustRead(order));
  const tool = exampleTool(
    async () => ({
      result: { status: "success", data: { id: "1", note: "a value", [secret]: 1 } },
    }),
    { returns },
  );

  test("an answer is repaired if the application asks for it, and the ledger lists the places", async () => {
    const { call, ledger, runtime } = govern(
      policyOf(),
      { repair: "drop-undeclared" },
      { SET: secret },
    );
    await runtime.credentials.find("SET");
    expect(await call(tool)).toEqual({ status: "success", data: { id: "1" } });
    const end = ledger.records.at(-1);
    expect(end).toMatchObject({ decision: { repaired: ["/note", "/${SET}"] } });
    expect(JSON.stringify(end)).not.toContain("a value");
  });

  test("records no property name from inside a masked schema", async () => {
    const { call, ledger } = govern(policyOf(), { repair: "drop-undeclared" });
    await call({ ...tool, maskedResult: [[]] });
    expect(ledger.records.at(-1)).toMatchObject({ decision: { repaired: ["/***"] } });
  });

  test("an answer is rejected if the application asks for no repair", async () => {
    const { call } = govern(policyOf());
    await expect(call(tool)).rejects.toMatchObject({ code: "SCHEMA.VALIDATION_FAILED" });
  });
});
