/** One tool of each kind from the kept folders, with the service that it calls. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe } from "vitest";
import { startMockKafka, withKafka } from "../bindings/queue/support/kafka.js";
import { startNats, withNats } from "../bindings/queue/support/nats.js";
import {
  createRabbitmqVhost,
  withRabbitmqVhost,
} from "../bindings/queue/support/rabbitmq-vhost.js";
import { startRedis, withRedis } from "../bindings/queue/support/redis.js";
import { absenceOf, describeUnless } from "../support/service.js";
import { createDatabase, postgresService } from "../support/postgres.js";

/** Fits every tool but the handler, which the caller gives. */
export interface CalledTool {
  /** The module below `generated`, without extension. */
  readonly module: string;
  readonly function: string;
  readonly parameters: object;
  /** Properties that the answer must have. */
  readonly answer: object;
  /** Returns environment variables for the tool; callable once its tests run. */
  readonly env: () => Readonly<Record<string, string>>;
}

interface Service {
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<unknown>;
}

type Kind = Omit<CalledTool, "env"> & {
  readonly name: string;
  readonly start: () => Promise<Service>;
  readonly where: (name: string, tests: () => void) => void;
};

const withPostgres = await absenceOf(postgresService);

const told = { parameters: { id: "a" }, answer: { status: "success" } };

const kinds: readonly Kind[] = [
  {
    name: "an HTTP tool",
    module: "desk/get-order",
    function: "getOrder",
    parameters: { id: "a" },
    answer: { status: "success", data: { id: "a", total: 10 } },
    start: startOrders,
    where: describe,
  },
  {
    name: "a handler",
    module: "desk/quote",
    function: "quote",
    parameters: { id: "a" },
    answer: { status: "success", data: 5 },
    start: async () => ({ env: {}, close: async () => {} }),
    where: describe,
  },
  {
    name: "a SQL tool",
    module: "desk/find-products",
    function: "findProducts",
    parameters: { part: "mug" },
    answer: { status: "success", data: [{ sku: "m-1", name: "Mug", stock: 3 }], truncated: false },
    start: startShop,
    where: (name, tests) => describeUnless(withPostgres, name, tests),
  },
  {
    name: "a tool that publishes to Kafka",
    module: "events/tell-kafka",
    function: "tellKafka",
    ...told,
    start: async () => serviceAt("KAFKA_URL", await startMockKafka()),
    where: withKafka,
  },
  {
    name: "a tool that publishes to RabbitMQ",
    module: "events/tell-rabbitmq",
    function: "tellRabbitmq",
    ...told,
    start: startOrdersQueue,
    where: withRabbitmqVhost,
  },
  {
    name: "a tool that publishes to NATS",
    module: "events/tell-nats",
    function: "tellNats",
    ...told,
    start: startOrdersStream,
    where: withNats,
  },
  {
    name: "a tool that publishes to Redis",
    module: "events/tell-redis",
    function: "tellRedis",
    ...told,
    start: async () => serviceAt("REDIS_URL", await startRedis()),
    where: withRedis,
  },
];

/** Declares tests for each kind, and starts its service. Skips kinds whose service is absent. */
export function onEachKind(tests: (tool: CalledTool) => void): void {
  for (const { name, start, where, ...tool } of kinds) {
    where(name, () => {
      let service: Service | undefined;
      beforeAll(async () => {
        service = await start();
      });
      afterAll(() => service?.close());
      tests({ ...tool, env: () => service?.env ?? {} });
    });
  }
}

function serviceAt(
  name: string,
  server: { readonly url: string; close(): Promise<void> },
): Service {
  return { env: { [name]: server.url }, close: () => server.close() };
}

async function startOrders(): Promise<Service> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ order: { id: "a", total: 10 } }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A TCP server that listens has an address of this form.
  const { port } = server.address() as AddressInfo;
  const env = { ORDERS_URL: `http://127.0.0.1:${port}`, ORDERS_TOKEN: "a-token" };
  return { env, close: async () => server.close() };
}

async function startShop(): Promise<Service> {
  const database = await createDatabase(
    "CREATE TABLE products (sku text PRIMARY KEY, name text NOT NULL, stock integer NOT NULL)",
  );
  await database.run("INSERT INTO products VALUES ('m-1', 'Mug', 3), ('p-1', 'Plate', 2)");
  return { env: { SHOP_URL: database.url }, close: () => database.drop() };
}

async function startOrdersQueue(): Promise<Service> {
  const vhost = await createRabbitmqVhost();
  await vhost.side((channel) => channel.assertQueue("orders-created"));
  return serviceAt("RABBITMQ_URL", vhost);
}

async function startOrdersStream(): Promise<Service> {
  const nats = await startNats();
  await nats.addStream("ORDERS", ["orders.>"]);
  return serviceAt("NATS_URL", nats);
}
