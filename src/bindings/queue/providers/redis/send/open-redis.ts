/*
 * Redis' client: `open-redis` shares one `connection`, which adds an `entry` for each message.
 * `failures` makes the errors of calls. The code that connects and logs in is in
 * `src/runtime/redis`.
 */
import { connect, createClient } from "../../../../../runtime/redis/client.js";
import { readRedisUrl, type RedisSettings } from "../../../../../runtime/redis/url.js";
import type { Broker } from "../../../send/broker.js";
import { shareLink } from "../../../send/link/shared-link.js";
import type { RedisPlace, RedisReceipt } from "../contract.js";
import { RedisLink } from "./connection.js";
import { classifyError } from "./failures.js";

/**
 * Opens a client of the Redis behind a URL, over one connection.
 *
 * @param url `redis://user:password@host:port/database`, or `rediss`, which may have the options of
 *   `tlsOptionsOf`
 * @param directory start of relative paths in the URL; the files are read with each connection
 * @param onIdle called when the client holds no connection and no call
 * @throws UnusableUrl
 */
export function openRedis(
  url: string,
  directory = process.cwd(),
  onIdle: () => void = () => {},
): Broker<RedisPlace, RedisReceipt> {
  // Reports a faulty URL at once, before the first message.
  readRedisUrl(url, directory);
  return shareLink(
    (abortController) => connectRedis(readRedisUrl(url, directory), abortController),
    onIdle,
  );
}

/** @throws LostBroker | RejectedMessage */
async function connectRedis(
  settings: RedisSettings,
  abortController: AbortController,
): Promise<RedisLink> {
  const redis = createClient(settings);
  abortController.signal.addEventListener("abort", () => redis.disconnect(), { once: true });
  try {
    const bulkBytes = await connect(redis, settings);
    return new RedisLink(redis, abortController, bulkBytes);
  } catch (error) {
    throw classifyError(error);
  }
}
