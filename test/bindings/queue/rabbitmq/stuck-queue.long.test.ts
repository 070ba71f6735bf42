/**
 * A queue that accepts messages but confirms none, such as a queue that lost its majority, and
 * messages to other queues meanwhile.
 */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { RejectedMessage } from "../../../../src/bindings/queue/send/failures.js";
import { openRabbitmq } from "../../../../src/bindings/queue/providers/rabbitmq/send/open-rabbitmq.js";
import { publishWithin, rejection, TimedOut } from "../support/attempt.js";
import { type Proxy, startProxy } from "../support/proxy.js";
import { messageFor, startRabbitmq, type TestRabbitmq, withRabbitmq } from "../support/rabbitmq.js";

withRabbitmq("queue that confirms nothing", () => {
  let rabbitmq: TestRabbitmq;
  let proxy: Proxy;
  let broker: ReturnType<typeof openRabbitmq>;
  /** What Erlang's `sys` does with the queue's process. */
  const tell = (action: "suspend" | "resume") =>
    rabbitmq.ctl(
      "eval",
      `{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, <<"stuck">>)), sys:${action}(amqqueue:get_pid(Q)).`,
    );
  beforeAll(async () => {
    rabbitmq = await startRabbitmq(["max_message_size = 4096"]);
    await rabbitmq.side(async (channel) => {
      await channel.assertQueue("stuck");
      await channel.assertQueue("healthy");
    });
    proxy = await startProxy({ port: rabbitmq.port });
  });
  afterAll(async () => {
    await proxy.close();
    await rabbitmq.close();
  });
  beforeEach(async () => {
    broker = openRabbitmq(`amqp://127.0.0.1:${proxy.port}`);
    await tell("suspend");
  });
  afterEach(async () => {
    await tell("resume");
    await proxy.resume();
    await broker.close();
    await rabbitmq.drain("stuck");
    await rabbitmq.drain("healthy");
  });
  const publish = (queue: "stuck" | "healthy", text: string, timeoutMs = 2000) =>
    publishWithin(timeoutMs, broker, messageFor(queue, text));
  const bodies = async (queue: string) =>
    (await rabbitmq.drain(queue)).map(({ content }) => content.toString());

  test("messages to other queues are published, each larger than the last, over one connection", async () => {
    const { connections } = proxy;
    const texts = Array.from({ length: 80 }, (_, at) => "x".repeat(at + 1));
    const stuck: Promise<Error>[] = [];
    const healthy: Promise<string>[] = [];
    for (const [at, text] of texts.entries()) {
      if (at % 4 === 0) stuck.push(rejection(publish("stuck", `${at}`)));
      healthy.push(publish("healthy", text).then(() => "published", String));
      await pause(40);
    }
    expect(new Set(await Promise.all(healthy))).toEqual(new Set(["published"]));
    for (const error of await Promise.all(stuck)) expect(error).toBeInstanceOf(TimedOut);
    expect(proxy.connections).toBe(connections + 1);
    expect(await bodies("healthy")).toEqual(texts);
    await tell("resume");
    expect(await bodies("stuck")).toEqual(stuck.map((_, at) => `${at * 4}`));
  });

  test("calls to it that end early delay no other call", async () => {
    for (let at = 0; at < 5; at += 1)
      expect(await rejection(publish("stuck", "long enough", 50))).toBeInstanceOf(Error);
    await publish("healthy", "the first that is larger");
    await publish("healthy", "and one that is larger than that one");
  });

  test("a message that is rejected meanwhile delays no other message", async () => {
    await publish("healthy", "before");
    const stuck = rejection(publish("stuck", "stuck", 5000));
    await pause(1000);
    const sizes = [5000, 10, 5000, 2000];
    const settled = await Promise.allSettled(
      sizes.map((size) => publish("healthy", "x".repeat(size), 5000)),
    );
    const tooLarge = new RejectedMessage(
      "the message has 5000 bytes, but RabbitMQ accepts at most 4096 (max_message_size)",
    );
    expect(settled.map((each) => (each.status === "rejected" ? each.reason : "published"))).toEqual(
      [tooLarge, "published", tooLarge, "published"],
    );
    // Its channel was closed: nobody will say any more what became of it.
    expect(await stuck).toMatchObject({ name: "LostBroker", outcome: "unknown" });
    expect((await bodies("healthy")).map(({ length }) => length)).toEqual([6, 10, 2000]);
    await tell("resume");
    expect(await bodies("stuck")).toEqual(["stuck"]);
  });

  test("its callers keep the connection while it answers, and drop it when it stalls", async () => {
    const { connections } = proxy;
    await publish("healthy", "before");
    for (let at = 0; at < 2; at += 1)
      expect(await rejection(publish("stuck", `${at}`, 1200))).toBeInstanceOf(TimedOut);
    expect(proxy.connections).toBe(connections + 1);
    const stuck = rejection(publish("stuck", "last", 2500));
    await pause(700);
    proxy.stall();
    expect(await stuck).toBeInstanceOf(TimedOut);
    await proxy.resume();
    await publish("healthy", "after");
    expect(proxy.connections).toBe(connections + 2);
  });

  test("its caller gets a late confirmation as the receipt", async () => {
    const late = publish("stuck", "late", 10_000);
    await pause(1000);
    await tell("resume");
    expect(await late).toEqual({ exchange: "", routing_key: "stuck", delivery_tag: 1 });
  });
});
