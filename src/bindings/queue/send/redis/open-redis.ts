import type { RedisReceipt } from "../../contract.js";
import type { Broker, RedisPlace } from "../broker.js";
import { shareLink } from "../link/share-link.js";
import { connectRedis } from "./connect.js";
import { readRedisUrl } from "./redis-url.js";

/**
 * A client of the Redis behind a URL, over one connection.
 *
 * @param url `redis://user:password@host:port/database`, or `rediss`, which may have the options of `tlsOptionsOf`
 * @param directory what relative paths in the URL start from; the files are read with each connection
 * @param onIdle called when it holds no connection and no call
 * @throws UnusableUrl
 */
export function openRedis(
  url: string,
  directory = process.cwd(),
  onIdle: () => void = () => {},
): Broker<RedisPlace, RedisReceipt> {
  // Whatever can be said of it is said at once.
  readRedisUrl(url, directory);
  return shareLink((hangUp) => connectRedis(readRedisUrl(url, directory), hangUp), onIdle);
}
