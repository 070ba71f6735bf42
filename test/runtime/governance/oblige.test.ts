import { describe, expect, test } from "vitest";
import { oblige } from "../../../src/runtime/governance/oblige.js";

const data = {
  customer: { email: "ada@example.com", phone: null },
  lines: [{ sku: "lamp", price: 19 }, { sku: "shade" }],
};
const answer = { status: "success", data };
type Action = Parameters<typeof oblige>[1];
const dataOf = (action: Action) => (oblige(answer, action) as typeof answer).data;

describe("an obligation", () => {
  test("masks what is there, null too, and adds nothing", () => {
    expect(dataOf({ do: "mask", at: ["customer", "*"] }).customer).toEqual({
      email: "***",
      phone: "***",
    });
    expect(dataOf({ do: "mask", at: ["lines", "*", "price"] }).lines).toEqual([
      { sku: "lamp", price: "***" },
      { sku: "shade" },
    ]);
    expect(dataOf({ do: "mask", at: ["customer", "fax"] })).toEqual(data);
  });

  test("drops properties, and of a list all items", () => {
    expect(dataOf({ do: "drop", at: ["customer", "email"] }).customer).toEqual({ phone: null });
    expect(dataOf({ do: "drop", at: ["lines", "*", "sku"] }).lines).toEqual([{ price: 19 }, {}]);
    expect(dataOf({ do: "drop", at: ["lines", "*"] }).lines).toEqual([]);
  });

  test("redacts texts below its place, and nothing but texts", () => {
    const at = ["lines"];
    expect(dataOf({ do: "redact", at, pattern: "a[a-z]" }).lines).toEqual([
      { sku: "l***p", price: 19 },
      { sku: "sh***e" },
    ]);
  });

  test("redacts bytes below its place as a whole", () => {
    const files = { status: "success", data: { file: { name: "a", bytes: Uint8Array.of(97) } } };
    expect(oblige(files, { do: "redact", at: ["file"], pattern: "x" })).toEqual({
      status: "success",
      data: { file: { name: "a", bytes: "***" } },
    });
  });

  test("marks an answer with data, and changes none without", () => {
    const action: Action = { do: "watermark", text: "internal" };
    expect(oblige(answer, action)).toEqual({ ...answer, watermark: "internal" });
    const failed = { status: "not_found" };
    expect(oblige(failed, action)).toBe(failed);
    expect(oblige(failed, { do: "mask", at: [] })).toBe(failed);
  });

  test("leaves the given answer unchanged", () => {
    const before = structuredClone(answer);
    dataOf({ do: "drop", at: ["customer", "email"] });
    expect(answer).toEqual(before);
  });

  test("keeps a property named `__proto__` a property", () => {
    const own: unknown = JSON.parse('{"__proto__":{"email":"a"},"b":"c"}');
    const changed = oblige({ status: "success", data: own } as typeof answer, {
      do: "mask",
      at: ["b"],
    });
    expect(JSON.stringify(changed)).toBe(
      '{"status":"success","data":{"__proto__":{"email":"a"},"b":"***"}}',
    );
  });
});
