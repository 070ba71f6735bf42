/** `shutdown()` while messages of skills/order-events are on their way: each is confirmed or reported, in the answer and in the ledger alike. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import {
  announceOrderShipped,
  logView,
  requestInvoice,
} from "../../generated/order-events/index.js";
import { isToolError, type LedgerRecord, type Runtime, shutdown } from "../../src/runtime/index.js";
import { startKafkaProxy } from "../bindings/queue/support/kafka.js";
import { type Proxy, startProxy } from "../bindings/queue/support/proxy.js";
import { until } from "../bindings/queue/support/server-process.js";
import { desk, onKafka, onRabbitmq, onRedis } from "./order-events-brokers.js";

const count = 50;

/** Publishes the messages, each with an id, and waits until all have ended. */
type Publish = (id: string, runtime: Runtime) => Promise<unknown>;

interface Ended {
  readonly id: string;
  /** `success`, or the outcome of the error. */
  readonly as: string;
}

function publishAll(publish: Publish, runtime: Runtime): Promise<readonly Ended[]> {
  const one = async (id: string): Promise<Ended> => {
    try {
      await publish(id, runtime);
      return { id, as: "success" };
    } catch (error) {
      if (!isToolError(error)) throw error;
      return { id, as: error.outcome };
    }
  };
  return Promise.all(Array.from({ length: count }, () => one(randomUUID())));
}

/** What the ledger tells of each call, in the words of `Ended`. */
const inLedger = (records: readonly LedgerRecord[]) =>
  records.flatMap((each) =>
    each.type === "end" ? [each.status === "failed" ? "not-done" : each.status] : [],
  );

const as = (ended: readonly Ended[]) => ended.map((each) => each.as);
const idsOf = (ended: readonly Ended[], what: string) =>
  ended.filter((each) => each.as === what).map(({ id }) => id);

interface Provider {
  readonly credential: "ORDER_EVENTS_KAFKA" | "ORDER_EVENTS_AMQP" | "ORDER_EVENTS_REDIS";
  readonly url: string;
  readonly proxy: Proxy;
  readonly publish: Publish;
  /** Ids of the messages in the broker. */
  read(): Promise<readonly string[]>;
}

function shutdownTests(start: () => Promise<Provider>): void {
  let provider: Provider;
  beforeEach(async () => {
    provider = await start();
  });
  afterEach(async () => {
    await shutdown();
    await provider.proxy.close();
  });
  const connect = async () => {
    const connected = desk({ [provider.credential]: provider.url });
    await provider.publish(randomUUID(), connected.runtime);
    return connected;
  };

  test("calls in flight are confirmed, nothing stays open, and calls after it work", async () => {
    const { publish, proxy, read } = provider;
    const { ledger, runtime } = await connect();
    const calls = publishAll(publish, runtime);
    await shutdown();
    const ended = await calls;
    expect(as(ended)).toEqual(Array(count).fill("success"));
    expect(inLedger(ledger.records).slice(1)).toEqual(as(ended));
    expect(await read()).toEqual(expect.arrayContaining(idsOf(ended, "success")));
    await until("connections to end", () => proxy.openConnections === 0);
    expect(await publish(randomUUID(), runtime)).toMatchObject({ status: "success" });
  });

  test("calls in flight are reported when the broker is lost", async () => {
    const { publish, proxy, read } = provider;
    const { ledger, runtime } = await connect();
    proxy.stall("answers");
    const calls = publishAll(publish, runtime);
    await pause(100);
    const shut = shutdown();
    await pause(100);
    await proxy.cut();
    await shut;
    const ended = await calls;
    expect(as(ended)).toContain("unknown");
    expect(as(ended)).not.toContain("success");
    expect(inLedger(ledger.records).slice(1).toSorted()).toEqual(as(ended).toSorted());
    const stored = new Set(await read());
    expect(idsOf(ended, "not-done").filter((id) => stored.has(id))).toEqual([]);
  });
}

afterAll(() => shutdown());

onKafka("shutdown with messages to Kafka", (kafka) => {
  shutdownTests(async () => {
    const proxy = await startKafkaProxy(kafka());
    const shipment = { carrier: "CARRIER_POST", shipped_at: "2026-07-25T10:11:12Z" } as const;
    const parcels = [{ id: "p1", grams: 400 }];
    return {
      credential: "ORDER_EVENTS_KAFKA",
      url: `kafka://127.0.0.1:${proxy.port}`,
      proxy,
      publish: (order_id, runtime) =>
        announceOrderShipped({ order_id, ...shipment, parcels }, { runtime }),
      read: async () => (await kafka().read("orders.shipped")).map(({ key }) => String(key)),
    };
  });
});

onRabbitmq("shutdown with messages to RabbitMQ", (rabbitmq) => {
  shutdownTests(async () => {
    const proxy = await startProxy(rabbitmq());
    await rabbitmq().side(async (channel) => {
      await channel.assertExchange("billing", "topic");
      await channel.assertQueue("invoices");
      await channel.bindQueue("invoices", "billing", "invoice");
    });
    const idIn = (body: Buffer) => (JSON.parse(String(body)) as { order: string }).order;
    return {
      credential: "ORDER_EVENTS_AMQP",
      url: `amqp://guest:guest@127.0.0.1:${proxy.port}`,
      proxy,
      publish: (order_id, runtime) => requestInvoice({ order_id }, { runtime }),
      read: async () => (await rabbitmq().drain("invoices")).map(({ content }) => idIn(content)),
    };
  });
});

onRedis("shutdown with messages to Redis", (redis) => {
  shutdownTests(async () => {
    const proxy = await startProxy(redis());
    const idIn = (body: Buffer | undefined) => (JSON.parse(String(body)) as { sku: string }).sku;
    return {
      credential: "ORDER_EVENTS_REDIS",
      url: `redis://127.0.0.1:${proxy.port}`,
      proxy,
      publish: (sku, runtime) => logView({ sku }, { runtime }),
      read: async () =>
        (await redis().entries("views")).map(({ fields }) => idIn(fields.get("body"))),
    };
  });
});
