/** The obligation `hash`: a keyed hash in place of a value, one key for each tenant. */
import { describe, expect, test } from "vitest";
import { oblige, TooDeep } from "../../../src/runtime/governance/oblige.js";
import type { ProjectPolicy } from "../../../src/runtime/governance/policy.js";
import { exampleTool } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

const key = Buffer.alloc(32, 7);
const acme = { key, tenant: "acme" };

function hashOf(value: unknown, of: Parameters<typeof oblige>[2] = acme): unknown {
  const answer = { status: "success", data: { value } };
  const changed = oblige(answer, { do: "hash", at: ["value"] }, of) as typeof answer;
  return changed.data.value;
}

const hashes: ProjectPolicy["obligations"] = [
  { name: "hide-id", tools: ["desk/do-it"], unless: [], action: { do: "hash", at: ["id"] } },
];

describe("the obligation `hash`", () => {
  test("gives `hmac:` and 22 characters of base64url, whatever the value is", () => {
    for (const value of ["", "ada@example.com", 7, true, [], {}, ["a"], { a: { b: null } }])
      expect(hashOf(value)).toMatch(/^hmac:[\w-]{22}$/);
  });

  test("gives the same hash today and tomorrow", () => {
    expect(hashOf("ada@example.com")).toBe("hmac:K9Y7ShHoshFeKs2h-Axf-A");
  });

  test("leaves null and absent values as they are", () => {
    expect(hashOf(null)).toBeNull();
    expect(hashOf(undefined)).toBeUndefined();
    const answer = { status: "success", data: {} };
    expect(oblige(answer, { do: "hash", at: ["value"] }, acme)).toEqual(answer);
  });

  test("gives equal values of a tenant the same hash", () => {
    expect(hashOf("ada")).toBe(hashOf("ada"));
    expect(hashOf(0)).toBe(hashOf(-0));
    expect(hashOf({ a: 1, b: [2] })).toBe(hashOf({ b: [2], a: 1 }));
    expect(hashOf(Uint8Array.of(1))).toBe(hashOf(Uint8Array.of(1)));
  });

  test("gives different values different hashes, and so a text and a number", () => {
    const values = ["7", 7, "true", true, "[]", [], [7], ["7"], [[7]], {}, { a: 7 }, { a: "7" }];
    const bytes = [Uint8Array.of(1), Uint8Array.of(2)];
    const all = [...values, ...bytes, [1, 2], [2, 1], "bytes AQ=="].map((each) => hashOf(each));
    expect(new Set(all).size).toBe(all.length);
  });

  test("gives a value another hash for each tenant, for no tenant and for another key", () => {
    const other = { key: Buffer.alloc(32, 8), tenant: "acme" };
    const all = [acme, { key, tenant: "other" }, { key, tenant: "null" }, { key }, other].map(
      (of) => hashOf("ada", of),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  test("takes the longest name of a tenant", () => {
    const names = ["a", "b"].map((end) => `${"\ud800".repeat(255)}${end}`);
    const [one, other] = names.map((tenant) => hashOf("ada", { key, tenant }));
    expect(one).not.toBe(other);
  });

  test("refuses data that are nested too deeply, or hold themselves", () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(() => hashOf(loop)).toThrow(TooDeep);
  });
});

describe("a governed tool whose answer is hashed", () => {
  const tool = exampleTool(
    async () => ({ result: { status: "success", data: { id: 7, name: "Ada" } } }),
    { effect: "read" },
  );
  const policy = policyOf({ effect: "read" }, { obligations: hashes });

  test("gives callers of one tenant the same hash, and those of another tenant another", async () => {
    const { call } = govern(policy, { key });
    const [one, again, other] = await Promise.all(
      ["acme", "acme", "globex"].map((tenant) => call(tool, { caller: { tenant } })),
    );
    expect(one).toEqual({ status: "success", data: { id: hashOf(7), name: "Ada" } });
    expect(again).toEqual(one);
    expect(other).toEqual({
      status: "success",
      data: { id: hashOf(7, { key, tenant: "globex" }), name: "Ada" },
    });
  });

  test("gives the same hash in every process that has the key, as bytes or as text", async () => {
    const results = await Promise.all(
      [key, key.toString("base64")].map((each) => govern(policy, { key: each }).call(tool)),
    );
    expect(results[0]).toEqual(results[1]);
  });

  test("the ledger keeps the value that callers get hashed, and the name of the obligation", async () => {
    const { call, ledger } = govern(policy, { key });
    await call(tool, { caller: { tenant: "acme" } });
    expect(ledger.records).toMatchObject([
      {
        type: "end",
        result: '{"status":"success","data":{"id":7,"name":"Ada"}}',
        decision: { obligations: ["hide-id"] },
      },
    ]);
  });

  test("hashes each item of a stream", async () => {
    async function* items() {
      yield { id: 7 };
      yield { id: "7" };
      yield { id: 7 };
    }
    const streaming = exampleTool(async () => ({ result: { status: "success", data: items() } }), {
      effect: "read",
    });
    const { call } = govern(policy, { key });
    const caller = { tenant: "acme" };
    const result = await call(
      { ...streaming, binding: { ...streaming.binding, streams: "items" } },
      { caller },
    );
    const { data } = result as unknown as { readonly data: AsyncIterable<unknown> };
    const hashed: unknown[] = [];
    for await (const item of data) hashed.push(item);
    expect(hashed).toEqual([{ id: hashOf(7) }, { id: hashOf("7") }, { id: hashOf(7) }]);
  });

  test("hashes the stored answer of a call that is made once again", async () => {
    let made = 0;
    const writing = exampleTool(async () => ({
      result: { status: "success", data: { id: ++made } },
    }));
    const { call } = govern(policyOf({ idempotency: "keyed" }, { obligations: hashes }), { key });
    const options = { caller: { tenant: "acme" }, idempotencyKey: "k" };
    const first = await call(writing, options);
    expect(first).toEqual({ status: "success", data: { id: hashOf(1) } });
    expect(await call(writing, options)).toEqual(first);
    expect(made).toBe(1);
  });

  test("governance() throws without a key, and its message explains what to set", () => {
    expect(() => govern(policy)).toThrow(
      new TypeError(
        "`key` is missing: the obligation `hide-id` of skillc.yaml does `hash`, which needs a key. Set `key` of `governance()` to 32 random bytes in base64, the same for all processes",
      ),
    );
    expect(() => govern(policyOf({}, { obligations: [] }))).not.toThrow();
  });
});
