/**
 * Types of queue tools: of code that calls them, and of messages that a generated module builds.
 * `npx tsc --noEmit` is the test; nothing runs.
 */
import { expectTypeOf } from "vitest";
import {
  announceOrder,
  type AnnounceOrderData,
  type AnnounceOrderResult,
} from "../cases/queue-kafka/generated/order-events/index.js";
import type {
  AnnounceOrderMessage,
  AnnounceOrderParams,
} from "../cases/queue-kafka/generated/order-events/announce-order.js";
import {
  type BillOrderData,
  type BillOrderResult,
  printLabel,
} from "../cases/queue-rabbitmq/generated/order-events/index.js";
import { logOrder } from "../cases/queue-redis/generated/order-events/index.js";
import type { Publication, Written } from "../../src/bindings/queue/contract.js";
import { avro } from "@skillc/runtime/v1/avro";
import { kafka } from "@skillc/runtime/v1/kafka";
import { credential, json, targetName } from "@skillc/runtime/v1/queue";
import { redis } from "@skillc/runtime/v1/redis";

const order = {
  order_id: "3f1c0a52-5f0e-4a83-9d29-3cb1f6a0f4f1",
  customer_id: 7,
  currency: "EUR",
} as const;

export async function callers(): Promise<void> {
  const answer = await announceOrder(order);
  if (answer.status === "success") expectTypeOf(answer.data.offset).toEqualTypeOf<string>();
  if (answer.status === "shadow")
    expectTypeOf(answer.request.encoded.bytes).toEqualTypeOf<number>();
  // @ts-expect-error a symbol that the enum lacks
  await announceOrder({ ...order, currency: "GBP" });
  // @ts-expect-error text for a number
  await announceOrder({ ...order, customer_id: "7" });
  // @ts-expect-error an unknown parameter
  await announceOrder({ ...order, orderID: "x" });
  const logged = await logOrder(order);
  if (logged.status === "success")
    expectTypeOf(logged.data).toEqualTypeOf<{
      readonly stream: string;
      readonly id: string;
      readonly repeated?: true;
    }>();
  const label = await printLabel({ order_id: order.order_id });
  if (label.status === "unroutable") expectTypeOf(label.error.routing_key).toEqualTypeOf<string>();
  // @ts-expect-error an unroutable message has no receipt
  void label.data;

  expectTypeOf<AnnounceOrderData>().toHaveProperty("partition").toEqualTypeOf<number>();
  expectTypeOf<BillOrderData>().toHaveProperty("delivery_tag").toEqualTypeOf<number>();
  expectTypeOf<AnnounceOrderResult["status"]>().toEqualTypeOf<"success" | "shadow">();
  expectTypeOf<BillOrderResult["status"]>().toEqualTypeOf<"success" | "unroutable" | "shadow">();
}

type Built = Publication<AnnounceOrderMessage, { readonly topic: string }>["message"];

/** Messages of the schema, checked against the generated types. */
export function messages(p: AnnounceOrderParams, note: string | undefined): readonly Built[] {
  return [
    { order_id: p.order_id, customer_id: p.customer_id, currency: p.currency },
    { order_id: p.order_id, customer_id: "9223372036854775807", currency: "USD", note },
    { order_id: p.order_id, customer_id: p.customer_id, currency: p.currency, note: null },
    // @ts-expect-error a field that the schema lacks
    { order_id: p.order_id, customer_id: p.customer_id, currency: p.currency, colour: "red" },
    // @ts-expect-error the field's name in another case
    { orderID: p.order_id, customer_id: p.customer_id, currency: p.currency },
    // @ts-expect-error a required field is missing
    { order_id: p.order_id, currency: p.currency },
    // @ts-expect-error a required field may be absent
    { order_id: note, customer_id: p.customer_id, currency: p.currency },
    // @ts-expect-error a boolean for a long
    { order_id: p.order_id, customer_id: true, currency: p.currency },
    // @ts-expect-error a number for text
    { order_id: p.customer_id, customer_id: p.customer_id, currency: p.currency },
    // @ts-expect-error a symbol that the enum lacks
    { order_id: p.order_id, customer_id: p.customer_id, currency: "GBP" },
    // @ts-expect-error null in a field that is not nullable
    { order_id: p.order_id, customer_id: null, currency: p.currency },
  ];
}

export function providers(message: Written<{ id: string }>): void {
  const encode = json<{ id: string }>();
  const contract = { connection: "EVENTS", encode } as const;
  kafka<{ id: string }, { id: string }>({
    ...contract,
    publish: () => ({ target: { topic: "t" }, message }),
  });
  kafka<{ id: string; region?: string }, { id: string }>({
    ...contract,
    publish: ({ id, region }) => ({
      target: { topic: targetName(credential("ENV"), ".orders.", ["/id", id]), key: region },
      message,
    }),
  });
  kafka<{ region?: string }, { id: string }>({
    ...contract,
    // @ts-expect-error a parameter that may be absent can't be part of a name
    publish: ({ region }) => ({ target: { topic: targetName(["/region", region]) }, message }),
  });
  kafka<{ id: string }, { id: string }>({
    ...contract,
    // @ts-expect-error a RabbitMQ target for Kafka
    publish: () => ({ target: { exchange: "e", routing_key: "k" }, message }),
  });
  redis<{ id: string }, { id: string }>({
    ...contract,
    // @ts-expect-error a stream without a name
    publish: () => ({ target: { maxlen: 5 }, message }),
  });
  redis<{ id: string }, { id: string }>({
    ...contract,
    // @ts-expect-error an encoder for other messages
    encode: avro<{ name: string }>({ type: "record", name: "N", fields: [] }),
    publish: () => ({ target: { stream: "s" }, message }),
  });
}
