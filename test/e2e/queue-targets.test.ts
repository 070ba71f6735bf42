/** Names, keys and content types that contain a credential, on real brokers: where a message goes, and what its receipt shows. */
import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import {
  announceOrder,
  billOrder,
  logNote,
  printLabel,
} from "../cases/queue-targets/generated/order-events/index.js";
import { createMemoryLedger, createRuntime, shutdown } from "../../src/runtime/index.js";
import { onKafka, onRabbitmqVhost, onRedis } from "./order-events-brokers.js";

const ENV = "env-7f3a";

function connect(connections: Readonly<Record<string, string>>) {
  const ledger = createMemoryLedger();
  const credentials = { ...connections, ENV };
  return { ledger, runtime: createRuntime({ inherit: false, ledger, credentials }) };
}

afterAll(() => shutdown());

onKafka("a topic per environment", (kafka) => {
  test("gets the message, and the receipt and the ledger contain the setting's name", async () => {
    const { ledger, runtime } = connect({ ORDER_EVENTS: kafka().url });
    const order_id = randomUUID();
    const answer = await announceOrder({ order_id, region: "eu" }, { runtime });
    expect(answer).toMatchObject({
      status: "success",
      data: { topic: "${ENV}.orders.eu", partition: expect.any(Number) as number },
    });
    const [message, ...others] = await kafka().read(`${ENV}.orders.eu`);
    expect(others).toEqual([]);
    expect(message?.key?.toString()).toBe(`${ENV}-${order_id}`);
    expect(JSON.parse(message?.body.toString() ?? "")).toEqual({ id: order_id, env: "x" });
    expect(JSON.stringify([answer, ledger.records])).not.toContain(ENV);
  });

  test("gets messages with the author's content type in place of the usual one", async () => {
    const { runtime } = connect({ ORDER_EVENTS: kafka().url });
    await announceOrder({ order_id: randomUUID(), region: "us" }, { runtime });
    const [message] = await kafka().read(`${ENV}.orders.us`);
    const types = message?.headers.filter(([name]) => name.toLowerCase() === "content-type");
    expect(types).toEqual([["Content-Type", `application/vnd.acme+json; tenant=${ENV}`]]);
  });
});

onRabbitmqVhost("an exchange and a queue per environment", (rabbitmq) => {
  test("get the message, with the author's headers as its properties", async () => {
    const { ledger, runtime } = connect({ ORDER_EVENTS_AMQP: rabbitmq().url });
    const [queue, order_id] = [randomUUID(), randomUUID()];
    await rabbitmq().side(async (channel) => {
      await channel.assertExchange(`${ENV}.billing`, "topic");
      await channel.assertQueue(queue);
      await channel.bindQueue(queue, `${ENV}.billing`, `${ENV}.new`);
    });
    const answer = await billOrder({ order_id, kind: "new" }, { runtime });
    expect(answer).toMatchObject({
      status: "success",
      data: { exchange: "${ENV}.billing", routing_key: "${ENV}.new" },
    });
    const [message, ...others] = await rabbitmq().drain(queue);
    expect(others).toEqual([]);
    expect(message?.properties).toMatchObject({
      contentType: "text/x-order",
      correlationId: order_id,
      messageId: `${ENV}-${order_id}`,
    });
    expect(Object.keys(message?.properties.headers ?? {})).toEqual([
      "CONTENT-TYPE",
      "Correlation_ID",
      "source",
    ]);
    expect(await billOrder({ order_id, kind: "none" }, { runtime })).toEqual({
      status: "unroutable",
      error: { exchange: "${ENV}.billing", routing_key: "${ENV}.none" },
    });
    expect(JSON.stringify(ledger.records)).not.toContain(ENV);
    await rabbitmq().side((channel) => channel.deleteQueue(queue));
  });

  test("gets the message by the default exchange too", async () => {
    const { runtime } = connect({ ORDER_EVENTS_AMQP: rabbitmq().url });
    const queue = `${ENV}.labels.north`;
    await rabbitmq().side((channel) => channel.assertQueue(queue));
    const answer = await printLabel({ order_id: randomUUID(), printer: "north" }, { runtime });
    expect(answer).toMatchObject({
      data: { exchange: "", routing_key: "${ENV}.labels.north" },
    });
    expect(await rabbitmq().drain(queue)).toHaveLength(1);
    await rabbitmq().side((channel) => channel.deleteQueue(queue));
  });
});

onRedis("a stream per environment", (redis) => {
  const connections = () => ({ ORDER_EVENTS_REDIS: redis().url });

  test("gets the entry, with the author's content type if the caller gave one", async () => {
    const { runtime } = connect(connections());
    const note = { subject: "a", text: "t" };
    expect(await logNote({ ...note, content_type: "text/x" }, { runtime })).toMatchObject({
      data: { stream: "${ENV}:notes:a" },
    });
    await logNote(note, { runtime });
    const entries = await redis().entries(`${ENV}:notes:a`);
    expect(entries.map(({ fields }) => fields.get("content_type")?.toString())).toEqual([
      "text/x",
      "application/json",
    ]);
  });

  test("any other characters in a name lead to one stream and one entry", async () => {
    const { runtime } = connect(connections());
    const hostile = [
      "' OR 1=1 --",
      "\r\nXADD other * a b",
      "{order_id} ${ORDER_EVENTS_REDIS} {{x}}",
      "../../etc/passwd",
      "\u0000\u2028\u202e",
      "🙂 größer",
      "x".repeat(400),
    ];
    const keys = await redis().side.dbsize();
    for (const subject of hostile) {
      await logNote({ subject, text: subject }, { runtime });
      const [entry, ...others] = await redis().entries(`${ENV}:notes:${subject}`);
      expect(others).toEqual([]);
      expect(JSON.parse(entry?.fields.get("body")?.toString() ?? "")).toEqual({ text: subject });
    }
    expect(await redis().side.dbsize()).toBe(keys + hostile.length);
  });
});
