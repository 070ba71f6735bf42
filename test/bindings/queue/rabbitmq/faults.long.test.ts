/**
 * Faults of RabbitMQ and of the connection: every call ends, and the next call finds the restored
 * server.
 */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { LostBroker } from "../../../../src/bindings/queue/send/failures.js";
import { openRabbitmq } from "../../../../src/bindings/queue/providers/rabbitmq/send/open-rabbitmq.js";
import { stopClock } from "../../../support/stopped-clock.js";
import { publishWithin, rejection, startAttempt, TimedOut } from "../support/attempt.js";
import { keptAliveBy, printedBy } from "../support/exits.js";
import { muteServer } from "../support/mute-server.js";
import { type Proxy, startProxy } from "../support/proxy.js";
import { messageFor, startRabbitmq, type TestRabbitmq, withRabbitmq } from "../support/rabbitmq.js";
import { startSwallower } from "../support/swallower.js";
import { freePort, until } from "../support/server-process.js";

withRabbitmq("a RabbitMQ that fails", () => {
  let rabbitmq: TestRabbitmq;
  let proxy: Proxy;
  let broker: ReturnType<typeof openRabbitmq>;
  beforeAll(async () => {
    rabbitmq = await startRabbitmq();
    proxy = await startProxy({ port: rabbitmq.port });
    broker = openRabbitmq(`amqp://127.0.0.1:${proxy.port}`);
  });
  afterEach(() => proxy.resume());
  afterAll(async () => {
    await broker.close();
    await proxy.close();
    await rabbitmq.close();
  });
  const publish = (name: string, text = "x", timeoutMs = 10_000) =>
    publishWithin(timeoutMs, broker, messageFor(name, text));
  const queue = async (name: string) => {
    await rabbitmq.side((channel) => channel.assertQueue(name, { durable: true }));
    return name;
  };
  const bodies = async (name: string) =>
    (await rabbitmq.drain(name)).map(({ content }) => content.toString());

  test("a server that is down fails the call as unavailable, and nothing was sent", async () => {
    const nobody = openRabbitmq(`amqp://127.0.0.1:${await freePort()}`);
    const error = await rejection(publishWithin(5000, nobody, messageFor("q", "x")));
    expect(error).toEqual(new LostBroker("ECONNREFUSED", "not-done"));
    await nobody.close();
  });

  test("a mute server fails the call as unavailable before the attempt ends", async () => {
    const mute = await muteServer();
    const own = openRabbitmq(`amqp://127.0.0.1:${mute.port}`);
    const error = await rejection(publishWithin(1000, own, messageFor("q", "x")));
    expect(error).toEqual(new LostBroker("ETIMEDOUT", "not-done"));
    await own.close();
    await mute.close();
  });

  test("a lost answer to a connection's first message leaves its outcome unknown", async () => {
    await queue("swallowed");
    const swallower = await startSwallower(rabbitmq.port, /swallowed/);
    const own = openRabbitmq(`amqp://127.0.0.1:${swallower.port}`);
    const error = await rejection(publishWithin(1500, own, messageFor("swallowed", "x")));
    expect(error).toMatchObject({ name: "TimedOut", outcome: "unknown" });
    expect(await bodies("swallowed")).toEqual(["x"]);
    await swallower.close();
    await own.close();
  });

  test("all messages share one connection, which the first message opens", async () => {
    await queue("first");
    expect(proxy.connections).toBe(0);
    await Promise.all(Array.from({ length: 64 }, () => publish("first")));
    await publish("first");
    expect(proxy.connections).toBe(1);
  });

  test("a cut connection fails calls under way, and the next call after its return works", async () => {
    await queue("cut");
    await publish("cut");
    proxy.stall("answers");
    const lost = Array.from({ length: 20 }, () => rejection(publish("cut")));
    await pause(100);
    await proxy.cut();
    for (const error of await Promise.all(lost)) expect(error).toBeInstanceOf(LostBroker);
    expect(await rejection(publish("cut"))).toEqual(new LostBroker("ECONNREFUSED", "not-done"));
    await proxy.resume();
    await publish("cut");
    // Nothing is sent again on its own.
    expect(await bodies("cut")).toHaveLength(22);
  });

  test("a connection that is cut while idle fails no call", async () => {
    await queue("idle");
    await publish("idle");
    proxy.drop();
    await pause(50);
    await publish("idle");
    expect(await bodies("idle")).toHaveLength(2);
  });

  test("calls on a stalled connection end in time, and the next call opens a new connection", async () => {
    await queue("stalled");
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
    await queue("early");
    proxy.drop();
    await pause(20);
    proxy.stall();
    const [short, long] = [publish("early", "x", 200), publish("early", "x", 400)];
    for (const error of await Promise.all([short, long].map(rejection)))
      expect(error).toEqual(new LostBroker("ETIMEDOUT", "not-done"));
    await proxy.resume();
    await publish("early");
  });

  test("heartbeats detect a half-open connection", async () => {
    await queue("heart");
    const own = openRabbitmq(`amqp://127.0.0.1:${proxy.port}?heartbeat=1`);
    await publishWithin(5000, own, messageFor("heart", "1"));
    proxy.stall("answers");
    const error = await rejection(publishWithin(20_000, own, messageFor("heart", "2")));
    expect(error).toEqual(new LostBroker("heartbeat timeout"));
    await proxy.resume();
    await publishWithin(5000, own, messageFor("heart", "3"));
    await own.close();
  });

  test("a full socket makes calls wait, and drops calls that have ended", async () => {
    await queue("paused");
    await publish("paused");
    proxy.stall();
    const body = Buffer.alloc(1_000_000);
    const started = process.memoryUsage().arrayBuffers;
    const all = Array.from({ length: 400 }, () =>
      rejection(publishWithin(900, broker, messageFor("paused", body))),
    );
    await pause(500);
    // Of four hundred megabytes only what the channel and the sockets hold was copied.
    expect(process.memoryUsage().arrayBuffers - started).toBeLessThan(100_000_000);
    await Promise.all(all);
    await proxy.resume();
    await publish("paused", "last");
    expect((await bodies("paused")).length).toBeLessThan(100);
  });

  test("calls wait during an alarm of RabbitMQ, but not beyond their time limit", async () => {
    await queue("alarm");
    // During an alarm the broker reads no heartbeats, and a busy machine takes long to end one.
    const own = openRabbitmq(`amqp://127.0.0.1:${proxy.port}?heartbeat=3600`);
    const send = (text: string, timeoutMs = 10_000) =>
      publishWithin(timeoutMs, own, messageFor("alarm", text));
    await send("before");
    const { connections } = proxy;
    await rabbitmq.ctl("set_vm_memory_high_watermark", "0.00000001");
    try {
      expect(await rejection(send("over", 1500))).toBeInstanceOf(TimedOut);
      // The broker said that it is blocked: what comes now is not even sent.
      expect(await rejection(send("never", 300))).toBeInstanceOf(TimedOut);
      const waiting = send("waited", 60_000);
      await pause(200);
      await rabbitmq.ctl("set_vm_memory_high_watermark", "0.4");
      await waiting;
    } finally {
      await rabbitmq.ctl("set_vm_memory_high_watermark", "0.4");
    }
    await send("after");
    expect(proxy.connections).toBe(connections);
    await own.close();
    expect(await bodies("alarm")).toEqual(["before", "over", "waited", "after"]);
  });

  test("a connection that an administrator closes fails with the administrator's reason", async () => {
    await queue("forced");
    await publish("forced");
    await rabbitmq.ctl("close_all_connections", "maintenance");
    await publish("forced");
    expect(await bodies("forced")).toHaveLength(2);
  });

  test("an attempt that ended before it starts sends nothing", async () => {
    await queue("over");
    const { attempt, end } = startAttempt();
    end(new Error("aborted"));
    const error = await rejection(broker.publish(messageFor("over", "x"), attempt));
    expect(error).toBeInstanceOf(LostBroker);
    await publish("over", "after");
    expect(await bodies("over")).toEqual(["after"]);
  });

  test("a confirmed message survives a killed and restarted server", async () => {
    await queue("restart");
    await publish("restart", "before");
    await rabbitmq.kill();
    expect(await rejection(publish("restart"))).toBeInstanceOf(LostBroker);
    await rabbitmq.start();
    await until("the broker", () =>
      publish("restart", "after").then(
        () => true,
        () => false,
      ),
    );
    expect(await bodies("restart")).toEqual(["before", "after"]);
  });

  test("closing waits for calls under way", async () => {
    await queue("closing");
    const own = openRabbitmq(`amqp://127.0.0.1:${proxy.port}`);
    await publishWithin(5000, own, messageFor("closing", "0"));
    proxy.stall("answers");
    const all = Array.from({ length: 50 }, (_, at) =>
      publishWithin(5000, own, messageFor("closing", `${at}`)),
    );
    await pause(20);
    const closed = own.close();
    await pause(50);
    await proxy.resume();
    await closed;
    expect(await Promise.all(all)).toHaveLength(50);
    expect(await bodies("closing")).toHaveLength(51);
    // A call after that opens another connection.
    await publishWithin(5000, own, messageFor("closing", "again"));
    await own.close();
  });

  test("closing during a stall ends when its calls end", async () => {
    await queue("stuck");
    const own = openRabbitmq(`amqp://127.0.0.1:${proxy.port}`);
    await publishWithin(5000, own, messageFor("stuck", "0"));
    proxy.stall();
    stopClock();
    const stuck = rejection(publishWithin(1200, own, messageFor("stuck", "1")));
    const closed = own.close();
    await vi.advanceTimersByTimeAsync(1200);
    expect(await stuck).toBeInstanceOf(TimedOut);
    // So long is it waited for an answer to the farewell.
    await vi.advanceTimersByTimeAsync(2000);
    await closed;
  });

  test("a process ends after its broker is closed, or without a close", async () => {
    await queue("exit");
    await printedBy("rabbitmq", rabbitmq.url, "exit");
    expect(await keptAliveBy("rabbitmq", rabbitmq.url, "exit")).toEqual([]);
    expect(await bodies("exit")).toEqual(["bye", "bye"]);
  });
});
