/** Outcomes of messages if other code stands between kafkajs and skillc's observer of requests. */
import kafkajs, { type Kafka, type Producer, type ProducerBatch } from "kafkajs";
import { afterEach, expect, test, vi } from "vitest";
import { openKafka } from "../../../../src/bindings/queue/providers/kafka/send/open-kafka.js";
import { publishWithin, rejection, TimedOut } from "../support/attempt.js";
import { messageFor, startKafkaProxy, startMockKafka, withKafka } from "../support/kafka.js";
import { startScripted, valuesOf } from "./start-scripted.js";

afterEach(() => vi.restoreAllMocks());

/** As instrumentation does that adds its headers to copies. */
function copyMessages(): void {
  const create = kafkajs.Kafka.prototype.producer;
  vi.spyOn(kafkajs.Kafka.prototype, "producer").mockImplementation(function (this: Kafka, options) {
    const producer: Producer = create.call(this, options);
    const sendBatch = (batch: ProducerBatch) => {
      const topicMessages = batch.topicMessages?.map(({ topic, messages }) => ({
        topic,
        messages: messages.map((each) => ({ ...each, headers: { ...each.headers, copied: "1" } })),
      }));
      return producer.sendBatch({ ...batch, ...(topicMessages && { topicMessages }) });
    };
    return { ...producer, sendBatch };
  });
}

withKafka("messages that are copied on their way", () => {
  test.each([
    ["with a key", "k"],
    ["without a key", undefined],
  ])("a message %s that is written without an answer has an unknown outcome", async (_, key) => {
    copyMessages();
    const kafka = await startMockKafka();
    const proxy = await startKafkaProxy(kafka);
    const broker = openKafka(`kafka://127.0.0.1:${proxy.port}`);
    const publish = (text: string, timeoutMs: number) =>
      publishWithin(timeoutMs, broker, messageFor("copied", text, { key }));
    await publish("1", 5000);
    proxy.stall("answers");
    const failure = await rejection(publish("2", 500));
    expect(failure).toBeInstanceOf(TimedOut);
    expect(failure).toMatchObject({ outcome: "unknown" });
    const messages = await kafka.read("copied");
    expect(messages.map(({ body }) => String(body)).toSorted()).toEqual(["1", "2"]);
    expect(messages.map(({ headers }) => headers.some(([name]) => name === "copied"))).toEqual([
      true,
      true,
    ]);
    await broker.close();
    await proxy.close();
    await kafka.close();
  });
});

test("the first message of a session keeps its partition when its copy is sent again", async () => {
  copyMessages();
  const { broker, server } = await startScripted({
    partitions: 7,
    onProduce: ({ count }) => (count < 4 ? { error: 6 } : {}),
  });
  const asked: number[] = [];
  const receipt = await publishWithin(5000, broker, messageFor("t", "1"));
  asked.push(...server.produced.map(({ partition }) => partition));
  expect(new Set(asked)).toEqual(new Set([receipt.partition]));
  expect(asked.length).toBe(4);
});

test("an unanswered message has an unknown outcome if kafkajs can't be observed", async () => {
  vi.spyOn(Object, "getOwnPropertySymbols").mockReturnValue([]);
  const { server, publish } = await startScripted({
    onProduce: ({ values: [value] }) => (String(value) === "2" ? { answer: "none" } : {}),
  });
  await publish("1");
  expect(await rejection(publish("2", 500))).toMatchObject({ outcome: "unknown" });
  expect(valuesOf(server)).toEqual(["1", "2"]);
});
