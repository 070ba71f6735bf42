/** Partitions that have no leader for a while, as brokers that restart leave them. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { publishWithin, rejection, startAttempt } from "../support/attempt.js";
import { messageFor } from "../support/kafka.js";
import { freePort } from "../support/server-process.js";
import { keyOf } from "./key-of.js";
import { startScripted, valuesOf } from "./start-scripted.js";

const leaderNotAvailable = 5;
const notLeader = 6;

const [key0, key1] = [keyOf(0, 2), keyOf(1, 2)];

/** Something that is so for a while. */
function period() {
  let end = 0;
  return {
    start: (ms: number) => {
      end = performance.now() + ms;
    },
    isOn: () => performance.now() < end,
  };
}

async function timed<Value>(work: Promise<Value>): Promise<readonly [Value, number]> {
  const began = performance.now();
  const value = await work;
  return [value, performance.now() - began];
}

test.each([100, 300, 600, 2000])("an election of %i ms is waited out", async (ms) => {
  const election = period();
  const script = {
    topicError: () => (election.isOn() ? leaderNotAvailable : 0),
    onProduce: () => (election.isOn() ? { error: notLeader } : {}),
  };
  const open = await startScripted(script);
  await open.publish("before");
  election.start(ms);
  const [, withSession] = await timed(open.publish("within"));
  expect(valuesOf(open.server)).toEqual(["before", "within"]);
  const fresh = await startScripted(script);
  election.start(ms);
  const [, withoutSession] = await timed(fresh.publish("new"));
  expect(valuesOf(fresh.server)).toEqual(["new"]);
  // Waits between two tries are never longer than a second.
  expect(Math.max(withSession, withoutSession)).toBeLessThan(ms + 1500);
});

test("a partition without a leader holds up no other", async () => {
  const election = period();
  const { publish } = await startScripted({
    partitions: 2,
    isLeaderless: (partition) => partition === 1 && election.isOn(),
  });
  election.start(1000);
  const waits = publish("1", 5000, key1);
  await pause(100);
  const [, ms] = await timed(publish("0", 5000, key0));
  expect(ms).toBeLessThan(500);
  expect(await waits).toMatchObject({ partition: 1, offset: "0" });
});

test("messages without keys go to the partitions that have a leader", async () => {
  const { broker } = await startScripted({
    partitions: 2,
    isLeaderless: (partition) => partition === 1,
  });
  const publish = (text: string) => publishWithin(1000, broker, messageFor("t", text));
  for (const text of ["1", "2", "3"]) expect(await publish(text)).toMatchObject({ partition: 0 });
  const together = await Promise.all(["4", "5", "6"].map(publish));
  expect(together.map(({ partition }) => partition)).toEqual([0, 0, 0]);
});

test("messages without keys wait while no partition has a leader", async () => {
  const election = period();
  const { server, broker } = await startScripted({
    partitions: 2,
    isLeaderless: () => election.isOn(),
  });
  election.start(500);
  const publish = (text: string) => publishWithin(5000, broker, messageFor("t", text));
  const [, ms] = await timed(Promise.all(["1", "2", "3"].map(publish)));
  expect(ms).toBeGreaterThan(450);
  expect(valuesOf(server).toSorted()).toEqual(["1", "2", "3"]);
});

test("what nobody waits for any more is not written when its partition has a leader again", async () => {
  const election = period();
  const move = period();
  const { broker, server, publish } = await startScripted({
    partitions: 2,
    isLeaderless: (partition) => partition === 1 && election.isOn(),
    onProduce: ({ partition }) => (partition === 0 && move.isOn() ? { error: notLeader } : {}),
  });
  election.start(500);
  await publish("0", 5000, key0);
  move.start(2000);
  const slow = publish("slow", 5000, key0);
  const { attempt, end } = startAttempt(5000);
  const given = rejection(broker.publish(messageFor("t", "given up", { key: key1 }), attempt));
  await pause(200);
  expect(end(new Error("aborted"))).toBe("not-done");
  await given;
  // The session goes on for this one, and the election ends before.
  await slow;
  expect(valuesOf(server)).toEqual(["0", "slow"]);
});

test.each([
  ["of the topic", { topicError: () => leaderNotAvailable }],
  ["of its partition", { isLeaderless: () => true }],
])("an election %s that outlasts the attempt fails it in its time", async (_, script) => {
  const { server, publish } = await startScripted(script);
  const [error, ms] = await timed(rejection(publish("1", 1000)));
  expect(error).toMatchObject({ reason: "LEADER_NOT_AVAILABLE", outcome: "not-done" });
  expect(ms).toBeGreaterThan(500);
  await pause(500);
  expect(valuesOf(server)).toEqual([]);
});

test("a leader that is away is waited for while other brokers answer", async () => {
  const away = await freePort();
  const election = period();
  const { server, publish } = await startScripted({
    leaderPort: () => (election.isOn() ? away : undefined),
  });
  election.start(1000);
  await publish("1");
  expect(valuesOf(server)).toEqual(["1"]);
});

test.each([
  ["NOT_ENOUGH_REPLICAS", 19, "not-done"],
  // A leader that moved while replicas were waited for gives that answer too.
  ["NOT_LEADER_FOR_PARTITION", notLeader, "unknown"],
  ["NOT_ENOUGH_REPLICAS_AFTER_APPEND", 20, "unknown"],
  ["REQUEST_TIMED_OUT", 7, "unknown"],
])(
  "%s that does not pass is told with what is known of the message",
  async (reason, error, outcome) => {
    const { publish } = await startScripted({ onProduce: () => ({ error }) });
    const [failure, ms] = await timed(rejection(publish("1", 1000)));
    expect(failure).toMatchObject({ name: "LostBroker", reason, outcome });
    expect(ms).toBeGreaterThan(500);
  },
);

test("once a try may have written a message, no later answer says that it was not", async () => {
  const { publish } = await startScripted({
    onProduce: ({ count }) => ({ error: count === 1 ? 7 : 19 }),
  });
  const failure = await rejection(publish("1", 1000));
  expect(failure).toMatchObject({ reason: "NOT_ENOUGH_REPLICAS", outcome: "unknown" });
});
