/**
 * Faults of Redis and of the connection: every call ends, and the next call finds the restored
 * server.
 */
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeAll, afterAll, expect, test, vi } from "vitest";
import { LostBroker } from "../../../../src/bindings/queue/send/failures.js";
import { openRedis } from "../../../../src/bindings/queue/providers/redis/send/open-redis.js";
import { stopClock } from "../../../support/stopped-clock.js";
import { publishWithin, rejection, startAttempt, TimedOut } from "../support/attempt.js";
import { keptAliveBy, printedBy } from "../support/exits.js";
import { muteServer } from "../support/mute-server.js";
import { type Proxy, startProxy } from "../support/proxy.js";
import { entryFor, startRedis, type TestRedis, withRedis } from "../support/redis.js";
import { startSwallower } from "../support/swallower.js";
import { freePort } from "../support/server-process.js";

withRedis("a Redis that fails", () => {
  let redis: TestRedis;
  let proxy: Proxy;
  let broker: ReturnType<typeof openRedis>;
  beforeAll(async () => {
    redis = await startRedis();
    proxy = await startProxy({ port: redis.port });
    broker = openRedis(`redis://127.0.0.1:${proxy.port}`);
  });
  afterEach(() => proxy.resume());
  afterAll(async () => {
    await broker.close();
    await proxy.close();
    await redis.close();
  });
  const publish = (stream: string, text = "x", timeoutMs = 5000) =>
    publishWithin(timeoutMs, broker, entryFor(stream, text));

  test("a server that is down fails the call as unavailable, and nothing was sent", async () => {
    const nobody = openRedis(`redis://127.0.0.1:${await freePort()}`);
    const error = await rejection(publishWithin(5000, nobody, entryFor("s", "x")));
    expect(error).toEqual(new LostBroker("ECONNREFUSED", "not-done"));
    await nobody.close();
  });

  test("a mute server fails the call as unavailable before the attempt ends", async () => {
    const mute = await muteServer();
    const own = openRedis(`redis://127.0.0.1:${mute.port}`);
    const error = await rejection(publishWithin(1000, own, entryFor("s", "x")));
    expect(error).toEqual(new LostBroker("ETIMEDOUT", "not-done"));
    await own.close();
    await mute.close();
  });

  test.each([undefined, "a key"])(
    "a lost answer to a connection's first message leaves its outcome unknown (idempotency key: %s)",
    async (idempotencyKey) => {
      const before = openRedis(redis.url);
      // So that the script is known.
      await publishWithin(5000, before, entryFor("before", "x", { idempotencyKey: "k" }));
      await before.close();
      const swallower = await startSwallower(redis.port, /xadd|eval/i);
      const own = openRedis(`redis://127.0.0.1:${swallower.port}`);
      const stream = `swallowed ${idempotencyKey}`;
      const entry = entryFor(stream, "x", idempotencyKey === undefined ? {} : { idempotencyKey });
      const error = await rejection(publishWithin(1500, own, entry));
      expect(error).toMatchObject({ name: "TimedOut", outcome: "unknown" });
      expect(await redis.side.xlen(stream)).toBe(1);
      await swallower.close();
      await own.close();
    },
  );

  test("all messages share one connection, which the first message opens", async () => {
    expect(proxy.connections).toBe(0);
    await Promise.all(Array.from({ length: 64 }, () => publish("first")));
    await publish("first");
    expect(proxy.connections).toBe(1);
  });

  test("a cut connection fails calls under way, and the next call after its return works", async () => {
    proxy.stall("answers");
    const lost = Array.from({ length: 20 }, () => rejection(publish("cut")));
    await pause(50);
    await proxy.cut();
    for (const error of await Promise.all(lost)) expect(error).toBeInstanceOf(LostBroker);
    expect(await rejection(publish("cut"))).toEqual(new LostBroker("ECONNREFUSED", "not-done"));
    await proxy.resume();
    await publish("cut");
    // Nothing is sent again on its own.
    expect(await redis.side.xlen("cut")).toBe(21);
  });

  test("a connection that is cut while idle fails no call", async () => {
    await publish("idle");
    proxy.drop();
    await pause(50);
    await publish("idle");
    expect(await redis.side.xlen("idle")).toBe(2);
  });

  test("calls on a stalled connection end in time, and the next call opens a new connection", async () => {
    await publish("stalled");
    const { connections } = proxy;
    proxy.stall();
    const stalled = await Promise.all(
      [1, 2, 3].map(() => rejection(publish("stalled", "x", 1200))),
    );
    for (const error of stalled) expect(error).toBeInstanceOf(TimedOut);
    await proxy.resume();
    await publish("stalled");
    expect(proxy.connections).toBe(connections + 1);
  });

  test("no call waits for another call's attempt while a connection can't be opened", async () => {
    proxy.drop();
    await pause(20);
    proxy.stall();
    const [short, long] = [publish("early", "x", 200), publish("early", "x", 400)];
    for (const error of await Promise.all([short, long].map(rejection)))
      expect(error).toEqual(new LostBroker("ETIMEDOUT", "not-done"));
    await proxy.resume();
    await publish("early");
  });

  test("a full socket makes calls wait, and drops calls that have ended", async () => {
    await publish("paused");
    proxy.stall();
    const body = Buffer.alloc(1_000_000);
    const started = process.memoryUsage().arrayBuffers;
    const all = Array.from({ length: 200 }, () =>
      rejection(publishWithin(900, broker, entryFor("paused", body))),
    );
    await Promise.all(all);
    // Of two hundred megabytes only what sockets hold was copied.
    expect(process.memoryUsage().arrayBuffers - started).toBeLessThan(60_000_000);
    await proxy.resume();
    await publish("paused");
    expect(await redis.side.xlen("paused")).toBeLessThan(60);
  });

  test("an attempt that ended before it starts sends nothing", async () => {
    const { attempt, end } = startAttempt();
    end(new Error("aborted"));
    const error = await rejection(broker.publish(entryFor("over", "x"), attempt));
    expect(error).toBeInstanceOf(LostBroker);
    await publish("after");
    expect(await redis.side.xlen("over")).toBe(0);
  });

  test("a server that was killed and restarted accepts the next message", async () => {
    await publish("restart", "before");
    await redis.kill();
    expect(await rejection(publish("restart"))).toBeInstanceOf(LostBroker);
    await redis.start();
    await publish("restart", "after");
    const bodies = (await redis.entries("restart")).map(({ fields }) => String(fields.get("body")));
    expect(bodies).toEqual(["before", "after"]);
  });

  test("closing waits for calls under way", async () => {
    const own = openRedis(`redis://127.0.0.1:${proxy.port}`);
    await publishWithin(5000, own, entryFor("closing", "0"));
    proxy.stall("answers");
    const all = Array.from({ length: 50 }, (_, at) =>
      publishWithin(5000, own, entryFor("closing", `${at}`)),
    );
    await pause(20);
    const closed = own.close();
    await pause(50);
    await proxy.resume();
    await closed;
    expect(await Promise.all(all)).toHaveLength(50);
    expect(await redis.side.xlen("closing")).toBe(51);
    // A call after that opens another connection.
    await publishWithin(5000, own, entryFor("closing", "again"));
    await own.close();
  });

  test("closing during a stall ends when its calls end", async () => {
    const own = openRedis(`redis://127.0.0.1:${proxy.port}`);
    await publishWithin(5000, own, entryFor("stuck", "0"));
    proxy.stall();
    stopClock();
    const stuck = rejection(publishWithin(1200, own, entryFor("stuck", "1")));
    const closed = own.close();
    await vi.advanceTimersByTimeAsync(1200);
    expect(await stuck).toBeInstanceOf(TimedOut);
    // So long is it waited for an answer to the farewell.
    await vi.advanceTimersByTimeAsync(2000);
    await closed;
  });

  test("a close at its deadline distinguishes unsent messages from messages that may be written", async () => {
    const own = openRedis(`redis://127.0.0.1:${proxy.port}`);
    await publishWithin(5000, own, entryFor("late", "0"));
    proxy.stall();
    const body = Buffer.alloc(1_000_000);
    const calls = Array.from({ length: 100 }, () =>
      rejection(publishWithin(60_000, own, entryFor("late", body))),
    );
    await pause(50);
    const late = new AbortController();
    const closed = own.close(late.signal);
    late.abort();
    const outcomes = (await Promise.all(calls)).map((error) => (error as LostBroker).outcome);
    await closed;
    await proxy.resume();
    await pause(50);
    const unknown = outcomes.filter((each) => each === "unknown").length;
    expect(await redis.side.xlen("late")).toBeLessThanOrEqual(unknown + 1);
    expect(unknown).toBeLessThan(60);
  });

  test("a process ends after its broker is closed, or without a close", async () => {
    await printedBy("redis", redis.url, "exit");
    expect(await keptAliveBy("redis", redis.url, "exit")).toEqual([]);
    expect(await redis.entries("exit")).toHaveLength(2);
  });
});
