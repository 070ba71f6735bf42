/** Golden cases with features that skills/order-events doesn't use: a schema registry, a credential in a header, idempotency in Redis. */
import { randomUUID } from "node:crypto";
import avro from "avsc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { announceOrder } from "../cases/queue-kafka/generated/order-events/index.js";
import {
  announceOrder as announceByNats,
  logView as viewByNats,
} from "../cases/queue-nats/generated/order-events/index.js";
import { logView } from "../cases/queue-redis/generated/order-events/index.js";
import { createMemoryLedger, createRuntime, shutdown } from "../../src/runtime/index.js";
import { type Registry, startRegistry } from "../bindings/queue/support/registry.js";
import { startNats, type TestNats, withNats } from "../bindings/queue/support/nats.js";
import { onKafka, onRedis } from "./order-events-brokers.js";

const order = () => ({ order_id: randomUUID(), customer_id: 7, currency: "EUR" }) as const;

afterAll(() => shutdown());

onKafka("a schema registry", (kafka) => {
  let registry: Registry;
  beforeAll(async () => {
    registry = await startRegistry({ user: "skillc", password: "s3cret#" });
  });
  afterAll(() => registry.close());

  function connect(url = registry.url) {
    const credentials = { ORDER_EVENTS: kafka().url, SCHEMA_REGISTRY: url, TENANT: "acme" };
    const ledger = createMemoryLedger();
    return { ledger, runtime: createRuntime({ inherit: false, credentials, ledger }) };
  }

  test("gets one request, and its id precedes each message", async () => {
    const { ledger, runtime } = connect();
    const orders = [order(), order(), order()];
    for (const each of orders)
      expect(await announceOrder(each, { runtime })).toMatchObject({ status: "success" });
    expect(registry.asked).toMatchObject([
      { method: "POST", path: "/subjects/orders.created-value/versions" },
    ]);
    for (const { body, headers, key } of await kafka().read("orders.created")) {
      expect(body.readUInt8(0)).toBe(0);
      const schema = registry.schemaOf(body.readUInt32BE(1)) ?? "";
      const type = avro.Type.forSchema(JSON.parse(schema) as avro.Schema);
      expect(type.fromBuffer(body.subarray(5))).toMatchObject({
        order_id: key?.toString(),
        customer_id: 7,
        currency: "EUR",
        note: "by an agent",
      });
      expect(Object.fromEntries(headers)).toMatchObject({ tenant: "acme", shop: "shop-7" });
    }
    expect(JSON.stringify(ledger.records)).not.toMatch(/s3cret|"acme"/);
  });

  test("makes the call unavailable if it is away, and the error does not contain its URL", async () => {
    const { runtime } = connect("http://skillc:s3cret@127.0.0.1:1/");
    const error: unknown = await announceOrder(order(), { runtime }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "PROVIDER.UNAVAILABLE", outcome: "not-done" });
    expect(String(error)).toContain("${SCHEMA_REGISTRY}");
    expect(String(error)).not.toMatch(/s3cret|127\.0\.0\.1/);
  });

  test("gets no request in shadow mode, which records credentials by name", async () => {
    const { runtime } = connect();
    const asked = registry.asked.length;
    expect(await announceOrder(order(), { runtime, mode: "shadow" })).toMatchObject({
      status: "shadow",
      request: { connection: "${ORDER_EVENTS}", headers: { tenant: "${TENANT}" } },
    });
    expect(registry.asked).toHaveLength(asked);
  });
});

onRedis("idempotency in Redis", (redis) => {
  test("a repeat gives the first entry's id and adds nothing", async () => {
    const credentials = { ORDER_EVENTS_REDIS: redis().url };
    const runtime = createRuntime({ inherit: false, credentials, ledger: false });
    const first = await logView({ sku: "MUG" }, { runtime });
    if (first.status !== "success") throw new Error(first.status);
    expect(await logView({ sku: "MUG" }, { runtime })).toEqual({
      ...first,
      data: { ...first.data, repeated: true },
    });
    await logView({ sku: "PEN" }, { runtime });
    const entries = await redis().entries("views");
    expect(entries.map(({ fields }) => fields.get("body")?.toString())).toEqual([
      '{"sku":"MUG","kind":"page"}',
      '{"sku":"PEN","kind":"page"}',
    ]);
  });
});

withNats("a tool that publishes to NATS", () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startNats();
    await nats.addStream("ORDERS", ["orders.*.created"]);
  });
  afterAll(() => nats.close());

  test("a message is stored once per order, and a missing stream leaves the ledger with the outcome `not-done`", async () => {
    const credentials = { ORDER_EVENTS_NATS: nats.url, TENANT: "acme" };
    const ledger = createMemoryLedger();
    const runtime = createRuntime({ inherit: false, credentials, ledger });
    const placed = { ...order(), region: "eu" } as const;
    const stored = (duplicate: boolean) => ({
      status: "success",
      data: { stream: "ORDERS", seq: 1, duplicate },
    });
    expect(await announceByNats(placed, { runtime })).toEqual(stored(false));
    expect(await announceByNats(placed, { runtime })).toEqual(stored(true));
    const [message, ...others] = await nats.messages("ORDERS");
    expect(others).toEqual([]);
    expect(message?.subject).toBe("orders.eu.created");
    expect(message?.headers.get("tenant")).toBe("acme");
    expect(message?.headers.get("Nats-Msg-Id")).toBe(placed.order_id);
    const refused: unknown = await viewByNats({ sku: "MUG" }, { runtime }).catch(
      (thrown: unknown) => thrown,
    );
    expect(refused).toMatchObject({ code: "PROVIDER.PROTOCOL", outcome: "not-done" });
    expect(JSON.stringify(ledger.records.at(-1))).not.toContain("unknown");
    expect(JSON.stringify(ledger.records)).not.toContain('"acme"');
  });
});
