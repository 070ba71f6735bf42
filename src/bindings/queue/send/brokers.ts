import { resolve as resolvePath } from "node:path";
import { onShutdown } from "../../../runtime/sink.js";
import type { KafkaReceipt, RabbitmqReceipt, RedisReceipt } from "../contract.js";
import type { Broker, KafkaPlace, RabbitmqPlace, RedisPlace, Routed } from "./broker.js";

/** What each provider takes and gives. */
export interface Brokers {
  readonly kafka: Broker<KafkaPlace, KafkaReceipt>;
  readonly rabbitmq: Broker<RabbitmqPlace, Routed<RabbitmqReceipt>>;
  readonly redis: Broker<RedisPlace, RedisReceipt>;
}

/**
 * Opens a client of the broker behind a URL.
 *
 * @param directory what relative paths in the URL start from
 * @param onIdle called when it holds no connection and no call: another may take its place
 * @throws UnusableUrl
 */
type Open<Client> = (url: string, directory: string, onIdle: () => void) => Promise<Client>;

/** The client libraries are loaded with the first call that needs one. */
const openers: { readonly [P in keyof Brokers]: Open<Brokers[P]> } = {
  kafka: async (...where) =>
    (await import("../providers/kafka/send/open-kafka.js")).openKafka(...where),
  rabbitmq: async (...where) =>
    (await import("../providers/rabbitmq/send/open-rabbitmq.js")).openRabbitmq(...where),
  redis: async (...where) =>
    (await import("../providers/redis/send/open-redis.js")).openRedis(...where),
};

type Kept = { readonly [P in keyof Brokers]: Map<string, Promise<Brokers[P]>> };

/** What is open: calls of all tools share it. */
const open: Kept = { kafka: new Map(), rabbitmq: new Map(), redis: new Map() };

/**
 * The broker behind a URL. One that can't be used is tried again by the next call.
 *
 * @param directory what relative paths in the URL start from
 * @throws UnusableUrl
 */
export function brokerAt<P extends keyof Brokers>(
  provider: P,
  url: string,
  directory: string,
): Promise<Brokers[P]> {
  const known: Map<string, Promise<Brokers[P]>> = open[provider];
  const key = keyOf(url, directory);
  const found = known.get(key);
  if (found !== undefined) return found;
  const forget = () => {
    if (known.get(key) === opening) known.delete(key);
  };
  const opening = openers[provider](url, directory, forget);
  known.set(key, opening);
  opening.catch(forget);
  return opening;
}

/** Options may name files, which are others in another folder. */
function keyOf(url: string, directory: string): string {
  return url.includes("?") ? `${resolvePath(directory)} ${url}` : url;
}

/**
 * Waits for messages under way and closes all connections. A later call opens new ones.
 *
 * @param late ends the wait: see `Broker`
 */
export async function closeQueues(late?: AbortSignal): Promise<void> {
  const opening = Object.values(open).flatMap((each: Map<string, Promise<Closable>>) => {
    const all = [...each.values()];
    each.clear();
    return all;
  });
  const opened = await Promise.allSettled(opening);
  await Promise.all(
    opened.map((each) => (each.status === "fulfilled" ? each.value.close(late) : undefined)),
  );
}

interface Closable {
  close(late?: AbortSignal): Promise<void>;
}

onShutdown(closeQueues);
