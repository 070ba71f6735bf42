/** The generated functions of skills/order-events publish to real brokers; independent clients read the messages back. */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  trace,
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
} from "@opentelemetry/api";
import avro from "avsc";
import { Redis } from "ioredis";
import { afterAll, describe, expect, test } from "vitest";
import {
  announceOrderCreated,
  type AnnounceOrderCreatedParams,
  announceStockLevel,
  logPriceChange,
  logView,
  requestInvoice,
  requestRefund,
} from "../../generated/order-events/index.js";
import { isToolError, shutdown } from "../../src/runtime/index.js";
import { startScriptedBroker } from "../bindings/queue/kafka/scripted-broker.js";
import { startKafkaProxy } from "../bindings/queue/support/kafka.js";
import { desk, onKafka, onRabbitmq, onRedis } from "./order-events-brokers.js";

const avroOf = (name: string) =>
  avro.Type.forSchema(
    JSON.parse(
      readFileSync(new URL(`../../skills/order-events/${name}`, import.meta.url), "utf8"),
    ) as avro.Schema,
  );

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Of two decimals, in a `bytes` field. */
const cents = (bytes: Buffer) =>
  Number(BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString("hex")}`)));

const hostile = [
  "",
  "' OR 1=1 --",
  "\r\nXADD other * a b",
  "{order_id} ${ORDER_EVENTS_REDIS} {{x}}",
  "../../etc/passwd",
  "\u0000\u2028\u202e",
  "__proto__",
  "🙂 größer",
  "x".repeat(400),
];

function order(): AnnounceOrderCreatedParams {
  return {
    order_id: randomUUID(),
    customer_id: 4_503_599_627_370_495,
    total: "12.50",
    currency: "EUR",
    created_at: "2026-07-25T10:11:12.345Z",
    lines: [{ sku: "MUG", quantity: 2 }],
  };
}

function refund() {
  return {
    refund_id: randomUUID(),
    order_id: randomUUID(),
    amount: "0.05",
    reason: "late",
    requested_on: "2026-07-25",
  } as const;
}

async function failureOf(call: Promise<unknown>) {
  const error: unknown = await call.then(
    (value) => new Error(`resolved with ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (isToolError(error)) return error;
  throw error;
}

afterAll(() => shutdown());

onKafka("order-events on Kafka", (kafka) => {
  const connect = () => desk({ ORDER_EVENTS_KAFKA: kafka().url });

  test("announce-order-created publishes Avro with its key and headers to the place in the receipt", async () => {
    const { ledger, runtime } = connect();
    const given = order();
    const answer = await announceOrderCreated({ ...given, note: "leave at the door" }, { runtime });
    if (answer.status !== "success") throw new Error(answer.status);
    const messages = await kafka().read("orders.created");
    const found = messages.find(({ key }) => key?.toString() === given.order_id);
    expect(found).toMatchObject({ partition: answer.data.partition, offset: answer.data.offset });
    const decoded = avroOf("order-created.avsc").fromBuffer(
      found?.body ?? Buffer.alloc(0),
    ) as Record<string, unknown>;
    expect({ ...decoded, total: cents(decoded["total"] as Buffer) }).toEqual({
      ...given,
      total: 1250,
      created_at: Date.parse(given.created_at),
      note: "leave at the door",
      channel: "agent",
    });
    expect(Object.fromEntries(found?.headers ?? [])).toMatchObject({
      correlation_id: given.order_id,
      source: "order-events",
      "content-type": "avro/binary",
    });
    expect(ledger.records).toMatchObject([
      { type: "begin", kind: "queue", tool: "announce-order-created", effect: "write" },
      { type: "end", status: "success", attempts: 1, error: null },
    ]);
  });

  test("announce-stock-level publishes JSON with the call's id, the tool and the active span in its headers", async () => {
    const { ledger, runtime } = connect();
    const sku = randomUUID();
    await withSpan(() => announceStockLevel({ sku, available: 3 }, { runtime }));
    const messages = await kafka().read("stock.levels");
    const found = messages.find(({ key }) => key?.toString() === sku);
    expect(JSON.parse(found?.body.toString() ?? "")).toEqual({ sku, available: 3 });
    expect(Object.fromEntries(found?.headers ?? [])).toEqual({
      correlation_id: ledger.records[0]?.id,
      source: "order-events/announce-stock-level",
      traceparent: `00-${span.traceId}-${span.spanId}-01`,
      "content-type": "application/json",
    });
  });

  test("publishes each hostile value as one message, and nothing else", async () => {
    const { runtime } = connect();
    for (const text of hostile.filter((each) => each !== "")) {
      const { status } = await announceStockLevel(
        { sku: text, available: 1, location: text },
        { runtime },
      );
      expect(status).toBe("success");
    }
    const bodies = (await kafka().read("stock.levels")).map(({ body, key }) => [
      key?.toString(),
      JSON.parse(body.toString()) as unknown,
    ]);
    for (const text of hostile.filter((each) => each !== ""))
      expect(bodies).toContainEqual([text, { sku: text, available: 1, location: text }]);
  });

  test("shadow mode sends nothing, and its record has the exact size of the message", async () => {
    const { ledger, runtime } = connect();
    const given = order();
    const shadow = await announceOrderCreated(given, { runtime, mode: "shadow" });
    if (shadow.status !== "shadow") throw new Error(shadow.status);
    await announceOrderCreated(given, { runtime });
    const sent = (await kafka().read("orders.created")).filter(
      ({ key }) => key?.toString() === given.order_id,
    );
    expect(sent).toHaveLength(1);
    const body = sent[0]?.body ?? Buffer.alloc(0);
    expect(shadow.request).toEqual({
      provider: "kafka",
      connection: "${ORDER_EVENTS_KAFKA}",
      target: { topic: "orders.created", key: given.order_id },
      headers: { correlation_id: given.order_id, source: "order-events" },
      message: { ...given, channel: "agent" },
      encoded: { content_type: "avro/binary", bytes: body.length, sha256: sha256(body) },
    });
    expect(ledger.records[0]).toMatchObject({ mode: "shadow", request: shadow.request });
  });

  test("a stopped broker is reported as unavailable in time, and its return is noticed", async () => {
    const proxy = await startKafkaProxy(kafka());
    const { runtime } = desk({ ORDER_EVENTS_KAFKA: `kafka://127.0.0.1:${proxy.port}` });
    const given = order();
    await announceOrderCreated(given, { runtime });
    await proxy.cut();
    const error = await failureOf(announceOrderCreated(given, { runtime }));
    // An attempt that its own limit ends is PROVIDER.TIMEOUT.
    expect(error.code).toBe("PROVIDER.UNAVAILABLE");
    expect(error.message).not.toContain("127.0.0.1");
    // The first may have been written to a connection that was not known to be lost.
    const next = await failureOf(announceOrderCreated(given, { runtime }));
    expect(next).toMatchObject({ code: "PROVIDER.UNAVAILABLE", outcome: "not-done" });
    await proxy.resume();
    expect(await announceOrderCreated(given, { runtime })).toMatchObject({ status: "success" });
    await proxy.close();
  });
});

test("a message over Kafka's limit fails with that limit, and leaves the others alone", async () => {
  // The mock cluster takes messages of any size.
  const limit = 2000;
  const isTooLarge = (value: Buffer) => value.length > limit;
  const broker = await startScriptedBroker({
    limit,
    onProduce: ({ values }) => ({ error: values.some(isTooLarge) ? 10 : 0 }),
  });
  const { ledger, runtime } = desk({ ORDER_EVENTS_KAFKA: `kafka://127.0.0.1:${broker.port}` });
  const location = "x".repeat(limit);
  const large = failureOf(announceStockLevel({ sku: "L", available: 1, location }, { runtime }));
  const small = announceStockLevel({ sku: "S", available: 1 }, { runtime });
  const error = await large;
  expect(error).toMatchObject({ code: "PROVIDER.PROTOCOL", outcome: "not-done" });
  expect(error.message).toMatch(
    /the message has 2\d\d\d bytes, more than the topic's `max\.message\.bytes`, which is 2000 bytes$/,
  );
  expect(await small).toMatchObject({ status: "success" });
  expect(broker.log.map(({ value }) => value)).toEqual(['{"sku":"S","available":1}']);
  expect(ledger.records).toContainEqual(
    expect.objectContaining({ type: "end", status: "failed", attempts: 1 }),
  );
  await shutdown();
  await broker.close();
});

onRabbitmq("order-events on RabbitMQ", (rabbitmq) => {
  const connect = () => desk({ ORDER_EVENTS_AMQP: rabbitmq().url });

  /** A queue of this test's alone, bound to the exchange. */
  async function listen(routingKey: string): Promise<string> {
    const queue = randomUUID();
    await rabbitmq().side(async (channel) => {
      await channel.assertExchange("billing", "topic");
      await channel.assertQueue(queue);
      await channel.bindQueue(queue, "billing", routingKey);
    });
    return queue;
  }

  test("request-refund publishes persistent Avro to the routed queue, with the idempotency key as its id", async () => {
    const { runtime } = connect();
    const queue = await listen("refund.#");
    const given = refund();
    const answer = await requestRefund(given, { runtime });
    expect(answer).toMatchObject({
      status: "success",
      data: { exchange: "billing", routing_key: "refund.late" },
    });
    const [message, ...others] = await rabbitmq().drain(queue);
    expect(others).toEqual([]);
    expect(message?.properties).toMatchObject({
      contentType: "avro/binary",
      deliveryMode: 2,
      messageId: given.refund_id,
      headers: { source: "order-events/request-refund" },
    });
    const decoded = avroOf("refund.avsc").fromBuffer(message?.content ?? Buffer.alloc(0)) as Record<
      string,
      unknown
    >;
    expect({ ...decoded, amount: cents(decoded["amount"] as Buffer) }).toEqual({
      order_id: given.order_id,
      amount: 5,
      reason: "late",
      requested_on: Date.parse(given.requested_on) / 86_400_000,
    });
    await rabbitmq().side((channel) => channel.deleteQueue(queue));
  });

  test("answers `unroutable` once for a message that no queue takes, and records it", async () => {
    const { ledger, runtime } = connect();
    await rabbitmq().side((channel) => channel.assertExchange("billing", "topic"));
    expect(await requestRefund(refund(), { runtime })).toEqual({
      status: "unroutable",
      error: { exchange: "billing", routing_key: "refund.late" },
    });
    expect(ledger.records.at(-1)).toMatchObject({ type: "end", status: "unroutable", attempts: 1 });
  });

  test("request-invoice publishes hostile values unchanged, and shadow mode masks sensitive values without a hash", async () => {
    const { ledger, runtime } = connect();
    const queue = await listen("invoice");
    const order_id = randomUUID();
    const email = "o'hara+${x}{y}@example.com";
    await requestInvoice({ order_id, email }, { runtime });
    const [message] = await rabbitmq().drain(queue);
    const body = { order: order_id, send_to: email, version: 1 };
    expect(JSON.parse(message?.content.toString() ?? "")).toEqual(body);
    await requestInvoice({ order_id, email }, { runtime, mode: "shadow" });
    expect(await rabbitmq().drain(queue)).toEqual([]);
    expect(JSON.stringify(ledger.records)).not.toContain("hara");
    expect(ledger.records.at(-1)).toMatchObject({
      request: {
        message: { order: order_id, send_to: "***", version: 1 },
        encoded: { bytes: message?.content.length, sha256: "***" },
      },
    });
    await rabbitmq().side((channel) => channel.deleteQueue(queue));
  });

  test("a message over the broker's limit fails with that limit", async () => {
    const { runtime } = connect();
    const queue = await listen("invoice");
    const email = `${"x".repeat(60)}@${"example.".repeat(600)}com`;
    const error = await failureOf(requestInvoice({ order_id: randomUUID(), email }, { runtime }));
    expect(error.message).toMatch(/the message has \d+ bytes, but RabbitMQ accepts at most 4096/);
    expect(error).toMatchObject({ code: "PROVIDER.PROTOCOL", outcome: "not-done" });
    await rabbitmq().side((channel) => channel.deleteQueue(queue));
  });

  test("a stopped broker is reported as unavailable in time, and its return is noticed", async () => {
    const { ledger, runtime } = connect();
    const queue = await listen("invoice");
    const params = { order_id: randomUUID() };
    await requestInvoice(params, { runtime });
    await rabbitmq().kill();
    const error = await failureOf(requestInvoice(params, { runtime }));
    // An attempt that its own limit ends is PROVIDER.TIMEOUT.
    expect(error.code).toBe("PROVIDER.UNAVAILABLE");
    expect(error.message).not.toContain("guest");
    expect(ledger.records.at(-1)).toMatchObject({ error: { code: "PROVIDER.UNAVAILABLE" } });
    await rabbitmq().start();
    expect(await requestInvoice(params, { runtime })).toMatchObject({ status: "success" });
    expect(await rabbitmq().drain(queue)).toHaveLength(2);
    await rabbitmq().side((channel) => channel.deleteQueue(queue));
  });
});

onRedis("order-events on Redis", (redis) => {
  const connect = () => desk({ ORDER_EVENTS_REDIS: redis().url });

  test("log-price-change adds Avro to the stream of its product", async () => {
    const { runtime } = connect();
    const sku = randomUUID();
    const answer = await logPriceChange({ sku, old_price: null, new_price: 12.5 }, { runtime });
    if (answer.status !== "success") throw new Error(answer.status);
    expect(answer.data.stream).toBe(`prices:${sku}`);
    const [entry, ...others] = await redis().entries(`prices:${sku}`);
    expect(others).toEqual([]);
    expect(entry?.id).toBe(answer.data.id);
    expect(
      avroOf("price-changed.avsc").fromBuffer(entry?.fields.get("body") ?? Buffer.alloc(0)),
    ).toEqual({
      sku,
      old_price: null,
      new_price: 12.5,
      labels: {},
    });
    expect(entry?.fields.get("content_type")?.toString()).toBe("avro/binary");
    expect(entry?.fields.get("header:source")?.toString()).toBe("order-events/log-price-change");
  });

  test("log-view omits the fields of absent optional parameters", async () => {
    const { runtime } = connect();
    await logView({ sku: "MUG" }, { runtime });
    await logView({ sku: "MUG", customer_id: 7 }, { runtime });
    const entries = await redis().entries("views");
    expect(
      entries.map(({ fields }) => JSON.parse(fields.get("body")?.toString() ?? "") as unknown),
    ).toEqual([{ sku: "MUG" }, { sku: "MUG", customer_id: 7 }]);
  });

  test("a message over the limit fails with that limit", async () => {
    const { runtime } = connect();
    const error = await failureOf(logView({ sku: "x".repeat(1_100_000) }, { runtime }));
    expect(error.message).toMatch(
      /the message has 11000\d\d bytes, but Redis accepts at most 1048576/,
    );
  });

  test("hostile values create no other key and no other field", async () => {
    const { runtime } = connect();
    await logView({ sku: "MUG" }, { runtime });
    const keys = await redis().side.dbsize();
    for (const sku of hostile) {
      await logView({ sku }, { runtime });
      const entry = (await redis().entries("views")).at(-1);
      expect([...(entry?.fields.keys() ?? [])].toSorted()).toEqual([
        "body",
        "content_type",
        "header:correlation_id",
        "header:source",
      ]);
      expect(JSON.parse(entry?.fields.get("body")?.toString() ?? "")).toEqual({ sku });
    }
    expect(await redis().side.dbsize()).toBe(keys);
  });

  test("a value that is no product creates no stream", async () => {
    const { runtime } = connect();
    const keys = await redis().side.dbsize();
    for (const sku of hostile.filter((each) => each !== "__proto__")) {
      const call = logPriceChange({ sku, old_price: 1, new_price: 2 }, { runtime });
      expect(await failureOf(call)).toMatchObject({ code: "SCHEMA.VALIDATION_FAILED" });
    }
    expect(await redis().side.dbsize()).toBe(keys);
  });

  test("a call that is aborted after its message was sent has an unknown outcome, even if it had to connect", async () => {
    // A connection of its own: the credential's text is its name.
    const { ledger, runtime } = desk({ ORDER_EVENTS_REDIS: `${redis().url}/1` });
    await redis().side.client("PAUSE", 1500, "WRITE");
    const signal = AbortSignal.timeout(500);
    const error = await failureOf(logView({ sku: "LEFT" }, { runtime, signal }));
    expect(error.outcome).toBe("unknown");
    expect(ledger.records.at(-1)).toMatchObject({ type: "end", status: "unknown" });
    await redis().side.client("UNPAUSE");
    const other = new Redis(`${redis().url}/1`);
    expect(await other.xlen("views")).toBe(1);
    other.disconnect();
  });

  test("calls that run at shutdown are confirmed or reported, and calls after it work", async () => {
    const { ledger, runtime } = connect();
    const before = await redis().side.xlen("views");
    const calls = Array.from({ length: 50 }, () => logView({ sku: "FLIGHT" }, { runtime }));
    const settled = Promise.allSettled(calls);
    await shutdown();
    const confirmed = (await settled).filter(({ status }) => status === "fulfilled").length;
    expect(await redis().side.xlen("views")).toBe(before + confirmed);
    const ends = ledger.records.filter(({ type }) => type === "end");
    expect(ends).toHaveLength(50);
    expect(await logView({ sku: "AFTER" }, { runtime })).toMatchObject({ status: "success" });
  });

  test("a stopped broker is reported as unavailable in time, and its return is noticed", async () => {
    const { runtime } = connect();
    await logView({ sku: "DOWN" }, { runtime });
    await redis().kill();
    const error = await failureOf(logView({ sku: "DOWN" }, { runtime }));
    // An attempt that its own limit ends is PROVIDER.TIMEOUT.
    expect(error.code).toBe("PROVIDER.UNAVAILABLE");
    await redis().start();
    expect(await logView({ sku: "BACK" }, { runtime })).toMatchObject({ status: "success" });
  });
});

describe("an invalid connection", () => {
  test.each([
    [{ ORDER_EVENTS_REDIS: "redis://:s3cret@localhost:6379/0?pool=5" }, "has an unknown option"],
    [{ ORDER_EVENTS_REDIS: "redis://:s3cret@localhost:6379/zero" }, "number of a database"],
    [{ ORDER_EVENTS_REDIS: "amqp://:s3cret@localhost" }, "must begin with redis://"],
    [{ ORDER_EVENTS_REDIS: "redis://:s3cret@localhost/0#x" }, "`#`"],
  ])("gets reported by its name, without its value: %j", async (credentials, why) => {
    const { runtime } = desk(credentials);
    const error = await failureOf(logView({ sku: "MUG" }, { runtime }));
    expect(error.message).toContain(why);
    expect(error.message).toContain("ORDER_EVENTS_REDIS");
    expect(error.message).not.toContain("s3cret");
  });

  test("causes an error before anything is sent if it is missing", async () => {
    const { runtime } = desk({});
    const error = await failureOf(logView({ sku: "MUG" }, { runtime }));
    expect(error).toMatchObject({ code: "CREDENTIAL.MISSING", outcome: "not-done" });
  });
});

const span = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

/** As an application's own tracer has it: a span that is active while the call is made. */
async function withSpan<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const active = trace.setSpanContext(ROOT_CONTEXT, { ...span, traceFlags: 1 });
  const manager: ContextManager = {
    active: (): Context => active,
    with: (_, run, self, ...args) => run.apply(self, args),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
  try {
    return await call();
  } finally {
    context.disable();
  }
}
