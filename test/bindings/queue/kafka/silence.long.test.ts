/** Brokers that accept connections but stop answering. */
import { expect, onTestFinished, test } from "vitest";
import { openKafka } from "../../../../src/bindings/queue/providers/kafka/send/open-kafka.js";
import { publishWithin, rejection, TimedOut } from "../support/attempt.js";
import { messageFor } from "../support/kafka.js";
import { muteServer } from "../support/mute-server.js";
import { startScripted, valuesOf } from "./start-scripted.js";

async function startMute(): Promise<number> {
  const server = await muteServer();
  onTestFinished(() => server.close());
  return server.port;
}

function clientOf(...ports: readonly number[]) {
  const broker = openKafka(`kafka://${ports.map((port) => `127.0.0.1:${port}`).join(",")}`);
  onTestFinished(() => broker.close());
  return (text: string, timeoutMs: number) =>
    publishWithin(timeoutMs, broker, messageFor("t", text, { key: "k" }));
}

const unreachable = { name: "LostBroker", reason: "ETIMEDOUT", outcome: "not-done" };

test.each([300, 1000, 3000])("a mute broker fails the call within %i ms", async (timeoutMs) => {
  const publish = clientOf(await startMute());
  expect(await rejection(publish("1", timeoutMs))).toMatchObject(unreachable);
  expect(await rejection(publish("2", timeoutMs))).toMatchObject(unreachable);
});

test("all of several mute brokers are tried within the attempt", async () => {
  const publish = clientOf(await startMute(), await startMute(), await startMute());
  expect(await rejection(publish("1", 600))).toMatchObject(unreachable);
});

test("the next broker of the URL is used beside a mute one", async () => {
  const { server } = await startScripted({});
  const mute = await startMute();
  // Which of the two is asked first is left to chance.
  for (let index = 0; index < 6; index += 1) await clientOf(mute, server.port)(String(index), 1000);
  expect(valuesOf(server)).toHaveLength(6);
});

test.each([
  ["a login", 17],
  ["a producer's id", 22],
])("a broker that stops answering at a request for %s fails the call", async (_, mutedKind) => {
  const { publish } = await startScripted({ mutedKind }, "", "user:pass@");
  expect(await rejection(publish("1", 500))).toMatchObject(unreachable);
});

test("an unsent message is not done when its attempt ends", async () => {
  const { server, publish } = await startScripted({ mutedKind: 3 });
  const failure = await rejection(publish("1", 500));
  expect(failure).toBeInstanceOf(TimedOut);
  expect(failure).toMatchObject({ outcome: "not-done" });
  expect(valuesOf(server)).toEqual([]);
});

test("a sent message without an answer has an unknown outcome when its attempt ends", async () => {
  const { publish } = await startScripted({ onProduce: () => ({ answer: "none" }) });
  const failure = await rejection(publish("1", 500));
  expect(failure).toBeInstanceOf(TimedOut);
  expect(failure).toMatchObject({ outcome: "unknown" });
});
