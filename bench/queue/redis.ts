/** `log-view`: JSON, to a trimmed stream of Redis. */
import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { logView } from "../../generated/order-events/index.js";
import { type Entry, startRedis } from "../../test/bindings/queue/support/redis.js";
import { type ByHand, type Publishing, withoutIds } from "./publishing.js";

const stream = "views";
const params = { sku: "MUG-BLUE", customer_id: 1_001 };

export async function openRedis(): Promise<Publishing> {
  const redis = await startRedis(["--appendonly", "no"]);
  const plain = new Redis(redis.url);
  const pipelined = new Redis(redis.url, { enableAutoPipelining: true });
  return {
    name: "Redis in memory, JSON",
    credentials: { ORDER_EVENTS_REDIS: redis.url },
    generated: (_, runtime) => logView(params, { runtime }),
    hand: byHand("JSON.stringify, and `xadd` of one ioredis", plain),
    handForMany: byHand(
      "JSON.stringify, and `xadd` of one ioredis with `enableAutoPipelining`",
      pipelined,
    ),
    published: async () => (await redis.entries(stream)).map(textOf),
    async close() {
      plain.disconnect();
      pipelined.disconnect();
      await redis.close();
    },
  };
}

function byHand(how: string, redis: Redis): ByHand {
  return { how, publish: () => add(redis) };
}

function add(redis: Redis): Promise<unknown> {
  const headers = [
    "header:correlation_id",
    randomUUID(),
    "header:source",
    "order-events/log-view",
  ] as const;
  const body = JSON.stringify({ sku: params.sku, customer_id: params.customer_id });
  const message = ["body", body, "content_type", "application/json", ...headers] as const;
  return redis.xadd(stream, "MAXLEN", "~", 10_000, "*", ...message);
}

function textOf({ fields }: Entry): string {
  return withoutIds([...fields].map(([name, value]) => [name, value.toString()]));
}
