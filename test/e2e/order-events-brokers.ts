/**
 * Starts the brokers and the registry of skills/order-events for one test file, with independent
 * readers.
 */
import { afterAll, beforeAll } from "vitest";
import { createRuntime } from "../../generated/index.js";
import { createMemoryLedger, type MemoryLedger, type Runtime } from "../../src/runtime/index.js";
import { startMockKafka, type TestKafka, withKafka } from "../bindings/queue/support/kafka.js";
import {
  startRabbitmq,
  type TestRabbitmq,
  withRabbitmq,
} from "../bindings/queue/support/rabbitmq.js";
import {
  createRabbitmqVhost,
  type RabbitmqVhost,
  withRabbitmqVhost,
} from "../bindings/queue/support/rabbitmq-vhost.js";
import { startRedis, type TestRedis, withRedis } from "../bindings/queue/support/redis.js";
import { apiBuilder } from "../../examples/demo/api-builder.js";

export type OrderEventsCredentials = Partial<
  Record<"ORDER_EVENTS_KAFKA" | "ORDER_EVENTS_AMQP" | "ORDER_EVENTS_REDIS", string>
>;

const handlers = {
  ...apiBuilder,
  "order-desk/quote-shipping": () => Promise.reject(new Error("nobody asks for it here")),
};

export interface Desk {
  readonly runtime: Runtime;
  readonly ledger: MemoryLedger;
}

/** Makes a runtime that knows only these connections. */
export function desk(credentials: OrderEventsCredentials): Desk {
  const ledger = createMemoryLedger();
  return { runtime: createRuntime({ inherit: false, handlers, ledger, credentials }), ledger };
}

/**
 * Runs tests with a Kafka for this file. Without Kafka they are skipped, and the run prints the
 * reason.
 */
export function onKafka(name: string, tests: (kafka: () => TestKafka) => void): void {
  withKafka(name, () => tests(started(startMockKafka)));
}

/** Runs tests with a virtual host of the RabbitMQ that runs on this machine. */
export function onRabbitmqVhost(name: string, tests: (vhost: () => RabbitmqVhost) => void): void {
  withRabbitmqVhost(name, () => tests(started(createRabbitmqVhost)));
}

/** Runs tests with a RabbitMQ for this file, which they may stop or bring to its limits. */
export function onRabbitmq(name: string, tests: (rabbitmq: () => TestRabbitmq) => void): void {
  withRabbitmq(name, () => tests(started(() => startRabbitmq(["max_message_size = 4096"]))));
}

export function onRedis(name: string, tests: (redis: () => TestRedis) => void): void {
  withRedis(name, () => tests(started(() => startRedis(["--proto-max-bulk-len", "1048576"]))));
}

function started<Server extends { close(): Promise<void> }>(
  start: () => Promise<Server>,
): () => Server {
  let server: Server | undefined;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.close());
  return () => {
    if (server === undefined) throw new Error("not started yet");
    return server;
  };
}
