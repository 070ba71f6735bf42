import { logPayment, logPriceChange, logView } from "../../generated/order-events/index.js";
import { startProxy } from "../../test/bindings/queue/support/proxy.js";
import type { TestRedis } from "../../test/bindings/queue/support/redis.js";
import { avroField, jsonField, protobufField } from "./decode.js";
import { limitOfOne, limitOfThree, type Subject, type SubjectTool } from "./subject.js";

/** Prefix of the streams of `log-price-change`, one for each product. */
const pricesOf = "prices:";

const readers = {
  prices: avroField("price-changed.avsc", "sku"),
  payments: protobufField("PaymentReceived", "order_id"),
  views: jsonField("sku"),
};

const tools: readonly SubjectTool[] = [
  {
    name: "log-price-change",
    limitMs: limitOfOne,
    mayRepeat: false,
    call: (sku, options) => logPriceChange({ sku, old_price: null, new_price: 12.5 }, options),
  },
  {
    name: "log-payment",
    limitMs: limitOfThree,
    // Redis stores the idempotency key, so a repeated message is not added.
    mayRepeat: false,
    call(order_id, options) {
      const payment = { currency: "EUR", units: 1250, card_last_four: "4242" };
      return logPayment({ order_id, ...payment }, options);
    },
  },
  {
    name: "log-view",
    limitMs: limitOfOne,
    mayRepeat: false,
    call: (sku, options) => logView({ sku }, options),
  },
];

/** @param redis an empty Redis that no other test uses; the caller closes it */
export async function redisSubject(redis: TestRedis): Promise<Subject> {
  const { port } = redis;
  const proxy = await startProxy({ port });
  return {
    provider: "redis",
    credentials: { ORDER_EVENTS_REDIS: `redis://127.0.0.1:${proxy.port}` },
    proxy,
    broker: { restartEvery: 1, kill: () => redis.kill(), start: () => redis.start() },
    tools,
    note: "an append-only file, synced with every write; a restart kills the server's process",
    async read() {
      const prices = await redis.side.keys(`${pricesOf}*`);
      const ids: string[] = [];
      for (const stream of [...prices, "payments", "views"])
        for (const { fields } of await redis.entries(stream))
          ids.push(readerOf(stream)(fields.get("body") ?? Buffer.alloc(0)));
      return ids;
    },
  };
}

function readerOf(stream: string): (body: Buffer) => string {
  if (stream.startsWith(pricesOf)) return readers.prices;
  return stream === "payments" ? readers.payments : readers.views;
}
