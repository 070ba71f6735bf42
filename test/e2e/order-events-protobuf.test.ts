/** The tools of skills/order-events whose messages are Protobuf, decoded by protobufjs from the skill's own files. */
import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import {
  announceOrderShipped,
  logPayment,
  requestLabel,
} from "../../generated/order-events/index.js";
import { shutdown } from "../../src/runtime/index.js";
import { orderType } from "../bindings/queue/support/order-type.js";
import { desk, onKafka, onRabbitmqVhost, onRedis } from "./order-events-brokers.js";

/** Longs as digits, enums by name, `bytes` in base64; no defaults. */
function decode(name: string, body: Uint8Array | undefined): unknown {
  const type = orderType(name);
  const message = type.decode(body ?? new Uint8Array());
  return type.toObject(message, { longs: String, enums: String, bytes: String });
}

afterAll(() => shutdown());

onKafka("order-events on Kafka", (kafka) => {
  test("announce-order-shipped sends nested messages, an enum and a timestamp as protobuf reads them", async () => {
    const { runtime } = desk({ ORDER_EVENTS_KAFKA: kafka().url });
    const order_id = randomUUID();
    const parcels = [
      { id: "p1", grams: 400 },
      { id: "p2", grams: 1 },
    ];
    const shipped_at = "2026-07-25T10:11:12.345Z";
    const params = { order_id, carrier: "CARRIER_COURIER", shipped_at, parcels } as const;
    expect(await announceOrderShipped(params, { runtime })).toMatchObject({ status: "success" });
    const [message] = await kafka().read("orders.shipped");
    expect(message?.key?.toString()).toBe(order_id);
    expect(decode("OrderShipped", message?.body)).toEqual({
      order_id,
      carrier: "CARRIER_COURIER",
      shipped_at: {
        seconds: String(Math.floor(Date.parse(shipped_at) / 1000)),
        nanos: 345_000_000,
      },
      parcels,
    });
  });
});

onRabbitmqVhost("order-events on RabbitMQ", (rabbitmq) => {
  test("request-label reaches a queue by its name, and what is sensitive is masked", async () => {
    const { ledger, runtime } = desk({ ORDER_EVENTS_AMQP: rabbitmq().url });
    await rabbitmq().side((channel) => channel.assertQueue("labels"));
    const order_id = randomUUID();
    const params = { order_id, recipient: "Zoë O'Hara", address_lines: ["1 Main St", "\u2028"] };
    expect(await requestLabel(params, { runtime })).toMatchObject({
      status: "success",
      data: { exchange: "", routing_key: "labels" },
    });
    const [message] = await rabbitmq().drain("labels");
    expect(decode("LabelRequested", message?.content)).toEqual(params);
    expect(JSON.stringify(ledger.records)).not.toMatch(/Hara|Main St/);
  });

  test("request-label is unroutable without its queue", async () => {
    const { runtime } = desk({ ORDER_EVENTS_AMQP: rabbitmq().url });
    await rabbitmq().side((channel) => channel.deleteQueue("labels"));
    const params = { order_id: randomUUID(), recipient: "Zoë", address_lines: ["1 Main St"] };
    expect(await requestLabel(params, { runtime })).toEqual({
      status: "unroutable",
      error: { exchange: "", routing_key: "labels" },
    });
  });
});

onRedis("order-events on Redis", (redis) => {
  test("log-payment adds one of a oneof with an imported message once, and a repeat adds nothing", async () => {
    const { runtime } = desk({ ORDER_EVENTS_REDIS: redis().url });
    const order_id = randomUUID();
    const params = { order_id, currency: "EUR", units: 1250, card_last_four: "4242" };
    const first = await logPayment(params, { runtime });
    if (first.status !== "success") throw new Error(first.status);
    expect(await logPayment(params, { runtime })).toEqual({
      ...first,
      data: { ...first.data, repeated: true },
    });
    const [entry, ...others] = await redis().entries("payments");
    expect(others).toEqual([]);
    expect(decode("PaymentReceived", entry?.fields.get("body"))).toEqual({
      order_id,
      amount: { currency: "EUR", units: "1250" },
      card_last_four: "4242",
    });
  });
});
