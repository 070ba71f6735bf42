/** A Kafka that is down, cut off, stalled and back again. kcat reads its topics. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { LostBroker } from "../../../../src/bindings/queue/send/failures.js";
import { openKafka } from "../../../../src/bindings/queue/providers/kafka/send/open-kafka.js";
import { stopClock } from "../../../support/stopped-clock.js";
import { publishWithin, rejection, startAttempt, TimedOut } from "../support/attempt.js";
import {
  messageFor,
  startKafkaProxy,
  startMockKafka,
  type TestKafka,
  withKafka,
} from "../support/kafka.js";
import type { Proxy } from "../support/proxy.js";
import { freePort } from "../support/server-process.js";

/** The error of a call whose session could not be opened. */
const mute = new LostBroker("ETIMEDOUT", "not-done");

withKafka("faults of Kafka", () => {
  let kafka: TestKafka;
  let proxy: Proxy;
  let broker: ReturnType<typeof openKafka>;
  beforeAll(async () => {
    kafka = await startMockKafka();
  });
  afterAll(() => kafka.close());
  beforeEach(async () => {
    proxy = await startKafkaProxy(kafka);
    broker = openKafka(`kafka://127.0.0.1:${proxy.port}`);
  });
  afterEach(async () => {
    await broker.close();
    await pause(100);
    const left = proxy.openConnections;
    await proxy.close();
    if (left > 0) throw new Error(`${left} connections are open after closing`);
  });
  const publish = (topic: string, text: string, timeoutMs = 5000) =>
    publishWithin(timeoutMs, broker, messageFor(topic, text, { key: "k" }));
  const texts = async (topic: string) => (await kafka.read(topic)).map(({ body }) => String(body));

  test("a broker that is down fails calls at once, and calls after its return work", async () => {
    await proxy.cut();
    let connects = 0;
    const count = () => (connects += 1);
    subscribe("net.client.socket", count);
    const lost = await rejection(publish("away", "1", 60_000));
    unsubscribe("net.client.socket", count);
    expect(lost).toEqual(new LostBroker("ECONNREFUSED", "not-done"));
    // kafkajs tries once more; nobody waits for it to come back.
    expect(connects).toBeLessThanOrEqual(2);
    await proxy.resume();
    await publish("away", "2");
    expect(await texts("away")).toEqual(["2"]);
  });

  test("the next broker of the URL is used if one is down", async () => {
    const away = await freePort();
    const several = openKafka(
      `kafka://127.0.0.1:${away},127.0.0.1:${away},127.0.0.1:${proxy.port}`,
    );
    const receipt = await publishWithin(5000, several, messageFor("several", "1"));
    expect(receipt).toMatchObject({ topic: "several", offset: "0" });
    await several.close();
  });

  test("a broker that restarts while the client is idle costs no call", async () => {
    await publish("restart", "1");
    await proxy.cut();
    await proxy.resume();
    await publish("restart", "2");
    expect(await texts("restart")).toEqual(["1", "2"]);
  });

  test("a broker that dies during calls fails them in time", async () => {
    await publish("dies", "1");
    proxy.stall("answers");
    const calls = ["2", "3", "4"].map((text) => rejection(publish("dies", text)));
    await pause(50);
    await proxy.cut();
    for (const error of await Promise.all(calls)) expect(error).toBeInstanceOf(LostBroker);
    await proxy.resume();
    await publish("dies", "5");
    expect((await texts("dies")).at(-1)).toBe("5");
  });

  test("a broker that stalls fails one call, and later calls work", async () => {
    await publish("stall", "1");
    proxy.stall();
    expect(await rejection(publish("stall", "2", 300))).toBeInstanceOf(TimedOut);
    expect(await rejection(publish("stall", "3", 300))).toEqual(mute);
    await proxy.resume();
    await publish("stall", "4", 2000);
    expect(await texts("stall")).toContain("4");
  });

  test("a broker that accepts connections but never answers fails each call as unavailable in time", async () => {
    proxy.stall();
    expect(await rejection(publish("mute", "1", 300))).toEqual(mute);
    const underWay = rejection(publish("mute", "2", 400));
    const closing = broker.close();
    expect(await underWay).toEqual(mute);
    await closing;
  });

  test("a close at its deadline distinguishes unsent messages from messages that may be written", async () => {
    await publish("late", "1");
    proxy.stall("answers");
    const left = rejection(publish("late", "2", 60_000));
    await pause(50);
    // Those of one key go one after the other.
    const waits = rejection(publish("late", "3", 60_000));
    const late = new AbortController();
    const closed = broker.close(late.signal);
    await pause(50);
    stopClock();
    late.abort();
    expect(await left).toMatchObject({ name: "LostBroker", outcome: "unknown" });
    expect(await waits).toMatchObject({ name: "LostBroker", outcome: "not-done" });
    await closed;
    vi.useRealTimers();
    await proxy.resume();
    expect(await texts("late")).not.toContain("3");
  });

  test("a late close ends a connection attempt", async () => {
    proxy.stall();
    const waits = rejection(publish("opening", "1", 60_000));
    const late = new AbortController();
    const closed = broker.close(late.signal);
    await pause(50);
    late.abort();
    expect(await waits).toMatchObject({ name: "LostBroker", outcome: "not-done" });
    await closed;
  });

  test("a call that is aborted while it waits is not sent", async () => {
    await publish("abort", "1");
    proxy.stall();
    const first = rejection(publish("abort", "2", 500));
    const { attempt, end } = startAttempt(5000);
    const second = rejection(broker.publish(messageFor("abort", "3", { key: "k" }), attempt));
    end(new Error("aborted"));
    expect(await second).toEqual(new LostBroker("aborted"));
    expect(await first).toBeInstanceOf(TimedOut);
    await proxy.resume();
    await publish("abort", "4");
    expect(await texts("abort")).not.toContain("3");
  });

  test("an aborted call does not end the calls beside it", async () => {
    await publish("beside", "1");
    proxy.stall();
    const { attempt, end } = startAttempt(5000);
    const given = rejection(broker.publish(messageFor("beside", "2", { key: "k" }), attempt));
    const beside = publish("beside", "3");
    await pause(50);
    end(new Error("aborted"));
    await given;
    await proxy.resume();
    expect(await beside).toMatchObject({ topic: "beside" });
    expect(proxy.connections).toBe(1);
  });

  test("after cuts and stalls, every resolved message is where its receipt says, and no call hangs", async () => {
    const calling = new AbortController();
    const outcomes: { text: string; place?: string }[] = [];
    const call = async (caller: number) => {
      for (let index = 0; index < 60; index += 1) {
        const text = `${caller}/${index}`;
        const message = messageFor("chaos", text, index % 3 === 0 ? {} : { key: `k${caller}` });
        const place = await publishWithin(400, broker, message).then(
          ({ partition, offset }) => `${partition}/${offset}`,
          () => undefined,
        );
        outcomes.push(place === undefined ? { text } : { text, place });
        await pause(5);
      }
    };
    const faults = [
      () => proxy.cut(),
      () => proxy.drop(),
      () => proxy.stall(),
      () => proxy.stall("answers"),
    ];
    const disturb = async () => {
      for (let round = 0; !calling.signal.aborted; round += 1) {
        await pause(60);
        await faults[round % faults.length]?.();
        await pause(round % 5 === 0 ? 500 : 40);
        await proxy.resume();
      }
    };
    const disturbing = disturb();
    await Promise.all(Array.from({ length: 20 }, (_, caller) => call(caller)));
    calling.abort();
    await disturbing;
    const messages = await kafka.read("chaos");
    const byPlace = new Map(
      messages.map(({ partition, offset, body }) => [`${partition}/${offset}`, body.toString()]),
    );
    const resolved = outcomes.filter(({ place }) => place !== undefined);
    expect(outcomes).toHaveLength(1200);
    expect(resolved.length).toBeGreaterThan(100);
    expect(resolved.length).toBeLessThan(1200);
    for (const { text, place = "" } of resolved) expect(byPlace.get(place)).toBe(text);
  });
});
