/** Messages without keys while one broker of several says nothing, read by kcat on the side. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openKafka } from "../../../../src/bindings/queue/send/kafka/open-kafka.js";
import { publishWithin } from "../support/attempt.js";
import { messageFor, withKafka } from "../support/kafka.js";
import type { Proxy } from "../support/proxy.js";
import { type MockCluster, startMockCluster } from "./mock-cluster.js";

interface Call {
  readonly text: string;
  readonly isWritten: boolean;
  readonly ms: number;
}

withKafka("a broker of several that says nothing", () => {
  let cluster: MockCluster;
  beforeAll(async () => {
    cluster = await startMockCluster(3);
  });
  afterAll(() => cluster.close());

  /** A topic of which one broker leads so many partitions, and that broker's proxy: leaders are chosen at random. */
  async function topicWith(partitions: number) {
    for (let index = 0; ; index += 1) {
      const topic = `silent-${partitions}-${index}`;
      const leaders = await cluster.leadersOf(topic);
      const proxy = cluster.proxies.find(
        (_, at) => leaders.filter((leader) => leader === at + 1).length === partitions,
      );
      if (proxy !== undefined) return { topic, proxy };
    }
  }

  /** Calls of 16 callers, without keys, for a while in which a broker is silent. */
  async function callThrough(topic: string, proxy: Proxy): Promise<readonly Call[]> {
    const broker = openKafka(cluster.url);
    const publish = (text: string) => publishWithin(2000, broker, messageFor(topic, text));
    for (let index = 0; index < 8; index += 1) await publish(`before/${index}`);
    proxy.stall();
    const calls: Call[] = [];
    const end = performance.now() + 5000;
    const call = async (caller: number) => {
      for (let index = 0; performance.now() < end; index += 1) {
        const [text, began] = [`${caller}/${index}`, performance.now()];
        const isWritten = await publish(text).then(
          () => true,
          () => false,
        );
        calls.push({ text, isWritten, ms: performance.now() - began });
        await pause(20);
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, caller) => call(caller)));
    await proxy.resume();
    await broker.close();
    return calls;
  }

  test.each([1, 2])("with %i of 4 partitions silent, few calls fail or wait", async (silent) => {
    const { topic, proxy } = await topicWith(silent);
    const calls = await callThrough(topic, proxy);
    const read = new Set(await cluster.read(topic));
    const written = calls.filter(({ isWritten }) => isWritten);
    expect(written.filter(({ text }) => !read.has(text))).toEqual([]);
    // What went together to the silent one before it was late, and what a new connection to it cost.
    expect(calls.length - written.length).toBeLessThanOrEqual(16);
    const late = written.filter(({ ms }) => ms > 1500);
    expect(late).toEqual([]);
    expect(calls.length).toBeGreaterThan(500);
  });
});
