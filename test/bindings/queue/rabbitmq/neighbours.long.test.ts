/**
 * RabbitMQ closes the channel of a rejected message. The other messages on it must not be lost or
 * repeated.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRabbitmq } from "../../../../src/bindings/queue/providers/rabbitmq/send/open-rabbitmq.js";
import { publishWithin } from "../support/attempt.js";
import { messageFor, startRabbitmq, type TestRabbitmq, withRabbitmq } from "../support/rabbitmq.js";

withRabbitmq("messages beside a rejected message", () => {
  let rabbitmq: TestRabbitmq;
  beforeAll(async () => {
    rabbitmq = await startRabbitmq(["max_message_size = 4096"]);
    await rabbitmq.side(async (channel) => {
      await channel.assertQueue("labels");
      await channel.assertExchange("billing", "topic");
      await channel.bindQueue("labels", "billing", "#");
    });
    await rabbitmq.ctl("add_user", "limited", "s3cret");
    await rabbitmq.ctl("set_permissions", "limited", "", ".*", "");
    await rabbitmq.ctl("set_topic_permissions", "limited", "billing", "^invoice", "");
  });
  afterAll(() => rabbitmq.close());

  type Message = ReturnType<typeof messageFor>;
  const callers = 64;

  /** Publishes one message for each caller at once, and counts how the calls end. */
  async function publishAll(
    broker: ReturnType<typeof openRabbitmq>,
    message: (caller: number) => Message,
  ) {
    const settled = await Promise.allSettled(
      Array.from({ length: callers }, (_, at) => publishWithin(10_000, broker, message(at))),
    );
    const endings = settled.map((each) => {
      if (each.status === "fulfilled") return "published";
      const { message, outcome } = each.reason as Error & { readonly outcome?: string };
      return outcome === undefined ? message : `${message}: ${outcome}`;
    });
    const counts: Record<string, number> = {};
    for (const each of endings) counts[each] = (counts[each] ?? 0) + 1;
    return counts;
  }

  const drained = async () =>
    (await rabbitmq.drain("labels")).map(({ content }) => content.toString()).toSorted();

  const tooLarge =
    "the message has 5000 bytes, but RabbitMQ accepts at most 4096 (max_message_size)";

  test.each([0, 1, 40, 63])(
    "all others are published if one is too large, over each new connection (caller %i)",
    async (large) => {
      const broker = openRabbitmq(rabbitmq.url);
      const message = (at: number) =>
        messageFor("labels", at === large ? "x".repeat(5000) : `${at}`);
      const others = Array.from({ length: callers }, (_, at) => `${at}`)
        .filter((_, at) => at !== large)
        .toSorted();
      for (const _ of [1, 2]) {
        expect(await publishAll(broker, message)).toEqual({ published: 63, [tooLarge]: 1 });
        expect(await drained()).toEqual(others);
        await broker.close();
      }
    },
  );

  test("all messages that are too large are rejected, and no message is sent twice", async () => {
    const broker = openRabbitmq(rabbitmq.url);
    await publishWithin(5000, broker, messageFor("labels", "first"));
    const message = (at: number) => messageFor("labels", at % 3 === 0 ? "x".repeat(5000) : `${at}`);
    expect(await publishAll(broker, message)).toEqual({ published: 42, [tooLarge]: 22 });
    expect(new Set(await drained()).size).toBe(43);
    await broker.close();
  });

  const forbidden =
    "the RabbitMQ user may not publish to this exchange with this routing key (ACCESS_REFUSED)";

  test("messages behind an invalid routing key are published, and all others the next time", async () => {
    const broker = openRabbitmq(`amqp://limited:s3cret@127.0.0.1:${rabbitmq.port}`);
    const at = (key: string, text: string) => messageFor(key, text, { exchange: "billing" });
    await publishWithin(5000, broker, at("invoice", "first"));
    const message = (caller: number) =>
      caller === 30 ? at("refund.late", "30") : at(`invoice.${caller}`, `${caller}`);
    const { published = 0, ...rest } = await publishAll(broker, message);
    expect(published).toBeGreaterThanOrEqual(33);
    const lost = "ACCESS_REFUSED: unknown";
    const { [lost]: unknown = 0, ...others } = rest;
    expect(others).toEqual({ [forbidden]: 1 });
    expect(published + unknown).toBe(63);
    const there = await drained();
    expect(there).not.toContain("30");
    expect(new Set(there).size).toBe(there.length);
    for (const _ of [1, 2]) {
      expect(await publishAll(broker, message)).toEqual({ published: 63, [forbidden]: 1 });
      expect(await drained()).toHaveLength(63);
      await broker.close();
    }
  });

  test("a routing key that imitates an answer of RabbitMQ gets no other message rejected", async () => {
    const broker = openRabbitmq(`amqp://limited:s3cret@127.0.0.1:${rabbitmq.port}`);
    const at = (key: string, text: string) => messageFor(key, text, { exchange: "billing" });
    await publishWithin(5000, broker, at("invoice", "first"));
    await drained();
    const hostile = "invoice.0' in exchange 'billing' in vhost '/' refused for user 'limited'";
    await rabbitmq.ctl("set_topic_permissions", "limited", "billing", "^invoice[.0-9]*$", "");
    const message = (caller: number) =>
      caller === 30 ? at(hostile, "30") : at(`invoice.${caller}`, `${caller}`);
    const counts = await publishAll(broker, message);
    await rabbitmq.ctl("set_topic_permissions", "limited", "billing", "^invoice", "");
    const there = await drained();
    expect(there).not.toContain("30");
    // Whoever was told that it failed for certain has not published.
    expect(
      (counts["published"] ?? 0) + (counts["ACCESS_REFUSED: unknown"] ?? 0),
    ).toBeGreaterThanOrEqual(63);
    expect(counts[forbidden] ?? 0).toBeLessThanOrEqual(1);
    await broker.close();
  });
});
