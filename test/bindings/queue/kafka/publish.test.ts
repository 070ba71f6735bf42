/** Messages in Kafka after they were published, read by kcat. */
import { execFile, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LostBroker } from "../../../../src/bindings/queue/send/failures.js";
import { openKafka } from "../../../../src/bindings/queue/providers/kafka/send/open-kafka.js";
import { loaderArgs } from "../../../support/node-loader.js";
import { publishWithin, rejection } from "../support/attempt.js";
import {
  messageFor,
  startKafka,
  startKafkaProxy,
  type TestKafka,
  withKafka,
} from "../support/kafka.js";
import { until } from "../support/server-process.js";

const run = promisify(execFile);

const unique = randomUUID();

withKafka("publishing to Kafka", () => {
  let kafka: TestKafka;
  let broker: ReturnType<typeof openKafka>;
  beforeAll(async () => {
    kafka = await startKafka();
    broker = openKafka(`${kafka.url}?create_topics=true`);
  });
  afterAll(async () => {
    await broker.close();
    await kafka.close();
  });
  const publish = (message: ReturnType<typeof messageFor>) =>
    publishWithin(10_000, broker, message);

  test("a message has its body, its key and every header", async () => {
    const topic = `whole-${unique}`;
    const body = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
    const headers = [
      ["source", "shop/tøl"],
      ["twice", "1"],
      ["twice", "2"],
      ["__proto__", "x"],
    ] as const;
    const receipt = await publish(
      messageFor(topic, body, { key: "kéy", headers, idempotencyKey: "once" }),
    );
    const [message, ...rest] = await kafka.read(topic);
    expect(rest).toEqual([]);
    expect(receipt).toEqual({ topic, partition: message?.partition, offset: message?.offset });
    expect(message?.key?.toString()).toBe("kéy");
    expect(message?.body.equals(body)).toBe(true);
    expect(message?.headers).toEqual([
      ...headers,
      ["content-type", "application/json"],
      ["idempotency-key", "once"],
    ]);
  });

  test("a message may be empty and have no key", async () => {
    const topic = `empty-${unique}`;
    await publish(messageFor(topic, "", { headers: [] }));
    const [message] = await kafka.read(topic);
    expect(message).toMatchObject({ key: null, headers: [["content-type", "application/json"]] });
    expect(message?.body).toHaveLength(0);
  });

  test.each([
    ["with keys", (index: number) => ({ key: `k${index % 17}` })],
    ["without keys", () => ({})],
  ])("each of 64 callers gets the place of its own message, %s", async (name, more) => {
    const topic = `callers-${name.replace(" ", "-")}-${unique}`;
    const call = async (caller: number) => {
      const places = [];
      for (let index = 0; index < 10; index += 1) {
        const text = `${caller}/${index}`;
        places.push([text, await publish(messageFor(topic, text, more(caller)))] as const);
      }
      return places;
    };
    const places = (
      await Promise.all(Array.from({ length: 64 }, (_, caller) => call(caller)))
    ).flat();
    const messages = await kafka.read(topic);
    expect(messages).toHaveLength(640);
    const byPlace = new Map(
      messages.map(({ partition, offset, body }) => [`${partition}/${offset}`, body.toString()]),
    );
    for (const [text, { partition, offset }] of places)
      expect(byPlace.get(`${partition}/${offset}`)).toBe(text);
  });

  test("messages of one key are in one partition, in the order of their calls", async () => {
    const topic = `order-${unique}`;
    const texts = Array.from({ length: 500 }, (_, index) => String(index));
    await Promise.all(texts.map((text) => publish(messageFor(topic, text, { key: "same" }))));
    const messages = await kafka.read(topic);
    expect(messages.map(({ body }) => body.toString())).toEqual(texts);
    expect(new Set(messages.map(({ partition }) => partition)).size).toBe(1);
  });

  test("a key goes to the partition that Kafka's own clients choose", async () => {
    const topic = `partition-${unique}`;
    const keys = ["a", "order-1", "order-2", "ключ", "x".repeat(50)];
    const ours = await Promise.all(keys.map((key) => publish(messageFor(topic, key, { key }))));
    const address = kafka.url.replace("kafka://", "");
    const options = ["-b", address, "-P", "-t", topic, "-K", "=", "-X", "partitioner=murmur2"];
    spawnSync("kcat", options, { input: keys.map((key) => `${key}=theirs\n`).join("") });
    const theirs = (await kafka.read(topic)).filter(({ body }) => body.toString() === "theirs");
    const partitions = new Map(theirs.map((each) => [each.key?.toString(), each.partition]));
    expect(ours.map(({ partition }) => partition)).toEqual(keys.map((key) => partitions.get(key)));
  });

  test("closing waits for messages under way and leaves nothing open", async () => {
    const topic = `closing-${unique}`;
    const proxy = await startKafkaProxy(kafka);
    const closing = openKafka(`kafka://127.0.0.1:${proxy.port}?create_topics=true`);
    const calls = Array.from({ length: 300 }, (_, index) =>
      publishWithin(10_000, closing, messageFor(topic, String(index), { key: String(index) })),
    );
    await closing.close();
    const receipts = await Promise.all(calls);
    expect(new Set(receipts.map((each) => `${each.partition}/${each.offset}`)).size).toBe(300);
    expect(await kafka.read(topic)).toHaveLength(300);
    const late = await rejection(publishWithin(1000, closing, messageFor(topic, "late")));
    expect(late).toEqual(new LostBroker("closed", "not-done"));
    await until("connections to end", () => proxy.openConnections === 0);
    expect(proxy.connections).toBeGreaterThan(0);
    await proxy.close();
  });

  test("an idle client lets the process end", async () => {
    const program = new URL("./publish-once.ts", import.meta.url).pathname;
    const url = `${kafka.url}?create_topics=true`;
    const args = [...loaderArgs, program, url, `idle-${unique}`];
    const { stdout, stderr } = await run(process.execPath, args);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({ topic: `idle-${unique}`, offset: "0" });
  });
});
