/** A test's runtime makes calls as in production, but sends nothing. */
import { describe, expect, test, vi } from "vitest";
import { catalog } from "../../../generated/index.js";
import { announceOrderCreated, logView } from "../../../generated/order-events/index.js";
import {
  cancelOrder,
  createOrder,
  type GetOrderData,
  getOrder,
  listOrders,
  quoteShipping,
} from "../../../generated/order-desk/index.js";
import { getProduct, moveStock } from "../../../generated/warehouse/index.js";
import {
  type HandlerContext,
  isToolError,
  resultForModel,
  ToolError,
  type ToolErrorCode,
} from "@skillc/runtime";
import { createTestRuntime, toolError } from "@skillc/runtime/testing";

const order: GetOrderData = {
  id: "ord_1001",
  customer_id: "cus_1",
  status: "open",
  lines: [{ sku: "lamp", quantity: 1, price: 1900 }],
  created_at: "2026-07-01T10:00:00Z",
  total: 1900,
};
const lines = [{ sku: "lamp", quantity: 1, price: 1900 }];

describe("a fake", () => {
  test("answers for an HTTP tool with any status of its result", async () => {
    const runtime = createTestRuntime(catalog, {
      "order-desk/get-order": ({ order_id }) =>
        order_id === order.id
          ? { status: "success", data: order }
          : { status: "not_found", error: "no such order", status_code: 404 },
    });
    expect(await getOrder({ order_id: "ord_1001" }, { runtime })).toEqual({
      status: "success",
      data: order,
    });
    expect(await getOrder({ order_id: "ord_9" }, { runtime })).toEqual({
      status: "not_found",
      error: "no such order",
      status_code: 404,
    });
  });

  test("answers for SQL tools, queue tools and tools that need a handler", async () => {
    const runtime = createTestRuntime(catalog, {
      "warehouse/get-product": { status: "not_found", error: {} },
      "warehouse/move-stock": {
        status: "check_failed",
        error: { constraint: "stock_quantity_check", table: "stock" },
      },
      "order-events/log-view": {
        status: "success",
        data: { stream: "views", id: "1-0" },
      },
      "order-desk/quote-shipping": { status: "success", data: { price: 4.9, currency: "EUR" } },
    });
    expect(await getProduct({ sku: "lamp" }, { runtime })).toMatchObject({ status: "not_found" });
    const moved = await moveStock(
      { sku: "lamp", location: "A1", quantity: -5, reason: "order" },
      { runtime },
    );
    expect(moved).toMatchObject({ status: "check_failed", error: { table: "stock" } });
    const viewed = await logView({ sku: "lamp" }, { runtime });
    expect(viewed).toMatchObject({ status: "success" });
    const quoted = await quoteShipping({ country: "DE", weight_kg: 2 }, { runtime });
    expect(quoted).toMatchObject({ data: { price: 4.9 } });
    expect(runtime.ledger.records.map((each) => [each.type, each.kind, each.tool])).toEqual([
      ["end", "sql", "get-product"],
      ["begin", "sql", "move-stock"],
      ["end", "sql", "move-stock"],
      ["begin", "queue", "log-view"],
      ["end", "queue", "log-view"],
      ["begin", "handler", "quote-shipping"],
      ["end", "handler", "quote-shipping"],
    ]);
  });

  test("answers each call with a copy, which neither the test nor an earlier caller can change", async () => {
    const fake = { status: "success" as const, data: structuredClone(order) };
    const runtime = createTestRuntime(catalog, { "order-desk/get-order": fake });
    const first = await getOrder({ order_id: "ord_1001" }, { runtime });
    if (first.status === "success") first.data.lines.length = 0;
    fake.data.total = 0;
    const second = await getOrder({ order_id: "ord_1001" }, { runtime });
    expect(second).toMatchObject({ data: { lines: order.lines, total: 0 } });
  });

  test("gets the parameters with defaults, the attempt, the mode, the trace and the id of the call", async () => {
    const seen = vi.fn();
    const runtime = createTestRuntime(catalog, {
      "order-desk/list-orders": (params, { signal, ...context }) => {
        seen(params, context, signal.aborted);
        return { status: "success", data: [] };
      },
    });
    await listOrders({ customer_id: "cus_1" }, { runtime, trace: "t1" });
    const [call] = runtime.calls();
    expect(seen.mock.calls).toEqual([
      [
        { customer_id: "cus_1", limit: 20 },
        {
          attempt: 1,
          callId: call?.id,
          mode: "active",
          skill: "order-desk",
          tool: "list-orders",
          trace: "t1",
        },
        false,
      ],
    ]);
  });
});

describe("a call with a fake", () => {
  test("rejects invalid parameters before the fake runs", async () => {
    const fake = vi.fn(() => toolError("PROVIDER.PROTOCOL"));
    const runtime = createTestRuntime(catalog, { "order-desk/create-order": fake });
    // As a model writes it.
    const call = createOrder({ customer_id: "cus_1", lines: [] }, { runtime });
    await expect(call).rejects.toMatchObject({
      code: "SCHEMA.VALIDATION_FAILED",
      failure: { subject: "parameters" },
    });
    expect(fake).not.toHaveBeenCalled();
    expect(runtime.calls()).toEqual([]);
  });

  test("records its real request in shadow mode, with names for credentials, and runs no fake", async () => {
    const runtime = createTestRuntime(
      catalog,
      { "order-desk/quote-shipping": toolError("UNKNOWN.INTERNAL") },
      { mode: "shadow" },
    );
    const made = await createOrder({ customer_id: "cus_1", lines }, { runtime });
    expect(made).toMatchObject({
      status: "shadow",
      request: {
        method: "POST",
        url: "${ORDERS_URL}/customers/cus_1/orders",
        headers: { Authorization: "Bearer ${ORDERS_TOKEN}" },
        body: { lines },
      },
    });
    const params = { country: "DE", weight_kg: 2 };
    expect(await quoteShipping(params, { runtime })).toEqual({
      status: "shadow",
      request: { handler: "order-desk/quote-shipping", parameters: params },
    });
    const moved = await moveStock(
      { sku: "lamp", location: "A1", quantity: 1, reason: "count", note: "by Ann" },
      { runtime },
    );
    expect(moved).toMatchObject({ status: "shadow", request: { connection: "${WAREHOUSE_URL}" } });
    // The second preparation, which masks the note, is no call.
    expect(
      runtime.calls("warehouse/move-stock").map(({ mode, params: { note } }) => [mode, note]),
    ).toEqual([["shadow", "by Ann"]]);
    expect(JSON.stringify(runtime.ledger.records)).not.toContain("by Ann");
  });

  test("retries a read after a timeout, without waiting", async () => {
    vi.useFakeTimers();
    try {
      const runtime = createTestRuntime(catalog, {
        "order-desk/get-order": (_, { attempt }) =>
          attempt < 3 ? toolError("PROVIDER.TIMEOUT") : { status: "success", data: order },
      });
      // Time stands still: a pause would never end.
      const result = await getOrder({ order_id: "ord_1001" }, { runtime });
      expect(result.status).toBe("success");
      expect(runtime.ledger.records).toMatchObject([{ attempts: 3, status: "success" }]);
      expect(runtime.calls("order-desk/get-order")).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test("an aborted call stops its fake", async () => {
    const caller = new AbortController();
    const runtime = createTestRuntime(catalog, {
      "order-desk/get-order": (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("stopped")));
          caller.abort();
        }),
    });
    const call = getOrder({ order_id: "ord_1001" }, { runtime, signal: caller.signal });
    await expect(call).rejects.toMatchObject({ failure: { reason: "aborted" } });
  });
});

describe("a fake that fails", () => {
  const codes: readonly ToolErrorCode[] = [
    "SCHEMA.VALIDATION_FAILED",
    "CREDENTIAL.MISSING",
    "PROVIDER.TIMEOUT",
    "PROVIDER.UNAVAILABLE",
    "PROVIDER.PROTOCOL",
    "POLICY.DENY_TOOL",
    "UNKNOWN.INTERNAL",
  ];
  test.each(codes)("fails with %s, given, returned or thrown", async (code) => {
    const fakes = [
      toolError(code),
      () => toolError(code),
      () => {
        throw toolError(code);
      },
    ];
    for (const fake of fakes) {
      const runtime = createTestRuntime(catalog, { "order-desk/create-order": fake });
      const error: unknown = await createOrder({ customer_id: "cus_1", lines }, { runtime }).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(ToolError);
      expect(error).toMatchObject({ code, failure: { code }, tool: "order-desk/create-order" });
    }
  });

  test("fails with the fields from the test, and the usual outcome of its code", async () => {
    const runtime = createTestRuntime(catalog, {
      "order-desk/create-order": toolError("PROVIDER.UNAVAILABLE", {
        reason: "ENOTFOUND",
        message: "no such host",
        outcome: "not-done",
      }),
      "order-desk/cancel-order": toolError("PROVIDER.TIMEOUT"),
    });
    const created = createOrder({ customer_id: "cus_1", lines }, { runtime });
    await expect(created).rejects.toMatchObject({
      message: "no such host",
      failure: { reason: "ENOTFOUND" },
      outcome: "not-done",
    });
    const cancelled = cancelOrder({ order_id: "ord_1001" }, { runtime, mode: "active" });
    await expect(cancelled).rejects.toMatchObject({ attempts: 3, outcome: "unknown" });
  });

  test.each<[string, unknown, RegExp]>([
    ["no answer", undefined, /returned no answer/],
    ["data alone", order.lines, /returned no answer: an answer has a `status`/],
    [
      "a class",
      new Date(0),
      /returned a value that no service could send: its answer must not be a Date/,
    ],
    ["an answer of shadow mode", { status: "shadow" }, /returned the status `shadow`/],
    [
      "data that doesn't fit",
      { status: "success", data: { ...order, total: "1900" } },
      /returned data that doesn't fit the tool's schema: \/total must be an integer/,
    ],
  ])("causes an error that names it if it returns %s by mistake", async (_, given, message) => {
    // As JavaScript, or a cast, gives it.
    const runtime = createTestRuntime(catalog, { "order-desk/get-order": () => given as never });
    const error: unknown = await getOrder({ order_id: "ord_1001" }, { runtime }).catch(
      (thrown: unknown) => thrown,
    );
    expect(String(error)).toMatch(/the fake of `order-desk\/get-order` /);
    expect(String(error)).toMatch(message);
    // What the code under test does about failures of tools can't hide it.
    expect(isToolError(error)).toBe(false);
    expect(runtime.ledger.records).toMatchObject([{ error: { code: "UNKNOWN.INTERNAL" } }]);
  });

  test("fails with the message of an assertion inside it", async () => {
    const runtime = createTestRuntime(catalog, {
      "order-desk/get-order": ({ order_id }) => {
        expect(order_id).toBe("ord_1001");
        return { status: "success", data: order };
      },
    });
    const call = getOrder({ order_id: "ord_9" }, { runtime });
    await expect(call).rejects.toThrow(/fake of `order-desk\/get-order` threw: expected 'ord_9'/);
  });
});

describe("a test's runtime", () => {
  test("rejects a call of a tool without a fake by name, before it records a begin", async () => {
    const runtime = createTestRuntime(catalog);
    const calls = [
      getOrder({ order_id: "ord_1001" }, { runtime }),
      createOrder({ customer_id: "cus_1", lines }, { runtime }),
      getProduct({ sku: "lamp" }, { runtime }),
      quoteShipping({ country: "DE", weight_kg: 2 }, { runtime }),
    ];
    const errors = await Promise.allSettled(calls);
    expect(errors.map((each) => each.status === "rejected" && String(each.reason))).toEqual(
      [
        "order-desk/get-order",
        "order-desk/create-order",
        "warehouse/get-product",
        "order-desk/quote-shipping",
      ].map(
        (id) =>
          `FakeError: \`${id}\` has no fake, and a test runtime sends nothing: pass one, as in \`createTestRuntime(catalog, { "${id}": … })\``,
      ),
    );
    expect(runtime.ledger.records.map((each) => each.type)).toEqual(["end", "end", "end", "end"]);
    expect(runtime.calls()).toEqual([]);
  });

  test("rejects real calls from a handler or a fake too, by whatever name", async () => {
    const quote = async (_: unknown, { callId: parent }: HandlerContext) => {
      await getProduct({ sku: "lamp" }, { parent });
      return { price: 0, currency: "EUR" as const };
    };
    const get = async (params: unknown, context: HandlerContext) => {
      await quote(params, context);
      return toolError("PROVIDER.PROTOCOL");
    };
    const handlers = { "order-desk/quote-shipping": quote };
    const runtime = createTestRuntime(catalog, { "order-desk/get-order": get }, { handlers });
    const message = "`warehouse/get-product` has no fake";
    const quoted = quoteShipping({ country: "DE", weight_kg: 2 }, { runtime });
    await expect(quoted).rejects.toThrow(message);
    const got = getOrder({ order_id: "ord_1001" }, { runtime });
    await expect(resultForModel(got)).rejects.toThrow(message);
  });

  test("rejects a read without a fake in shadow mode too", async () => {
    const runtime = createTestRuntime(catalog, {}, { mode: "shadow" });
    const call = getOrder({ order_id: "ord_1001" }, { runtime });
    await expect(call).rejects.toThrow("`order-desk/get-order` has no fake");
  });

  test("ignores the credentials of the environment", async () => {
    vi.stubEnv("ORDERS_URL", "http://127.0.0.1:1");
    vi.stubEnv("ORDERS_TOKEN", "t-0k3n-of-mine");
    const runtime = createTestRuntime(catalog, {
      "order-desk/get-order": { status: "error", error: "t-0k3n-of-mine", status_code: 500 },
    });
    expect(await getOrder({ order_id: "ord_1001" }, { runtime })).toMatchObject({
      error: "t-0k3n-of-mine",
    });
    expect(await runtime.credentials.find("ORDERS_TOKEN")).toBeUndefined();
    vi.unstubAllEnvs();
  });
});

describe("a handler of the application", () => {
  test("serves a tool without a fake, and its calls are recorded as usual", async () => {
    const runtime = createTestRuntime(
      catalog,
      { "order-desk/get-order": { status: "success", data: order } },
      {
        handlers: {
          "order-desk/quote-shipping": ({ weight_kg }) => ({
            price: 2 * weight_kg,
            currency: "EUR",
          }),
          "order-desk/get-order": () => ({ ...order, total: 0 }),
        },
      },
    );
    const quoted = await quoteShipping({ country: "DE", weight_kg: 2 }, { runtime });
    expect(quoted).toEqual({ status: "success", data: { price: 4, currency: "EUR" } });
    expect(runtime.calls("order-desk/quote-shipping")).toHaveLength(1);
    const got = await getOrder({ order_id: "ord_1001" }, { runtime });
    expect(got).toMatchObject({ data: { total: 1900 } });
  });

  test("stays in the test's runtime with the calls that it makes", async () => {
    const runtime = createTestRuntime(
      catalog,
      { "order-desk/get-order": { status: "success", data: order } },
      {
        handlers: {
          "order-desk/quote-shipping": async (_, { callId }) => {
            const got = await getOrder({ order_id: "ord_1001" }, { parent: callId });
            return { price: got.status === "success" ? got.data.total : 0, currency: "EUR" };
          },
        },
      },
    );
    const quoted = await quoteShipping({ country: "DE", weight_kg: 2 }, { runtime });
    expect(quoted).toMatchObject({ data: { price: 1900 } });
    const [outer, inner] = runtime.calls();
    expect(inner).toMatchObject({ tool: "order-desk/get-order", parent: outer?.id });
  });
});

test.each<[string, () => unknown, string]>([
  [
    "a misspelt tool",
    () =>
      createTestRuntime(catalog, { "order-desk/get-ordr": toolError("PROVIDER.TIMEOUT") } as {}),
    "the catalog has no tool `order-desk/get-ordr`; did you mean `order-desk/get-order`?",
  ],
  [
    "a misspelt tool among calls",
    () => createTestRuntime(catalog).calls("order-desk/get-ordr" as never),
    "the catalog has no tool `order-desk/get-ordr`; did you mean `order-desk/get-order`?",
  ],
  [
    "a misspelt handler",
    () => createTestRuntime(catalog, {}, { handlers: { "order-desk/quote": () => 1 } as {} }),
    "the catalog has no tool `order-desk/quote`",
  ],
  [
    "fakes in the catalog's place",
    () => createTestRuntime({ "order-desk/get-order": 1 } as never),
    "the first argument of `createTestRuntime` must be the `catalog` of generated/index.ts",
  ],
])("%s is refused in words", (_, make, message) => {
  expect(make).toThrow(new TypeError(message));
});

test("a fake queue tool encodes its message, and rejects an unencodable one as in production", async () => {
  const runtime = createTestRuntime(catalog, {
    "order-events/announce-order-created": {
      status: "success",
      data: { topic: "orders.created", partition: 0, offset: "1" },
    },
  });
  const created = {
    order_id: "6f1c1e1e-0000-4000-8000-000000000000",
    customer_id: 1,
    total: "12.50",
    currency: "EUR" as const,
    created_at: "2026-07-01T10:00:00Z",
    lines: [{ sku: "lamp", quantity: 1 }],
  };
  const announced = await announceOrderCreated(created, { runtime });
  expect(announced).toMatchObject({ data: { offset: "1" } });
  const refused = announceOrderCreated({ ...created, total: "12.505" }, { runtime });
  await expect(refused).rejects.toMatchObject({ code: "SCHEMA.VALIDATION_FAILED" });
});
