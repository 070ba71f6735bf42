import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { copyParameters } from "../../../src/runtime/call/copy-parameters.js";
import { dispatchTool } from "../../../src/runtime/model/dispatch.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { RefusedValue } from "../../../src/runtime/call/refused-value.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import type { Validator } from "../../../src/runtime/validation/validation.js";
import { exampleTool, type Params, succeed } from "../example-tool.js";
import { unicodeCharacter } from "../../support/unicode-text.js";

/** `/pointer message`. */
function refusal(given: unknown): string {
  try {
    copyParameters(given);
  } catch (thrown) {
    if (thrown instanceof RefusedValue) return `${thrown.pointer} ${thrown.message}`;
    throw thrown;
  }
  throw new Error("it was copied");
}

describe("a copy of plain data", () => {
  test("a copy has the same JSON, and shares no part with the original", () => {
    const parts = (value: unknown): readonly unknown[] =>
      typeof value === "object" && value !== null
        ? [value, ...Object.values(value).flatMap(parts)]
        : [];
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: unicodeCharacter }), (value) => {
        const before = JSON.stringify(value);
        const copy = copyParameters(value);
        expect(JSON.stringify(copy)).toBe(before);
        const own = new Set(parts(copy));
        expect(parts(value).filter((each) => own.has(each))).toEqual([]);
      }),
    );
  });

  test("a copy is refused, or equals the JSON of any value", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    const copied = (value: unknown): { readonly copy: unknown } | undefined => {
      try {
        return { copy: copyParameters(value) };
      } catch (thrown) {
        if (thrown instanceof RefusedValue) return undefined;
        throw thrown;
      }
    };
    fc.assert(
      fc.property(anything, (value) => {
        const made = copied(value);
        expect(JSON.stringify(made?.copy)).toBe(made && JSON.stringify(value));
      }),
    );
  });

  test("keeps an undefined property, on which a validator decides", () => {
    expect(Object.entries(copyParameters({ a: undefined }) as object)).toEqual([["a", undefined]]);
  });

  test("turns -0 into 0, as JSON does", () => {
    expect(Object.is((copyParameters([-0]) as unknown[])[0], 0)).toBe(true);
  });

  test("keeps an own property named `__proto__`", () => {
    const copy = copyParameters(JSON.parse('{"__proto__":{"admin":true}}')) as object;
    expect(Object.keys(copy)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(copy).not.toHaveProperty("admin");
  });

  test("treats an object without a prototype and one of another realm as plain", () => {
    const bare = Object.assign(Object.create(null) as object, { a: 1 });
    expect(copyParameters({ bare })).toEqual({ bare: { a: 1 } });
    expect(copyParameters(runInNewContext("({ list: [{ a: 1 }] })"))).toEqual({ list: [{ a: 1 }] });
  });

  test("reads a getter once and keeps its value", () => {
    let reads = 0;
    const given = {
      get amount() {
        reads += 1;
        return reads;
      },
    };
    expect(copyParameters(given)).toEqual({ amount: 1 });
    expect(reads).toBe(1);
  });

  test("holds the data of a well-behaved proxy", () => {
    const observed = new Proxy({ list: new Proxy([1, { a: 2 }], {}) }, {});
    expect(copyParameters(observed)).toEqual({ list: [1, { a: 2 }] });
  });

  test("omits what JSON omits from an object or a list", () => {
    const list = Object.assign([1], { index: 0 });
    expect(copyParameters({ list, [Symbol("s")]: 1 })).toEqual({ list: [1] });
  });

  test("holds a part twice if the original refers to it twice", () => {
    const shared = { a: 1 };
    const copy = copyParameters({ x: shared, y: shared }) as { x: object; y: object };
    expect(copy).toEqual({ x: { a: 1 }, y: { a: 1 } });
    expect(copy.x).not.toBe(copy.y);
  });
});

describe("parameters that JSON can't represent", () => {
  class Money {
    amount = 1;
  }
  const throwing = (trap: ProxyHandler<object>) => new Proxy({}, trap);
  const no = () => {
    throw new Error("no");
  };
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const holed = [1, 2, 3];
  delete holed[1];

  test.each<[what: string, given: unknown, told: string]>([
    ["a bigint", { b: 10n }, "/b must not be a bigint, which JSON cannot represent"],
    [
      "a bigint in a list",
      { b: { list: [1, 10n] } },
      "/b/list/1 must not be a bigint, which JSON cannot represent",
    ],
    [
      "a function",
      { a: { "x/y~": () => 1 } },
      "/a/x~1y~0 must not be a function, which JSON cannot represent",
    ],
    [
      "a toJSON of its own",
      { a: { toJSON: () => 1 } },
      "/a/toJSON must not be a function, which JSON cannot represent",
    ],
    ["a symbol", { a: Symbol("s") }, "/a must not be a symbol, which JSON cannot represent"],
    ["NaN", { a: [Number.NaN] }, "/a/0 must not be NaN, which JSON cannot represent"],
    ["Infinity", { a: -Infinity }, "/a must not be -Infinity, which JSON cannot represent"],
    ["a date", { at: new Date(0) }, "/at must not be a Date: pass its `toISOString()`"],
    [
      "a date of another realm",
      { at: runInNewContext("new Date(0)") as unknown },
      "/at must not be a Date: pass its `toISOString()`",
    ],
    ["a map", { m: new Map() }, "/m must not be a Map: pass `Object.fromEntries(map)`"],
    ["a set", { m: new Set() }, "/m must not be a Set: pass a list, `[...set]`"],
    ["a promise", { m: Promise.resolve(1) }, "/m must not be a promise: await it"],
    [
      "bytes",
      { m: Buffer.from("a") },
      "/m must not be binary data: pass text, for example in base64",
    ],
    ["a boxed text", { m: new String("a") }, "/m must not be a boxed value: pass its `valueOf()`"],
    [
      "an instance",
      { m: new Money() },
      "/m must not be an instance of a class: pass a plain object or list",
    ],
    [
      "an error",
      { m: new Error("no") },
      "/m must not be an instance of a class: pass a plain object or list",
    ],
    [
      "a list of a class",
      { m: new (class extends Array {})() },
      "/m must not be an instance of a class: pass a plain object or list",
    ],
    [
      "an instance as a whole",
      new Money(),
      " must not be an instance of a class: pass a plain object or list",
    ],
    ["a hole", { m: holed }, "/m/1 must not be undefined, which JSON cannot represent in a list"],
    [
      "undefined in a list",
      { m: [undefined] },
      "/m/0 must not be undefined, which JSON cannot represent in a list",
    ],
    [
      "a getter that throws",
      {
        a: [
          {
            get b() {
              return no();
            },
          },
        ],
      },
      "/a/0/b can't be read",
    ],
    ["a proxy whose keys can't be listed", { a: throwing({ ownKeys: no }) }, "/a can't be read"],
    [
      "a proxy whose kind can't be told",
      { a: throwing({ getPrototypeOf: no }) },
      "/a can't be read",
    ],
    ["a proxy that was revoked", { a: [revoked()] }, "/a/0 can't be read"],
  ])("cause an error with the place of %s", (_, given, told) => {
    expect(refusal(given)).toBe(told);
  });

  test("parameters are refused with the path of the cycle if a value contains itself", () => {
    const tree: Record<string, unknown> = { name: "a" };
    tree["children"] = [{ parent: tree }];
    expect(refusal({ tree })).toBe(
      "/tree/children/0/parent must not contain itself, which JSON cannot represent",
    );
    expect(refusal(tree)).toBe(
      "/children/0/parent must not contain itself, which JSON cannot represent",
    );
  });

  test("parameters are refused with the parameter's path if a value has 200,000 levels", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 200_000; level += 1) deep = [deep];
    expect(refusal({ deep })).toBe("/deep must not nest deeper than 1000 levels");
  });

  test("parameters are refused if a value is small in memory and endless as text", () => {
    let bomb: unknown = 1;
    for (let level = 0; level < 60; level += 1) bomb = [bomb, bomb];
    expect(refusal({ bomb })).toBe("/bomb must not hold more than 5000000 values");
  });

  test("parameters are refused if a proxy has endless properties", () => {
    const endless: object = new Proxy(
      {},
      {
        get: () => endless,
        ownKeys: () => ["a"],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      },
    );
    expect(refusal({ endless })).toMatch(/^\/endless/);
  });
});

describe("an object of the caller that changes after the call has begun", () => {
  const anything: Validator<Params> = Object.assign(
    (value: unknown): value is Params => value !== null,
    {
      errors: null,
    },
  );
  const setUp = () => {
    const ledger = createMemoryLedger();
    const runtime = createRuntime({ ledger, inherit: false, credentials: { KEY: "a key" } });
    const sent: string[] = [];
    const tool = (effect: "read" | "write") =>
      exampleTool(
        async (_, args) => {
          sent.push(JSON.stringify(args));
          return succeed();
        },
        { effect, params: anything, credentials: ["KEY"] },
      );
    const recorded = () => ledger.records.map(({ parameters }) => JSON.stringify(parameters));
    return { ledger, recorded, runtime, sent, tool };
  };

  test.each(["read", "write"] as const)(
    "changes neither the request nor the record of a %s",
    async (effect) => {
      const { recorded, runtime, sent, tool } = setUp();
      const params = { id: "", order: { amount: 1 } };
      const calls = [1, 2, 3].map((amount) => {
        params.id = `r${amount}`;
        params.order.amount = amount;
        return callTool(tool(effect), params, { runtime });
      });
      params.order.amount = 1_000_000;
      await Promise.all(calls);
      const expected = [1, 2, 3].map(
        (amount) => `{"id":"r${amount}","order":{"amount":${amount}}}`,
      );
      expect(sent.toSorted()).toEqual(expected);
      expect([...new Set(recorded())].toSorted()).toEqual(expected);
    },
  );

  test("changes no trace of another call with the same options", async () => {
    const { ledger, runtime, tool } = setUp();
    const options = { runtime, trace: "t1" };
    const first = callTool(tool("write"), { id: "a" }, options);
    options.trace = "t2";
    await first;
    expect(ledger.records).toMatchObject([{ trace: "t1" }, { trace: "t1" }]);
  });

  test("changes no call whose module is still loading", async () => {
    const { recorded, runtime, sent, tool } = setUp();
    const load = async () => (params: Params, options?: CallOptions) =>
      callTool(tool("read"), params, options);
    const params = { id: "before" };
    const options = { runtime, trace: "t1" };
    const call = dispatchTool({ a__b: load }, "a__b", params, options);
    params.id = "after";
    await call;
    expect([sent, recorded()]).toEqual([['{"id":"before"}'], ['{"id":"before"}']]);
  });

  test("stays unchanged if a handler changes its parameters", async () => {
    const { ledger } = setUp();
    const handlers = {
      "desk/do-it": (params: { id: string }) => {
        params.id += " changed";
        return {};
      },
    };
    const runtime = createRuntime({ ledger, inherit: false, handlers });
    await callTool(exampleTool(succeed, { effect: "read" }), { id: "a" }, { runtime });
    expect(ledger.records).toMatchObject([{ parameters: { id: "a" } }]);
  });
});

test("reports SCHEMA.VALIDATION_FAILED for parameters that can't be copied, sends nothing, and records them as no JSON", async () => {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ ledger, inherit: false });
  const params = { id: "a", limit: 10n as unknown as number };
  const call = callTool(exampleTool(succeed), params, { runtime });
  await expect(call).rejects.toMatchObject({
    attempts: 0,
    outcome: "not-done",
    message:
      "parameters of `desk/do-it` can't be sent: /limit must not be a bigint, which JSON cannot represent",
    failure: {
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "parameters",
      problems: [{ pointer: "/limit", keyword: "json" }],
    },
  });
  expect(ledger.records).toMatchObject([
    { type: "end", status: "failed", parameters: "(not JSON)" },
  ]);
});
