import { Redis, type RedisOptions } from "ioredis";
import { LostBroker } from "../faults.js";
import { faultOf } from "./refusals.js";
import { RedisLink } from "./redis-link.js";
import type { RedisSettings } from "./redis-url.js";

/**
 * A client that connects once. It queues nothing and repeats nothing: what becomes of a command whose connection is lost is unknown, and so whether to
 * send it again is for the tool's retry policy to say.
 */
const once = {
  lazyConnect: true,
  retryStrategy: () => null,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // Whoever opens a link has a limit of its own.
  connectTimeout: 0,
  disconnectTimeout: 0,
  // Redis says that it is still loading when it is asked for something, too.
  enableReadyCheck: false,
  disableClientInfo: true,
  connectionName: "skillc",
  // Every server that has streams speaks it, and knows `AUTH`.
  protocol: 2,
} satisfies RedisOptions;

/** Redis' own default, in bytes. Servers that don't tell have it. */
const usualBulkBytes = 536_870_912;

/**
 * Connects, logs in and selects the database.
 *
 * @throws LostBroker | RefusedMessage
 */
export async function connectRedis(
  settings: RedisSettings,
  hangUp: AbortController,
): Promise<RedisLink> {
  const redis = new Redis({ ...settings, ...once });
  hangUp.signal.addEventListener("abort", () => redis.disconnect(), { once: true });
  let fault: unknown;
  redis.on("error", (error) => {
    fault ??= error;
  });
  try {
    await redis.connect();
    // The client goes on with database 0 when it can't select the right one.
    if (fault !== undefined) throw fault;
    return new RedisLink(redis, hangUp, await bulkBytes(redis));
  } catch (error) {
    redis.disconnect();
    throw faultOf(fault ?? error);
  }
}

/** How large a value may be. A larger one would end the connection, with all that is on it. */
async function bulkBytes(redis: Redis): Promise<number> {
  try {
    const [, text] = (await redis.config("GET", "proto-max-bulk-len")) as readonly unknown[];
    return typeof text === "string" ? Number(text) : usualBulkBytes;
  } catch (error) {
    const fault = faultOf(error);
    // Many don't let their users ask.
    if (fault instanceof LostBroker || fault.message.includes("NOAUTH")) throw error;
    return usualBulkBytes;
  }
}
