/** Partitions without a leader for a while, such as while brokers restart. */
import { expect, test, vi } from "vitest";
import { publishWithin, rejection, startAttempt } from "../support/attempt.js";
import { messageFor } from "../support/kafka.js";
import { freePort } from "../support/server-process.js";
import { keyOf } from "./key-of.js";
import { startScripted, valuesOf } from "./start-scripted.js";

const leaderNotAvailable = 5;
const notLeader = 6;

const [key0, key1] = [keyOf(0, 2), keyOf(1, 2)];

/** Something that is so until the test ends it, or until the broker was asked so often. */
function period() {
  let left = 0;
  let asked = 0;
  return {
    start: (most = Infinity) => {
      left = most;
    },
    end: () => {
      left = 0;
    },
    /** How often the broker was asked while it was so. */
    asked: () => asked,
    isOn: () => {
      if (left === 0) return false;
      left -= 1;
      asked += 1;
      return true;
    },
  };
}

test.each([1, 2, 3, 6])(
  "a message waits until an election of %i answers is over",
  async (answers) => {
    const election = period();
    const script = {
      topicError: () => (election.isOn() ? leaderNotAvailable : 0),
      onProduce: () => (election.isOn() ? { error: notLeader } : {}),
    };
    const open = await startScripted(script);
    await open.publish("before");
    election.start(answers);
    await open.publish("within", 30_000);
    expect(valuesOf(open.server)).toEqual(["before", "within"]);
    const fresh = await startScripted(script);
    election.start(answers);
    await fresh.publish("new", 30_000);
    expect(valuesOf(fresh.server)).toEqual(["new"]);
    expect(election.asked()).toBe(2 * answers);
  },
);

test("a partition without a leader delays no other partition", async () => {
  const election = period();
  const { publish } = await startScripted({
    partitions: 2,
    isLeaderless: (partition) => partition === 1 && election.isOn(),
  });
  election.start();
  const waits = publish("1", 60_000, key1);
  await vi.waitUntil(() => election.asked() > 0);
  expect(await publish("0", 60_000, key0)).toMatchObject({ partition: 0 });
  election.end();
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
  election.start();
  const publish = (text: string) => publishWithin(60_000, broker, messageFor("t", text));
  const all = Promise.all(["1", "2", "3"].map(publish));
  await vi.waitUntil(() => election.asked() > 6);
  expect(valuesOf(server)).toEqual([]);
  election.end();
  await all;
  expect(valuesOf(server).toSorted()).toEqual(["1", "2", "3"]);
});

test("a call that ended while its partition had no leader is not written later", async () => {
  const election = period();
  const move = period();
  const { broker, server, publish } = await startScripted({
    partitions: 2,
    isLeaderless: (partition) => partition === 1 && election.isOn(),
    onProduce: ({ partition }) => (partition === 0 && move.isOn() ? { error: notLeader } : {}),
  });
  election.start();
  await publish("0", 5000, key0);
  move.start();
  const slow = publish("slow", 60_000, key0);
  const { attempt, end } = startAttempt(60_000);
  const before = election.asked();
  const given = rejection(broker.publish(messageFor("t", "given up", { key: key1 }), attempt));
  await vi.waitUntil(() => election.asked() > before + 2);
  expect(end(new Error("aborted"))).toBe("not-done");
  await given;
  election.end();
  // The session goes on for this one, which is tried again while there is a leader for the other.
  const moves = move.asked();
  await vi.waitUntil(() => move.asked() > moves + 1);
  move.end();
  await slow;
  expect(valuesOf(server)).toEqual(["0", "slow"]);
});

test.each([
  ["of the topic", { topicError: () => leaderNotAvailable }],
  ["of its partition", { isLeaderless: () => true }],
])("an election %s that outlasts the attempt fails the call in time", async (_, script) => {
  const { broker, server, publish } = await startScripted(script);
  const error = await rejection(publish("1", 1000));
  expect(error).toMatchObject({ reason: "LEADER_NOT_AVAILABLE", outcome: "not-done" });
  await broker.close();
  expect(valuesOf(server)).toEqual([]);
});

test("a message waits for an unreachable leader while other brokers answer", async () => {
  const away = await freePort();
  const election = period();
  const { server, publish } = await startScripted({
    leaderPort: () => (election.isOn() ? away : undefined),
  });
  election.start(5);
  await publish("1", 30_000);
  expect(valuesOf(server)).toEqual(["1"]);
});

test.each([
  ["NOT_ENOUGH_REPLICAS", 19, "not-done"],
  // A leader that moved while replicas were waited for gives that answer too.
  ["NOT_LEADER_FOR_PARTITION", notLeader, "unknown"],
  ["NOT_ENOUGH_REPLICAS_AFTER_APPEND", 20, "unknown"],
  ["REQUEST_TIMED_OUT", 7, "unknown"],
])(
  "a persistent %s fails the call with the outcome of the message",
  async (reason, error, outcome) => {
    const { publish, server } = await startScripted({ onProduce: () => ({ error }) });
    const failure = await rejection(publish("1", 1000));
    expect(failure).toMatchObject({ name: "LostBroker", reason, outcome });
    // It was tried again before it was told.
    expect(server.produced.length).toBeGreaterThan(1);
  },
);

test("the outcome stays unknown after a try that may have written the message", async () => {
  const { publish } = await startScripted({
    onProduce: ({ count }) => ({ error: count === 1 ? 7 : 19 }),
  });
  const failure = await rejection(publish("1", 1000));
  expect(failure).toMatchObject({ reason: "NOT_ENOUGH_REPLICAS", outcome: "unknown" });
});
