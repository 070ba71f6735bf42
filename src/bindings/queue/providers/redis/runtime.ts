/**
 * The entry point `@skillc/runtime/v1/redis`: imports for generated modules of tools that publish
 * to Redis Streams.
 */
import { ifMissing } from "../../../../runtime/executor.js";
import { defineProvider } from "../../execute.js";
import type { Broker } from "../../send/broker.js";
import type { RedisPlace, RedisReceipt, RedisTarget } from "./contract.js";
import { redisNames } from "./names.js";

export type { RedisPublication, RedisReceipt } from "./contract.js";

/** Makes the binding of a tool that publishes to Redis Streams. */
export const redis = defineProvider<RedisTarget, Broker<RedisPlace, RedisReceipt>>({
  name: "redis",
  names: redisNames,
  async open(...where) {
    await import("ioredis").catch(ifMissing("ioredis"));
    const { openRedis } = await import("./send/open-redis.js");
    return openRedis(...where);
  },
  async publish(broker, { maxlen, stream }, message, attempt) {
    const outgoing = {
      stream: String(stream),
      maxLength: maxlen === undefined ? undefined : Number(maxlen),
      ...message,
    };
    return { status: "success", data: await broker.publish(outgoing, attempt) };
  },
});
