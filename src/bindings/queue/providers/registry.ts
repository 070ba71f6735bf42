/*
 * The registry of providers; each is a folder beside this file. `<name>/<name>.ts` implements
 * `provider.ts` for the compiler, and `names.ts` has the rules of names for both sides.
 * `contract.ts`, `runtime.ts` and `send` belong to the runtime, where `send/provider.ts` describes
 * a provider.
 */
import { kafka } from "./kafka/kafka.js";
import { nats } from "./nats/nats.js";
import type { QueueProvider } from "./provider.js";
import { rabbitmq } from "./rabbitmq/rabbitmq.js";
import { redis } from "./redis/redis.js";

/** All providers. The first is the default. */
export const providers: readonly [QueueProvider, ...QueueProvider[]] = [
  kafka,
  rabbitmq,
  redis,
  nats,
];

export const [defaultProvider] = providers;

/** @throws for an unknown name, which the schema of bindings excludes */
export function providerNamed(name: string): QueueProvider {
  const found = providers.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no provider ${name}`);
  return found;
}
