/** The generated functions of skills/order-desk call the order service of examples/ over HTTP. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startOrderService } from "../../examples/order-service/server.js";
import { catalog, createRuntime } from "../../generated/index.js";
import {
  cancelOrder,
  createOrder,
  getOrder,
  listOrders,
  quoteShipping,
} from "../../generated/order-desk/index.js";
import {
  type CallOptions,
  createMemoryLedger,
  type HandlerContext,
  isToolError,
  missingFor,
  offerTools,
  type Runtime,
  type ToolError,
  type ToolErrorCode,
} from "../../src/runtime/index.js";
import { recordingProxy } from "../support/recording-proxy.js";
import { type Answer, compileTroubleDesk } from "./trouble-desk.js";
import { apiBuilder } from "../../examples/demo/api-builder.js";

type Options = Partial<Parameters<typeof createRuntime>[0]>;

const handlers: Parameters<typeof createRuntime>[0]["handlers"] = {
  ...apiBuilder,
  "order-desk/quote-shipping": ({ weight_kg }) => ({ price: 4 + 2 * weight_kg, currency: "EUR" }),
};

/** An order service of its own, watched on the wire, and a runtime that reaches it. */
async function openDesk(options: Options = {}, token = "t-0k3n-of-the-desk") {
  const service = await startOrderService({ token });
  onTestFinished(service.close);
  const { url, received } = await recordingProxy(service.url);
  const ledger = createMemoryLedger();
  const settings = { inherit: false, handlers, ledger };
  const credentials = { ORDERS_URL: url, ORDERS_TOKEN: token };
  const runtime: Runtime = createRuntime({ ...settings, credentials, ...options });
  const as: CallOptions = { runtime };
  return { url, received, ledger, runtime, as, token };
}

async function failureOf(call: Promise<unknown>, code: ToolErrorCode): Promise<ToolError> {
  const thrown: unknown = await call.then(
    (answer) => new Error(`answered with ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
  if (!isToolError(thrown)) throw thrown;
  expect(thrown.code).toBe(code);
  return thrown;
}

/** How many timers of that length are set from here on. */
function timersOf(ms: number): () => number {
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => timers.mockRestore());
  return () => timers.mock.calls.filter(([, delay]) => delay === ms).length;
}

const line = { sku: "LAMP-OAK", quantity: 2, price: 8900 };

describe("list-orders", () => {
  test("returns the orders, and sends the given parameters with the default filled in", async () => {
    const { as, received } = await openDesk();
    const all = await listOrders({}, as);
    const shipped = await listOrders({ customer_id: "cus_grace", status: "shipped", limit: 1 }, as);
    if (all.status !== "success" || shipped.status !== "success") throw new Error("no success");
    expect(all.data.map((order) => order.id)).toEqual(["ord_1001", "ord_1002", "ord_1003"]);
    expect(shipped.data).toMatchObject([{ id: "ord_1003", lines: [{ price: 8900 }] }]);
    expect(received.map((each) => each.path)).toEqual([
      "/orders?limit=20",
      "/orders?customer_id=cus_grace&status=shipped&limit=1",
    ]);
    expect(received[0]?.headers.authorization).toBe("Bearer t-0k3n-of-the-desk");
  });

  test("rejects invalid parameters with every problem at its place, and sends nothing", async () => {
    const { as, received } = await openDesk();
    const params = { customer_id: "grace", status: "lost", limit: 0, colour: "red" };
    // @ts-expect-error the compiler says so first
    const error = await failureOf(listOrders(params, as), "SCHEMA.VALIDATION_FAILED");
    if (error.failure.code !== "SCHEMA.VALIDATION_FAILED") throw error;
    const pointers = error.failure.problems.map((each) => `${each.pointer} ${each.keyword}`);
    expect(pointers.toSorted()).toEqual([
      "/colour additionalProperties",
      "/customer_id pattern",
      "/limit minimum",
      "/status enum",
    ]);
    expect(received).toEqual([]);
  });
});

describe("get-order", () => {
  test("returns the order", async () => {
    const { as } = await openDesk();
    const answer = await getOrder({ order_id: "ord_1001" }, as);
    if (answer.status !== "success") throw new Error(answer.status);
    expect(answer.data).toMatchObject({ id: "ord_1001", customer_id: "cus_ada", total: 2400 });
  });

  test("answers `not_found` for an unknown order, in the service's own words", async () => {
    const { as } = await openDesk();
    expect(await getOrder({ order_id: "ord_9" }, as)).toEqual({
      status: "not_found",
      status_code: 404,
      error: "there is no order ord_9",
    });
  });

  test("answers `error` for a wrong token, and the token appears in no record", async () => {
    const { url } = await openDesk();
    const ledger = createMemoryLedger();
    const credentials = { ORDERS_URL: url, ORDERS_TOKEN: "s3cr3t-but-wrong" };
    const runtime = createRuntime({ inherit: false, handlers, ledger, credentials });
    expect(await getOrder({ order_id: "ord_1001" }, { runtime })).toMatchObject({
      status: "error",
      status_code: 401,
    });
    expect(JSON.stringify(ledger.records)).not.toContain("s3cr3t");
  });
});

describe("create-order", () => {
  test("sends URL, body and idempotency key as the skill defines them", async () => {
    const { as, received, ledger } = await openDesk();
    const params = { customer_id: "cus_ada", reference: "A-2", lines: [line] };
    const answer = await createOrder(params, as);
    if (answer.status !== "success") throw new Error(answer.status);
    expect(answer.data).toMatchObject({ reference: "A-2", total: 17_800, status: "open" });
    expect(received).toMatchObject([
      {
        method: "POST",
        path: "/customers/cus_ada/orders",
        headers: {
          "content-type": "application/json",
          "idempotency-key": expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      },
    ]);
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({
      reference: "A-2",
      lines: [line],
      note: "created for cus_ada by an agent",
    });
    expect(ledger.records.map((each) => each.type)).toEqual(["begin", "end"]);
  });

  test("omits an absent optional reference from the body", async () => {
    const { as, received } = await openDesk();
    await createOrder({ customer_id: "cus_ada", lines: [line] }, as);
    expect(Object.keys(JSON.parse(received[0]?.body ?? ""))).toEqual(["lines", "note"]);
  });

  test("answers `conflict` for a reference that was used before", async () => {
    const { as } = await openDesk();
    const order = { customer_id: "cus_ada", reference: "A-1", lines: [line] };
    expect(await createOrder(order, as)).toEqual({
      status: "conflict",
      status_code: 409,
      error: "there is an order with the reference A-1",
    });
  });

  test("tries again after the busy service's pause under the same key, and creates one order", async () => {
    const { as, received, ledger } = await openDesk();
    const order = { customer_id: "cus_busy_2", reference: "B-1", lines: [line] };
    const waits = timersOf(1000);
    expect(await createOrder(order, as)).toMatchObject({ status: "success" });
    expect(received).toHaveLength(3);
    expect(new Set(received.map((each) => each.headers["idempotency-key"])).size).toBe(1);
    // `Retry-After: 1`, twice.
    expect(waits()).toBe(2);
    expect(ledger.records.at(-1)).toMatchObject({ attempts: 3, status: "success" });
    const kept = await listOrders({ customer_id: "cus_busy_2" }, as);
    expect(kept).toMatchObject({ status: "success", data: [{ reference: "B-1" }] });
  });

  test("answers `rate_limited` if the service stays busy", async () => {
    const { as, received } = await openDesk();
    expect(await createOrder({ customer_id: "cus_busy_9", lines: [line] }, as)).toEqual({
      status: "rate_limited",
      status_code: 429,
      error: "too many orders at once",
    });
    expect(received).toHaveLength(3);
  });

  test("sends a separate key with each call", async () => {
    const { as, received } = await openDesk();
    const order = { customer_id: "cus_ada", lines: [line] };
    await Promise.all([createOrder(order, as), createOrder(order, as)]);
    expect(new Set(received.map((each) => each.headers["idempotency-key"])).size).toBe(2);
  });
});

describe("cancel-order, a shadow tool", () => {
  test("records the request with the names of credentials, and sends nothing", async () => {
    const { as, received, ledger } = await openDesk();
    const request = {
      method: "DELETE",
      url: "${ORDERS_URL}/orders/ord_1001",
      headers: {
        Authorization: "Bearer ${ORDERS_TOKEN}",
        accept: "application/json, */*;q=0.1",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "skillc",
      },
    };
    expect(await cancelOrder({ order_id: "ord_1001" }, as)).toEqual({ status: "shadow", request });
    expect(received).toEqual([]);
    expect(ledger.records).toMatchObject([
      { type: "end", tool: "cancel-order", mode: "shadow", status: "shadow", request, attempts: 0 },
    ]);
  });

  test("sends in mode `active`, and answers success, not_found and conflict", async () => {
    const { as } = await openDesk();
    const active = { ...as, mode: "active" } as const;
    expect(await cancelOrder({ order_id: "ord_1001" }, active)).toEqual({
      status: "success",
      data: null,
    });
    expect(await cancelOrder({ order_id: "ord_1001" }, active)).toMatchObject({
      status: "not_found",
      error: "there is no order ord_1001",
    });
    expect(await cancelOrder({ order_id: "ord_1003" }, active)).toMatchObject({
      status: "conflict",
      error: "ord_1003 is on its way",
    });
  });
});

test("shadow mode records the request that active mode sends, except for values of credentials and the key", async () => {
  const { as, received, url, token } = await openDesk();
  const order = { customer_id: "cus_ä/b", reference: 'a"b\n', lines: [line] };
  const shadow = await createOrder(order, { ...as, mode: "shadow" });
  if (shadow.status !== "shadow") throw new Error(shadow.status);
  await createOrder(order, { ...as, mode: "active" });
  const [sent] = received;
  if (sent === undefined) throw new Error("nothing was sent");
  const { request } = shadow;
  const opened = JSON.parse(
    JSON.stringify(request).replaceAll("${ORDERS_URL}", url).replaceAll("${ORDERS_TOKEN}", token),
  );
  const { host: _, connection: __, "content-length": ___, ...headers } = sent.headers;
  const lowerCase = Object.entries(opened.headers).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  expect(`${opened.method} ${opened.url}`).toBe(`${sent.method} ${url}${sent.path}`);
  expect(opened.body).toEqual(JSON.parse(sent.body));
  expect({ ...Object.fromEntries(lowerCase), "idempotency-key": "one" }).toEqual({
    ...headers,
    "idempotency-key": "one",
  });
});

describe("quote-shipping, a handler", () => {
  test("gets its answer from the application's handler", async () => {
    const { as, ledger } = await openDesk();
    expect(await quoteShipping({ country: "DE", weight_kg: 3 }, as)).toEqual({
      status: "success",
      data: { price: 10, currency: "EUR" },
    });
    expect(ledger.records.at(-1)).toMatchObject({ kind: "handler", status: "success" });
  });

  test("fails if the handler's result differs from the skill's schema", async () => {
    const wrong: unknown = { price: "ten", currency: "USD" };
    const { as } = await openDesk({
      // @ts-expect-error the compiler says so first
      handlers: { "order-desk/quote-shipping": () => wrong },
    });
    const call = quoteShipping({ country: "DE", weight_kg: 3 }, as);
    expect((await failureOf(call, "SCHEMA.VALIDATION_FAILED")).failure).toMatchObject({
      subject: "result",
      problems: [{ pointer: "/price" }, { pointer: "/currency" }],
    });
  });

  test("fails if the handler throws", async () => {
    const { as } = await openDesk({
      handlers: {
        ...apiBuilder,
        "order-desk/quote-shipping": () => {
          throw new Error("no price list");
        },
      },
    });
    const error = await failureOf(
      quoteShipping({ country: "DE", weight_kg: 3 }, as),
      "UNKNOWN.INTERNAL",
    );
    expect(error.failure).toMatchObject({ reason: "handler-failed" });
    expect(error.cause).toEqual(new Error("no price list"));
  });

  test("can have a handler in place of a binding, with defaults filled in", async () => {
    const contexts: HandlerContext[] = [];
    const { as, received } = await openDesk({
      handlers: {
        ...handlers,
        "order-desk/list-orders": ({ limit }, context) => {
          contexts.push(context);
          return limit === 20 ? [] : Promise.reject(new Error("no default"));
        },
      },
    });
    expect(await listOrders({}, { ...as, trace: "t-1" })).toEqual({ status: "success", data: [] });
    expect(contexts).toMatchObject([{ skill: "order-desk", tool: "list-orders", trace: "t-1" }]);
    expect(received).toEqual([]);
  });
});

/** The offered tools of `order-desk`. Skills without prerequisites are offered too. */
async function offersOfDesk(runtime: ReturnType<typeof createRuntime>) {
  const offered = await offerTools(catalog, runtime);
  return offered.filter(({ name }) => name.startsWith("order-desk__"));
}

describe("prerequisites", () => {
  test("keep tools from being offered and called if one is missing, and the error names it", async () => {
    const { runtime, as } = await openDesk({ credentials: { ORDERS_URL: "http://127.0.0.1:1" } });
    const missing = [{ kind: "env", name: "ORDERS_TOKEN" }];
    const call = getOrder({ order_id: "ord_1001" }, as);
    const error = await failureOf(call, "POLICY.DENY_TOOL");
    expect(error.failure).toEqual({ code: "POLICY.DENY_TOOL", missing });
    expect(error.message).toContain("ORDERS_TOKEN");
    expect(await offersOfDesk(runtime)).toEqual([]);
    const orderDesk = catalog.skills.find((each) => each.name === "order-desk");
    expect(orderDesk && (await missingFor(orderDesk, runtime))).toEqual(missing);
  });

  test("let the skill's tools be offered if all are met", async () => {
    const { runtime } = await openDesk();
    const offered = await offersOfDesk(runtime);
    const desk = catalog.skills.find((each) => each.name === "order-desk");
    expect(offered.map((each) => each.name)).toEqual(desk?.tools.map((tool) => tool.model_name));
    expect(offered).toHaveLength(6);
    expect(offered[1]).toMatchObject({
      description: "Fetch one order by its id.",
      input_schema: { type: "object", required: ["order_id"] },
    });
  });
});

describe("hostile parameters", () => {
  test.each([".", "..", "../customers/cus_ada", "%2e%2e", "..;/x"])(
    "stay inside a path segment: `%s`",
    async (order_id) => {
      const { as, received } = await openDesk();
      const error = await failureOf(getOrder({ order_id }, as), "SCHEMA.VALIDATION_FAILED");
      expect(error.failure).toMatchObject({ problems: [{ pointer: "/order_id" }] });
      expect(received).toEqual([]);
    },
  );

  test.each([
    ["customers/cus_ada", "customers%2Fcus_ada"],
    ["%2ea", "%252ea"],
    ["a\r\nX-Evil: 1\r\n\r\nGET /", "a%0D%0AX-Evil%3A%201%0D%0A%0D%0AGET%20%2F"],
    ["ord?limit=1#top", "ord%3Flimit%3D1%23top"],
    ["http://evil.example/", "http%3A%2F%2Fevil.example%2F"],
    ["${ORDERS_TOKEN}", "%24%7BORDERS_TOKEN%7D"],
    ["{order_id}", "%7Border_id%7D"],
    ["__proto__", "__proto__"],
    ["\0", "%00"],
  ])("stay one segment: %j", async (order_id, encoded) => {
    const { as, received } = await openDesk();
    expect(await getOrder({ order_id }, as)).toMatchObject({ status: "not_found" });
    expect(received.map((each) => each.path)).toEqual([`/orders/${encoded}`]);
  });

  test("cause an error if they contain half a character", async () => {
    const { as, received } = await openDesk();
    await failureOf(getOrder({ order_id: "\ud800" }, as), "SCHEMA.VALIDATION_FAILED");
    expect(received).toEqual([]);
  });

  test.each(["__proto__", "constructor", "toString"])(
    "cause an error if the key is `%s`",
    async (key) => {
      const { as, received } = await openDesk();
      const params = JSON.parse(
        `{"order_id": "ord_1001", ${JSON.stringify(key)}: {"polluted": 1}}`,
      );
      const error = await failureOf(getOrder(params, as), "SCHEMA.VALIDATION_FAILED");
      expect(error.failure).toMatchObject({ problems: [{ pointer: `/${key}` }] });
      expect(received).toEqual([]);
      expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("polluted");
    },
  );

  const noParameters: readonly { readonly params: unknown }[] = [
    { params: null },
    { params: undefined },
    { params: "ord_1001" },
    { params: [] },
    { params: () => ({ order_id: "ord_1001" }) },
    { params: { order_id: { toString: () => "ord_1001" } } },
    { params: Object.create({ order_id: "ord_1001" }) },
  ];

  test.each(noParameters)("cause an error if they are no object: %o", async ({ params }) => {
    const { as, received } = await openDesk();
    // @ts-expect-error callers in plain JavaScript get here
    await failureOf(getOrder(params, as), "SCHEMA.VALIDATION_FAILED");
    expect(received).toEqual([]);
  });

  test("reach the service unchanged, whatever they look like", async () => {
    const { as } = await openDesk();
    const texts = ["${ORDERS_TOKEN}", "{customer_id}", '"},"x":"', "__proto__", "\u2028\0é🙈"];
    for (const reference of texts) {
      const order = { customer_id: "cus_ada", reference, lines: [line] };
      const answer = await createOrder(order, as);
      expect(answer).toMatchObject({ status: "success", data: { reference } });
    }
  });
});

test("two hundred concurrent calls each get their own answer and their own record", async () => {
  const { as, ledger } = await openDesk();
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  const created = await Promise.all(
    numbers.map(async (number) => {
      const order = { customer_id: `cus_${number}`, reference: `R-${number}`, lines: [line] };
      const [one, missing] = await Promise.all([
        createOrder(order, as),
        getOrder({ order_id: `none-${number}` }, as),
      ]);
      expect(missing).toMatchObject({ error: `there is no order none-${number}` });
      return one;
    }),
  );
  for (const [number, answer] of created.entries()) {
    const data = { customer_id: `cus_${number}`, reference: `R-${number}` };
    expect(answer).toMatchObject({ status: "success", data });
  }
  const ends = ledger.records.filter((each) => each.type === "end");
  expect(ends).toHaveLength(200);
  expect(new Set(ends.map((each) => each.id)).size).toBe(200);
});

describe("two tenants side by side", () => {
  test("each reach their own service with their own token, and keep their own ledger", async () => {
    const desks = await Promise.all([openDesk({}, "token-of-one"), openDesk({}, "token-of-two")]);
    await Promise.all(
      desks.flatMap(({ as, token }) =>
        Array.from({ length: 30 }, async (_, number) => {
          const order = { customer_id: `cus_${token}`, reference: `${number}`, lines: [line] };
          expect(await createOrder(order, as)).toMatchObject({ status: "success" });
        }),
      ),
    );
    for (const { received, token, ledger } of desks) {
      const seen = new Set(received.map((each) => each.headers.authorization));
      expect([...seen]).toEqual([`Bearer ${token}`]);
      expect(received).toHaveLength(30);
      expect(ledger.records).toHaveLength(60);
      const other = token === "token-of-one" ? "token-of-two" : "token-of-one";
      expect(JSON.stringify(ledger.records)).not.toContain(other);
    }
  });

  test("never see the server's own credentials with `inherit: false`", async () => {
    const { url, token, received } = await openDesk();
    const env = { ORDERS_URL: url, ORDERS_TOKEN: token };
    const server = createRuntime({ handlers, ledger: false, env });
    const tenant = createRuntime({ handlers, ledger: false, env, inherit: false });
    const order = { order_id: "ord_1001" };
    expect(await getOrder(order, { runtime: server })).toMatchObject({ status: "success" });
    const error = await failureOf(getOrder(order, { runtime: tenant }), "POLICY.DENY_TOOL");
    expect(error.failure).toMatchObject({
      missing: [{ name: "ORDERS_URL" }, { name: "ORDERS_TOKEN" }],
    });
    expect(received).toHaveLength(1);
  });
});

describe("a service in trouble", async () => {
  const desk = await compileTroubleDesk();
  const call = (name: string, params: unknown, options: CallOptions): Promise<Answer> => {
    const tool = desk[name];
    if (tool === undefined) throw new Error(`no ${name}: ${Object.keys(desk).join()}`);
    return tool(params, options);
  };

  test("gets no request if a credential is missing, and the error says where to set it", async () => {
    const { as, received, ledger } = await openDesk({ credentials: { ORDERS_TOKEN: "" } });
    const error = await failureOf(call("garbage", {}, as), "CREDENTIAL.MISSING");
    expect(error.failure).toMatchObject({ names: ["ORDERS_URL", "ORDERS_TOKEN"] });
    expect(error.message).toMatch(/ORDERS_URL.*trouble-desk\/garbage.*\.env.*skillc\.yaml/);
    expect(error.attempts).toBe(0);
    expect(received).toEqual([]);
    expect(ledger.records).toMatchObject([{ error: { code: "CREDENTIAL.MISSING" } }]);
  });

  test("fails the call if each attempt exceeds its time", async () => {
    const { as, received, ledger } = await openDesk();
    const error = await failureOf(call("slow", { ms: 60_000 }, as), "PROVIDER.TIMEOUT");
    expect(error.failure).toMatchObject({ timeoutMs: 500 });
    expect(error.attempts).toBe(3);
    expect(received).toHaveLength(3);
    expect(ledger.records).toMatchObject([{ type: "end", status: "failed", attempts: 3 }]);
  });

  test("gets the time to answer slowly within the limit", async () => {
    const { as } = await openDesk();
    expect(await call("patient", { ms: 300 }, as)).toEqual({
      status: "success",
      data: { waited_ms: 300 },
    });
  });

  test("gets a read again after a broken connection, but not a write that may not be repeated", async () => {
    const { as, received } = await openDesk();
    const read = await failureOf(call("broken", {}, as), "PROVIDER.UNAVAILABLE");
    expect(read.attempts).toBe(4);
    expect(received).toHaveLength(4);
    const write = await failureOf(call("brokenWrite", {}, as), "PROVIDER.UNAVAILABLE");
    expect(write.attempts).toBe(1);
    expect(received).toHaveLength(5);
  });

  test("fails the call with the system's reason if nobody listens", async () => {
    const credentials = { ORDERS_URL: "http://127.0.0.1:1", ORDERS_TOKEN: "t" };
    const { as } = await openDesk({ credentials });
    const error = await failureOf(call("broken", {}, as), "PROVIDER.UNAVAILABLE");
    expect(error.failure).toMatchObject({ reason: "ECONNREFUSED" });
  });

  test("gets a read again if it is busy", async () => {
    const { as } = await openDesk();
    const waits = timersOf(1000);
    expect(await call("busy", { key: "a" }, as)).toEqual({ status: "success", data: { asked: 3 } });
    expect(waits()).toBe(2);
  });

  test("fails the call if its body is no JSON or too long", async () => {
    const { as } = await openDesk();
    const garbage = await failureOf(call("garbage", {}, as), "PROVIDER.PROTOCOL");
    expect(garbage.message).not.toContain("oops");
    const huge = await failureOf(call("huge", {}, as), "PROVIDER.PROTOCOL");
    expect(huge.message).toContain("100000");
  });

  test("fails the call if a response or a result has another form, and the error says where", async () => {
    const { as } = await openDesk();
    const response = await failureOf(call("wrongResponse", {}, as), "SCHEMA.VALIDATION_FAILED");
    expect(response.failure).toMatchObject({
      subject: "response",
      problems: [{ pointer: "/rows" }],
    });
    const result = await failureOf(call("wrongResult", {}, as), "SCHEMA.VALIDATION_FAILED");
    expect(result.failure).toMatchObject({
      subject: "result",
      problems: [{ pointer: "/0" }, { pointer: "/1" }],
    });
  });

  test.each(["a\r\nX-Evil: 1", "a\n", "a\0", "→"])("never gets a header with %j", async (trace) => {
    const { as, received } = await openDesk();
    await failureOf(call("traced", { trace }, as), "SCHEMA.VALIDATION_FAILED");
    expect(received).toEqual([]);
  });

  test("gets no further request after the caller aborts", async () => {
    const { as, received, ledger } = await openDesk();
    const controller = new AbortController();
    const waiting = call("patient", { ms: 60_000 }, { ...as, signal: controller.signal });
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    const error = await failureOf(waiting, "UNKNOWN.INTERNAL");
    expect(error.failure).toMatchObject({ reason: "aborted" });
    await failureOf(
      call("patient", { ms: 1 }, { ...as, signal: controller.signal }),
      "UNKNOWN.INTERNAL",
    );
    expect(received).toHaveLength(1);
    expect(ledger.records.map((each) => each.type)).toEqual(["end", "end"]);
  });
});
