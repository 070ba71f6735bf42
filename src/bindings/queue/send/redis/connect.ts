import { Redis, type RedisOptions } from "ioredis";
import { RefusedMessage } from "../faults.js";
import { logIn } from "./log-in.js";
import { quiet } from "./quiet.js";
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
  // Every server that has streams speaks it, and knows `AUTH`.
  protocol: 2,
} satisfies RedisOptions;

/**
 * Connects, logs in and selects the database.
 *
 * @throws LostBroker | RefusedMessage
 */
export async function connectRedis(
  { host, port, tls, ...identity }: RedisSettings,
  hangUp: AbortController,
): Promise<RedisLink> {
  const redis = quiet(new Redis({ host, port, ...(tls && { tls }), ...once }));
  hangUp.signal.addEventListener("abort", () => redis.disconnect(), { once: true });
  let fault: unknown;
  redis.on("error", (error) => {
    fault ??= error;
  });
  try {
    await redis.connect();
    return new RedisLink(redis, hangUp, await logIn(redis, identity));
  } catch (error) {
    redis.disconnect();
    if (error instanceof RefusedMessage) throw error;
    throw faultOf(fault ?? error);
  }
}
