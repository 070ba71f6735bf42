/** bench/queue-faults.ts with a few hundred publishes: what it counts, and that no promise is broken. */
import { expect, test } from "vitest";
import { type Count, isKept } from "../../bench/queue-faults/count.js";
import { kafkaSubject } from "../../bench/queue-faults/kafka.js";
import { rabbitmqSubject } from "../../bench/queue-faults/rabbitmq.js";
import { redisSubject } from "../../bench/queue-faults/redis.js";
import { runFaults } from "../../bench/queue-faults/run.js";
import type { Subject } from "../../bench/queue-faults/subject.js";
import { onKafka, onRabbitmq, onRedis } from "./order-events-brokers.js";

/** The seed's first fault is a restart: it comes before the calls are over on any machine. */
const load = { count: 300, callers: 8, seed: 34 };

function total(counts: readonly Count[], beginning: string): number {
  const those = counts.filter(({ what }) => what.startsWith(beginning));
  return those.reduce((sum, { count }) => sum + count, 0);
}

async function expectKept(subject: Subject, seed = load.seed): Promise<readonly Count[]> {
  const counts = await runFaults(subject, { ...load, seed });
  expect(counts.filter((each) => !isKept(each))).toEqual([]);
  const [calls, resolved, rejected] = ["published", "resolved: success", "rejected: "].map((each) =>
    total(counts, each),
  );
  expect(calls).toBe(load.count);
  expect(resolved).toBeGreaterThan(0);
  expect(rejected).toBeGreaterThan(0);
  expect(total(counts, "ledger: ")).toBe(load.count);
  expect(total(counts, "messages in the broker")).toBeGreaterThanOrEqual(resolved ?? 0);
  return counts;
}

const restarts = (counts: readonly Count[]) => total(counts, "fault: restart");

onKafka("publishes while Kafka fails", (kafka) => {
  test("are in the broker or in the ledger, and none hangs", async () => {
    // What passes is waited out: this seed cuts connections off for longer than others.
    const counts = await expectKept(await kafkaSubject(kafka()), 36);
    expect(total(counts, "fault: ")).toBeGreaterThan(1);
    expect(restarts(counts)).toBe(0);
  });
});

onRabbitmq("publishes while RabbitMQ fails and restarts", (rabbitmq) => {
  test("are in the broker or in the ledger, and none hangs", async () => {
    expect(restarts(await expectKept(await rabbitmqSubject(rabbitmq())))).toBeGreaterThan(0);
  });
});

onRedis("publishes while Redis fails and restarts", (redis) => {
  test("are in the broker or in the ledger, and none hangs", async () => {
    const counts = await expectKept(await redisSubject(redis()));
    expect(restarts(counts)).toBeGreaterThan(0);
    expect(total(counts, "fault: ")).toBeGreaterThan(1);
  });
});
