/** Messages without keys while one of several brokers is silent, read by kcat. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openKafka } from "../../../../src/bindings/queue/providers/kafka/send/open-kafka.js";
import { publishWithin } from "../support/attempt.js";
import { messageFor, withKafka } from "../support/kafka.js";
import type { Proxy } from "../support/proxy.js";
import { type MockCluster, startMockCluster } from "./mock-cluster.js";

interface Call {
  readonly text: string;
  readonly isWritten: boolean;
  /**
   * How many calls to a topic with which nothing is wrong one caller made meanwhile, one after the
   * other.
   */
  readonly meanwhile: number;
}

/** How many calls to a topic with which nothing is wrong are made in all. */
const paces = 200;

function firstOf({ proxies }: MockCluster): Proxy {
  const [proxy] = proxies;
  if (proxy === undefined) throw new Error("a cluster has brokers");
  return proxy;
}

withKafka("a broker of several that says nothing", () => {
  let cluster: MockCluster;
  beforeAll(async () => {
    cluster = await startMockCluster(3);
  });
  afterAll(() => cluster.close());

  /** A topic of which that broker leads so many partitions: leaders are chosen at random. */
  async function topicWith(broker: number, partitions: number): Promise<string> {
    for (let index = 0; ; index += 1) {
      const topic = `of-${broker}-${partitions}-${index}`;
      const leaders = await cluster.leadersOf(topic);
      if (leaders.filter((leader) => leader === broker).length === partitions) return topic;
    }
  }

  const publisherTo = (topic: string) => {
    const broker = openKafka(cluster.url);
    const publish = (text: string, timeoutMs = 60_000) =>
      publishWithin(timeoutMs, broker, messageFor(topic, text));
    return { publish, close: () => broker.close() };
  };

  /**
   * Calls of 16 callers, without keys, for a while in which a broker is silent: so long as another
   * caller takes for its calls to a topic of the others.
   */
  async function callThrough(topic: string, well: string, proxy: Proxy): Promise<readonly Call[]> {
    const { publish, close } = publisherTo(topic);
    const pace = publisherTo(well);
    for (let index = 0; index < 8; index += 1) await publish(`before/${index}`);
    await pace.publish("before");
    proxy.stall();
    const calls: Call[] = [];
    const pacer = { calls: 0 };
    const setPace = async () => {
      for (; pacer.calls < paces; pacer.calls += 1) {
        await pace.publish(`${pacer.calls}`);
        await pause(20);
      }
    };
    const call = async (caller: number) => {
      for (let index = 0; pacer.calls < paces; index += 1) {
        const [text, began] = [`${caller}/${index}`, pacer.calls];
        const isWritten = await publish(text, 2000).then(
          () => true,
          () => false,
        );
        calls.push({ text, isWritten, meanwhile: pacer.calls - began });
        await pause(20);
      }
    };
    await Promise.all([setPace(), ...Array.from({ length: 16 }, (_, caller) => call(caller))]);
    await proxy.resume();
    await Promise.all([close(), pace.close()]);
    return calls;
  }

  test.each([1, 2])("few calls fail or wait if %i of 4 partitions are silent", async (silent) => {
    const topic = await topicWith(1, silent);
    const calls = await callThrough(topic, await topicWith(1, 0), firstOf(cluster));
    const read = new Set(await cluster.read(topic));
    const written = calls.filter(({ isWritten }) => isWritten);
    expect(written.filter(({ text }) => !read.has(text))).toEqual([]);
    // What went together to the silent one before it was late, and what a new connection to it
    // cost.
    expect(calls.length - written.length).toBeLessThanOrEqual(16);
    const late = written.filter(({ meanwhile }) => meanwhile > paces / 4);
    expect(late).toEqual([]);
    // As many as the pace allows, but for what the silence cost at first.
    expect(calls.length).toBeGreaterThan((16 * paces) / 4);
  });
});
