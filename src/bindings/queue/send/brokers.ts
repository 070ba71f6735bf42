import { onShutdown } from "../../../runtime/sink.js";
import type { KafkaReceipt, RabbitmqReceipt, RedisReceipt } from "../contract.js";
import type { Broker, KafkaPlace, RabbitmqPlace, RedisPlace, Routed } from "./broker.js";

/** What each provider takes and gives. */
export interface Brokers {
  readonly kafka: Broker<KafkaPlace, KafkaReceipt>;
  readonly rabbitmq: Broker<RabbitmqPlace, Routed<RabbitmqReceipt>>;
  readonly redis: Broker<RedisPlace, RedisReceipt>;
}

/** The client libraries are loaded with the first call that needs one. */
const openers: {
  readonly [P in keyof Brokers]: (url: string, directory: string) => Promise<Brokers[P]>;
} = {
  kafka: async (url, directory) =>
    (await import("./kafka/open-kafka.js")).openKafka(url, directory),
  rabbitmq: async (url, directory) =>
    (await import("./rabbitmq/open-rabbitmq.js")).openRabbitmq(url, directory),
  redis: async (url, directory) =>
    (await import("./redis/open-redis.js")).openRedis(url, directory),
};

type Kept = { readonly [P in keyof Brokers]: Map<string, Promise<Brokers[P]>> };

/** What is open, by URL: calls of all tools share it. */
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
  const found = known.get(url);
  if (found !== undefined) return found;
  const opening = openers[provider](url, directory);
  known.set(url, opening);
  opening.catch(() => known.delete(url));
  return opening;
}

/** Waits for messages under way and closes all connections. A later call opens new ones. */
export async function closeQueues(): Promise<void> {
  const opening = Object.values(open).flatMap((each: Map<string, Promise<Closable>>) => {
    const all = [...each.values()];
    each.clear();
    return all;
  });
  const opened = await Promise.allSettled(opening);
  await Promise.all(
    opened.map((each) => (each.status === "fulfilled" ? each.value.close() : undefined)),
  );
}

interface Closable {
  close(): Promise<void>;
}

onShutdown(closeQueues);
