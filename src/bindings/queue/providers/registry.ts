/*
 * Every provider is a folder beside this file. `provider.ts` is what the compiler asks of one,
 * `<name>/<name>.ts` says it; `names.ts` is what it takes for names, for both sides; `contract.ts`,
 * `runtime.ts` and `send` are the runtime's, where `send/provider.ts` is what sending asks.
 */
import { kafka } from "./kafka/kafka.js";
import { nats } from "./nats/nats.js";
import type { QueueProvider } from "./provider.js";
import { rabbitmq } from "./rabbitmq/rabbitmq.js";
import { redis } from "./redis/redis.js";

/** Every provider. The first is that of a binding which names none. */
export const providers: readonly [QueueProvider, ...QueueProvider[]] = [
  kafka,
  rabbitmq,
  redis,
  nats,
];

export const [defaultProvider] = providers;

/** @throws for a name that no provider has: the schema of bindings lists them */
export function providerNamed(name: string): QueueProvider {
  const found = providers.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no provider ${name}`);
  return found;
}
