/** Runs bench/queue-faults.ts with a few hundred publishes and checks its counts: no promise is broken. */
import { expect, test } from "vitest";
import { type Count, isKept } from "../../bench/queue-faults/count.js";
import { kafkaSubject } from "../../bench/queue-faults/kafka.js";
import { rabbitmqSubject } from "../../bench/queue-faults/rabbitmq.js";
import { redisSubject } from "../../bench/queue-faults/redis.js";
import { runFaults } from "../../bench/queue-faults/run.js";
import type { Subject } from "../../bench/queue-faults/subject.js";
import { onKafka, onRabbitmq, onRedis } from "./order-events-brokers.js";

/** The seed's first fault is a restart. */
const load = { count: 300, leastFaults: 2, callers: 8, seed: 34 };

function total(counts: readonly Count[], beginning: string): number {
  const those = counts.filter(({ what }) => what.startsWith(beginning));
  return those.reduce((sum, { count }) => sum + count, 0);
}

async function expectKept(subject: Subject, seed = load.seed): Promise<readonly Count[]> {
  const counts = await runFaults(subject, { ...load, seed });
  // How long a call takes is the machine's matter as well; one that hangs is ours.
  const judged = counts.filter(({ what }) => !what.startsWith("longest call"));
  expect(judged.filter((each) => !isKept(each))).toEqual([]);
  expect(total(counts, "hung")).toBe(0);
  const [calls = 0, resolved = 0, rejected = 0] = [
    "published",
    "resolved: success",
    "rejected: ",
  ].map((each) => total(counts, each));
  expect(calls).toBeGreaterThanOrEqual(load.count);
  expect(resolved).toBeGreaterThan(0);
  expect(rejected).toBeGreaterThan(0);
  expect(total(counts, "ledger: ")).toBe(calls);
  expect(total(counts, "messages in the broker")).toBeGreaterThanOrEqual(resolved);
  return counts;
}

const restarts = (counts: readonly Count[]) => total(counts, "fault: restart");

onKafka("publishes while Kafka fails", (kafka) => {
  test("reach the broker or the ledger, and none hangs", async () => {
    // What passes is waited out: this seed cuts connections off for longer than others.
    const counts = await expectKept(await kafkaSubject(kafka()), 36);
    expect(total(counts, "fault: ")).toBeGreaterThan(1);
    expect(restarts(counts)).toBe(0);
  });
});

onRabbitmq("publishes while RabbitMQ fails and restarts", (rabbitmq) => {
  test("reach the broker or the ledger, and none hangs", async () => {
    expect(restarts(await expectKept(await rabbitmqSubject(rabbitmq())))).toBeGreaterThan(0);
  });
});

onRedis("publishes while Redis fails and restarts", (redis) => {
  test("reach the broker or the ledger, and none hangs", async () => {
    const counts = await expectKept(await redisSubject(redis()));
    expect(restarts(counts)).toBeGreaterThan(0);
    expect(total(counts, "fault: ")).toBeGreaterThan(1);
  });
});
