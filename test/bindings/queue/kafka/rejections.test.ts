/** Messages that a broker rejects, loses or repeats. The mock cluster can't do that. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openKafka } from "../../../../src/bindings/queue/providers/kafka/send/open-kafka.js";
import { LostBroker, RejectedMessage } from "../../../../src/bindings/queue/send/failures.js";
import { publishWithin, rejection, TimedOut } from "../support/attempt.js";
import { messageFor } from "../support/kafka.js";
import type { Script } from "./scripted-broker.js";
import { startScripted, valuesOf } from "./start-scripted.js";

test.each([
  [1000, "which is 1000 bytes"],
  [undefined, "which the broker doesn't report"],
])(
  "the error for a message that is too large names the topic's limit: %s",
  async (limit, words) => {
    const { publish } = await startScripted({
      ...(limit !== undefined && { limit }),
      onProduce: ({ values: all }) => ({ error: all.some((each) => each.length > 900) ? 10 : 0 }),
    });
    const error = await rejection(publish("x".repeat(950)));
    expect(error).toBeInstanceOf(RejectedMessage);
    expect(error.message).toMatch(
      /^the message has 10\d\d bytes, more than the topic's `max\.message\.bytes`, which/,
    );
    expect(error.message).toContain(words);
  },
);

test("only the message that is too large is rejected from a batch that is too large", async () => {
  const sizes: number[] = [];
  const { server, publish } = await startScripted({
    limit: 400,
    onProduce: ({ values: all }) => {
      sizes.push(all.length);
      return { error: all.reduce((bytes, each) => bytes + each.length, 0) > 300 ? 10 : 0 };
    },
  });
  await publish("first");
  const texts = Array.from({ length: 8 }, (_, index) =>
    index === 5 ? "!".repeat(301) : String(index).repeat(100),
  );
  const ended = await Promise.allSettled(texts.map((text) => publish(text)));
  expect(ended.map(({ status }) => status === "fulfilled")).toEqual(
    texts.map((_, index) => index !== 5),
  );
  expect(valuesOf(server)).toEqual(["first", ...texts.filter((_, index) => index !== 5)]);
  expect(Math.max(...sizes)).toBe(8);
});

test("one message that the topic does not accept is rejected alone, and those after it go together", async () => {
  const { broker, server } = await startScripted({
    onProduce: ({ values }) => ({ error: values.some((each) => String(each) === "!") ? 87 : 0 }),
  });
  const publish = (text: string) => publishWithin(5000, broker, messageFor("t", text));
  await publish("first");
  const texts = Array.from({ length: 32 }, (_, index) => (index === 21 ? "!" : String(index)));
  const ended = await Promise.allSettled(texts.map(publish));
  expect(ended.flatMap(({ status }, index) => (status === "rejected" ? [index] : []))).toEqual([
    21,
  ]);
  const others = texts.filter((text) => text !== "!");
  expect(valuesOf(server).toSorted()).toEqual(["first", ...others].toSorted());
  // Halves of halves: 32, 16, 16, 8, 4, 2, 1 with it, and what was divided off.
  expect(server.produced.length).toBeLessThan(20);
  const before = server.produced.length;
  await Promise.all(others.map(publish));
  expect(server.produced.slice(before).map(({ values }) => values.length)).toEqual([31]);
});

test.each([
  [3, "the topic does not exist (UNKNOWN_TOPIC_OR_PARTITION)"],
  [17, "the topic's name is invalid (INVALID_TOPIC_EXCEPTION)"],
  [29, "the user may not write to the topic (TOPIC_AUTHORIZATION_FAILED)"],
])("a topic with the error %i is rejected", async (code, message) => {
  const { publish } = await startScripted({ topicError: () => code });
  expect(await rejection(publish("1"))).toEqual(new RejectedMessage(message));
});

test("a rejected topic disturbs no other topic", async () => {
  const { broker } = await startScripted({ topicError: (topic) => (topic === "no" ? 3 : 0) });
  const refused = rejection(publishWithin(5000, broker, messageFor("no", "1")));
  for (let index = 0; index < 50; index += 1) {
    await publishWithin(500, broker, messageFor("yes", String(index)));
    await pause(5);
  }
  expect(await refused).toBeInstanceOf(RejectedMessage);
});

test("a message that was written without an answer hides none after it", async () => {
  const { server, publish } = await startScripted({
    onProduce: ({ values: [value] }) => (String(value) === "lost" ? { answer: "none" } : {}),
  });
  await publish("before");
  expect(await rejection(publish("lost", 300))).toBeInstanceOf(TimedOut);
  const receipt = await publish("after");
  expect(valuesOf(server)).toEqual(["before", "lost", "after"]);
  expect(receipt.offset).toBe("2");
});

test("a message is written once if the connection ends between the write and its answer", async () => {
  const { server, publish } = await startScripted({
    partitions: 3,
    onProduce: ({ count }) => (count === 2 ? { answer: "end" } : {}),
  });
  await publish("1");
  expect((await publish("2")).offset).toBe("1");
  await publish("3");
  expect(valuesOf(server)).toEqual(["1", "2", "3"]);
});

test("messages without keys keep their partition when they are sent again", async () => {
  const { broker, server } = await startScripted({
    partitions: 5,
    onProduce: ({ count }) => (count % 4 === 0 ? { answer: "end" } : {}),
  });
  const texts = Array.from({ length: 40 }, (_, index) => String(index));
  for (const text of texts) await publishWithin(5000, broker, messageFor("t", text));
  expect(valuesOf(server)).toEqual(texts);
  expect(new Set(server.log.map(({ partition }) => partition)).size).toBe(5);
});

test("a temporary error is retried", async () => {
  const { server, publish } = await startScripted({
    onProduce: ({ count }) => ({ error: count < 3 ? 6 : 0 }),
  });
  await publish("1");
  expect(valuesOf(server)).toEqual(["1"]);
});

test("the error for a large message names its size if the broker hangs up", async () => {
  const sizes: number[] = [];
  const { publish } = await startScripted({
    onProduce({ values: [value = ""] }) {
      sizes.push(value.length);
      return value.length > 1_000_000 ? { answer: "end", isWritten: false } : {};
    },
  });
  const error = await rejection(publish("x".repeat(1_000_001)));
  expect(error).toMatchObject({ name: "LostBroker", outcome: "unknown" });
  expect(error.message).toMatch(
    /^connection lost; the request had 1000\d{3} bytes, maybe more than the broker's `socket\.request\.max\.bytes`$/,
  );
  expect(sizes).toHaveLength(4);
  expect(await publish("small")).toMatchObject({ offset: "0" });
});

test("a message that was written without an answer is never rejected later", async () => {
  let isRevoked = false;
  const script: Script = {
    get loginError() {
      return isRevoked ? 58 : 0;
    },
    onProduce() {
      isRevoked = true;
      return { answer: "end" };
    },
  };
  const { server, publish } = await startScripted(script, "", "user:pass@");
  const error = await rejection(publish("1"));
  expect(valuesOf(server)).toEqual(["1"]);
  expect(error).toEqual(new LostBroker("connection lost", "unknown"));
});

test("a cluster without a controller accepts messages", async () => {
  const { publish } = await startScripted({ controllerId: -1 });
  expect(await publish("1")).toMatchObject({ offset: "0" });
});

test("a login goes only to its broker, and a wrong login goes nowhere else", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.stubEnv("KAFKAJS_LOG_LEVEL", "DEBUG");
  const right = await startScripted({ loginError: 0 }, "", "user:p%40ss@");
  await right.publish("1");
  expect(right.server.logins).toEqual([{ mechanism: "PLAIN", bytes: Buffer.from("\0user\0p@ss") }]);
  const wrong = await startScripted({ loginError: 58 }, "", "user:p%40ss@");
  const error = await rejection(wrong.publish("secret text"));
  expect(error).toEqual(new RejectedMessage("the user name or password is wrong"));
  expect(printed).not.toHaveBeenCalled();
  vi.unstubAllEnvs();
  printed.mockRestore();
});

test.each(["scram-sha-256", "scram-sha-512"])("logs in with %s", async (mechanism) => {
  const { server, publish } = await startScripted(
    { loginError: 58 },
    `sasl=${mechanism}`,
    "user:pass@",
  );
  await rejection(publish("1"));
  expect(server.logins[0]?.mechanism).toBe(mechanism.toUpperCase());
  expect(String(server.logins[0]?.bytes)).toMatch(/^n,,n=user,r=/);
});

test("the certificate must match the name and the authority of the URL", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skillc-kafka-"));
  const [ca, key] = [join(folder, "ca.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=queue.test", "-addext", "subjectAltName=DNS:queue.test"];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject];
  execFileSync("openssl", [...request, "-keyout", key, "-out", ca], { stdio: "ignore" });
  const tls = { cert: readFileSync(ca), key: readFileSync(key) };
  const publishWith = async (query: string) => (await startScripted({ tls }, query)).publish("1");
  const trusted = `ca=${encodeURIComponent(ca)}`;
  expect(await publishWith(`${trusted}&servername=queue.test`)).toMatchObject({ offset: "0" });
  expect(await publishWith("tls=insecure")).toMatchObject({ offset: "0" });
  const refused = async (query: string) => String(await rejection(publishWith(query)));
  expect(await refused("")).toMatch(/^LostBroker: (DEPTH_ZERO_)?SELF_SIGNED_CERT$/);
  expect(await refused(trusted)).toBe("LostBroker: ERR_TLS_CERT_ALTNAME_INVALID");
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ["no answer of Kafka's", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
  ["answers too short to read", Buffer.from([0, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0, 2, 1, 1])],
])("a server that sends %s fails the call, and the process lives on", async (_, bytes) => {
  const server = createServer((socket) => socket.on("error", () => {}).end(bytes));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A TCP server's address is one.
  const { port } = server.address() as AddressInfo;
  const broker = openKafka(`kafka://127.0.0.1:${port}`);
  expect(await rejection(publishWithin(3000, broker, messageFor("t", "1")))).toBeInstanceOf(
    LostBroker,
  );
  await broker.close();
  server.close();
});

test("an idle client sets no polling timers", async () => {
  const { publish } = await startScripted({});
  await publish("1");
  const timers = vi.spyOn(globalThis, "setTimeout");
  await publish("2");
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  const [own, ...others] = timers.mock.calls.map(([, delay]) => delay);
  timers.mockRestore();
  expect(own).toBe(5000);
  expect(others).toEqual([]);
});
