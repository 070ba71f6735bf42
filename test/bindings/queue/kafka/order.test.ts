/** Messages of one key stay in the order of their calls while sessions come and go. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { RejectedMessage } from "../../../../src/bindings/queue/send/failures.js";
import { rejection, startAttempt } from "../support/attempt.js";
import { messageFor } from "../support/kafka.js";
import { keyOf } from "./key-of.js";
import type { Script } from "./scripted-broker.js";
import { startScripted, valuesOf } from "./start-scripted.js";

const invalidRecord = 87;
const [key0, key1] = [keyOf(0, 2), keyOf(1, 2)];

/**
 * What begins with `!` is refused; what begins with `~` is refused the first time, in a while, for
 * a reason that passes.
 */
function script(): Script {
  const met = new Set<string>();
  return {
    partitions: 2,
    onProduce({ values }) {
      const [text = ""] = values.map(String);
      if (text.startsWith("!")) return { error: invalidRecord };
      if (!text.startsWith("~") || met.has(text)) return {};
      met.add(text);
      return { afterMs: 700, error: 6, isWritten: false };
    },
  };
}

test("keeps a key's order while another key's message is rejected", async () => {
  const { server, publish } = await startScripted(script());
  await publish("0", 5000, key1);
  const first = publish("~1", 5000, key1);
  await pause(30);
  const refused = rejection(publish("!", 5000, key0));
  await pause(50);
  const second = publish("2", 5000, key1);
  const third = publish("3", 5000, key1);
  expect(await refused).toBeInstanceOf(RejectedMessage);
  await Promise.all([first, second, third]);
  expect(valuesOf(server)).toEqual(["0", "~1", "2", "3"]);
});

test("does not let messages of other keys wait for a rejected message", async () => {
  const { server, publish } = await startScripted(script());
  await publish("0", 5000, key1);
  const first = publish("~1", 5000, key1);
  await pause(30);
  await rejection(publish("!", 5000, key0));
  await publish("other", 500, key0);
  const second = publish("2", 5000, key1);
  await Promise.all([first, second]);
  expect(valuesOf(server)).toEqual(["0", "other", "~1", "2"]);
});

test("lets no aborted message delay a later one", async () => {
  const { server, publish } = await startScripted({
    partitions: 2,
    onProduce: ({ values: [value] }) => (String(value) === "mute" ? { answer: "none" } : {}),
  });
  await publish("0", 5000, key1);
  const mute = rejection(publish("mute", 300, key1));
  await pause(30);
  const after = publish("1", 5000, key1);
  await mute;
  await after;
  expect(valuesOf(server)).toEqual(["0", "mute", "1"]);
});

test("lets no aborted message delay a later one if its session continues for others", async () => {
  let isMoving = true;
  const { broker, server, publish } = await startScripted({
    partitions: 2,
    onProduce({ partition, values: [value] }) {
      const isRefused = partition === 0 ? isMoving : String(value) === "given up";
      return isRefused ? { error: 6 } : {};
    },
  });
  await publish("0", 5000, key1);
  const other = publish("other", 5000, key0);
  const { attempt, end } = startAttempt(5000);
  const given = rejection(broker.publish(messageFor("t", "given up", { key: key1 }), attempt));
  // By now it is tried once in most of a second.
  await pause(900);
  end(new Error("aborted"));
  await publish("1", 500, key1);
  isMoving = false;
  await Promise.all([given, other]);
  expect(valuesOf(server)).toEqual(["0", "1", "other"]);
});

test("sends one batch at a time for each partition, also during the first batch of a session", async () => {
  const { server, publish } = await startScripted({
    onProduce: ({ count }) => (count === 1 ? { afterMs: 200, answer: "end" } : {}),
  });
  const first = publish("1");
  await pause(100);
  const second = publish("2");
  expect([(await first).offset, (await second).offset]).toEqual(["0", "1"]);
  expect(valuesOf(server)).toEqual(["1", "2"]);
});
