/** Messages in RabbitMQ after they were published, read by another client. */
import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { LostBroker, RejectedMessage } from "../../../../src/bindings/queue/send/failures.js";
import { UnusableUrl } from "../../../../src/runtime/connection/errors.js";
import { openRabbitmq } from "../../../../src/bindings/queue/providers/rabbitmq/send/open-rabbitmq.js";
import { publishWithin, rejection } from "../support/attempt.js";
import { messageFor, startRabbitmq, type TestRabbitmq, withRabbitmq } from "../support/rabbitmq.js";
import {
  createRabbitmqUser,
  createRabbitmqVhost,
  manage,
  permit,
  rabbitmqUrl,
  withRabbitmqVhost,
} from "../support/rabbitmq-vhost.js";

withRabbitmq("publishing to RabbitMQ", () => {
  let rabbitmq: TestRabbitmq;
  let broker: ReturnType<typeof openRabbitmq>;
  beforeAll(async () => {
    rabbitmq = await startRabbitmq(["max_message_size = 3000000", "channel_max = 100"]);
    broker = openRabbitmq(rabbitmq.url);
  });
  afterAll(async () => {
    await broker.close();
    await rabbitmq.close();
  });
  type Message = ReturnType<typeof messageFor>;
  const publish = (message: Message) => publishWithin(10_000, broker, message);
  const queue = async (name: string, options: object = {}) => {
    await rabbitmq.side((channel) => channel.assertQueue(name, { durable: true, ...options }));
    return name;
  };

  test("a message is persistent, and has its body, properties and headers", async () => {
    await queue("whole");
    const headers = [
      ["correlation_id", "call-1"],
      ["source", "shop/tøl"],
    ] as const;
    const message = messageFor("whole", '{"a":1}', { headers, idempotencyKey: "order 7" });
    const receipt = await publish(message);
    expect(receipt).toEqual({ exchange: "", routing_key: "whole", delivery_tag: 1 });
    const [got, ...rest] = await rabbitmq.drain("whole");
    expect(rest).toEqual([]);
    expect(got?.content.toString()).toBe('{"a":1}');
    expect(got?.properties).toMatchObject({
      deliveryMode: 2,
      contentType: "application/json",
      correlationId: "call-1",
      messageId: "order 7",
    });
    expect(Object.entries(got?.properties.headers ?? {})).toEqual([
      ["correlation_id", "call-1"],
      ["source", "shop/tøl"],
    ]);
  });

  test("each message without a key has its own id", async () => {
    await queue("ids");
    await Promise.all([publish(messageFor("ids", "1")), publish(messageFor("ids", "2"))]);
    const ids = (await rabbitmq.drain("ids")).map(({ properties }) => properties.messageId);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/);
  });

  test.each([
    ["none", Buffer.alloc(0)],
    ["all there are", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ["several frames", randomBytes(700_000)],
    ["a large one", randomBytes(2_500_000)],
    ["a part of a buffer", new Uint8Array(randomBytes(64).buffer, 8, 16)],
  ])("bytes arrive unchanged: %s", async (name, body) => {
    await publish(messageFor(await queue(`bytes ${name}`), body));
    const [got] = await rabbitmq.drain(`bytes ${name}`);
    expect(got?.content.equals(body)).toBe(true);
  });

  test("concurrent callers each get a receipt of their own message", async () => {
    await queue("many");
    const receipts = await Promise.all(
      Array.from({ length: 3000 }, (_, at) => publish(messageFor("many", `${at}`))),
    );
    const tags = receipts.map((each) => ("unroutable" in each ? 0 : each.delivery_tag));
    expect(new Set(tags).size).toBe(3000);
    const bodies = (await rabbitmq.drain("many")).map(({ content }) => content.toString());
    expect(bodies).toEqual(Array.from({ length: 3000 }, (_, at) => `${at}`));
  });

  test("a message without a queue is unroutable, whatever happens to the messages beside it", async () => {
    await queue("routed");
    const all = await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        publish(messageFor(at % 3 === 0 ? "nowhere" : "routed", `${at}`)),
      ),
    );
    expect(all.map((each) => "unroutable" in each)).toEqual(all.map((_, at) => at % 3 === 0));
    expect(await rabbitmq.drain("routed")).toHaveLength(200);
  });

  test("only the copy without a queue is unroutable of two copies of one message", async () => {
    await rabbitmq.side(async (channel) => {
      await channel.assertExchange("copies", "direct");
      await channel.assertQueue("copies");
      await channel.bindQueue("copies", "copies", "here");
    });
    const copy = (routingKey: string) =>
      publish(messageFor(routingKey, "x", { exchange: "copies", idempotencyKey: "same" }));
    const answers = await Promise.all([copy("here"), copy("there"), copy("here")]);
    expect(answers.map((each) => "unroutable" in each)).toEqual([false, true, false]);
  });

  test("a missing exchange fails only its own messages", async () => {
    await queue("beside");
    const beside = Array.from({ length: 500 }, (_, at) => publish(messageFor("beside", `${at}`)));
    const missing = await Promise.all(
      Array.from({ length: 40 }, () =>
        rejection(publish(messageFor("key", "hidden", { exchange: "secret exchange" }))),
      ),
    );
    for (const error of missing) {
      expect(error).toEqual(new RejectedMessage("RabbitMQ has no such exchange (NOT_FOUND)"));
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/secret|hidden/);
    }
    await Promise.all(beside);
    expect(await rabbitmq.drain("beside")).toHaveLength(500);
  });

  test("no receipt claims that a message is in an exchange that was deleted meanwhile", async () => {
    const bind = () =>
      rabbitmq.side(async (channel) => {
        await channel.assertExchange("passing", "fanout");
        await channel.assertQueue("passing");
        await channel.bindQueue("passing", "passing", "");
      });
    await bind();
    const texts = Array.from({ length: 3000 }, (_, at) => `${at}`).values();
    const done: string[] = [];
    const faults = new Set<string>();
    const publishOne = async (text: string) => {
      try {
        const answer = await publish(messageFor("", text, { exchange: "passing" }));
        if (!("unroutable" in answer)) done.push(text);
      } catch (error) {
        faults.add(String(error));
      }
    };
    const publishers = Array.from({ length: 16 }, async () => {
      for (const text of texts) await publishOne(text);
    });
    await rabbitmq.side((channel) => channel.deleteExchange("passing"));
    await bind();
    await Promise.all(publishers);
    const known = [
      "LostBroker: NOT_FOUND",
      "RejectedMessage: RabbitMQ has no such exchange (NOT_FOUND)",
    ];
    expect(known).toEqual(expect.arrayContaining([...faults]));
    const there = new Set((await rabbitmq.drain("passing")).map(({ content }) => `${content}`));
    expect(done.filter((text) => !there.has(text))).toEqual([]);
  });

  test("the error for a message that is too large names the limit, and other messages are published", async () => {
    await queue("large");
    const beside = Array.from({ length: 200 }, (_, at) => publish(messageFor("large", `${at}`)));
    const limit = new RejectedMessage(
      "the message has 3000001 bytes, but RabbitMQ accepts at most 3000000 (max_message_size)",
    );
    const large = () => rejection(publish(messageFor("large", Buffer.alloc(3_000_001))));
    expect(await large()).toEqual(limit);
    expect(await large()).toEqual(limit);
    await Promise.all(beside);
    await publish(messageFor("large", Buffer.alloc(3_000_000)));
    expect(await rabbitmq.drain("large")).toHaveLength(201);
  });

  test.each([
    ["routing key", messageFor("k".repeat(256), "x")],
    ["exchange", messageFor("k", "x", { exchange: "ä".repeat(128) })],
    ["idempotency key", messageFor("k", "x", { idempotencyKey: "k".repeat(256) })],
    ["correlation id", messageFor("k", "x", { headers: [["correlation_id", "k".repeat(256)]] })],
    ["correlation id", messageFor("k", "x", { headers: [["Correlation_Id", "k".repeat(256)]] })],
    ["content type", messageFor("k", "x", { contentType: "k".repeat(256) })],
    ["name of a header", messageFor("k", "x", { headers: [["k".repeat(256), ""]] })],
  ])("rejects a message whose %s is too long for AMQP", async (what, message) => {
    expect(await rejection(publish(message))).toEqual(
      new RejectedMessage(`the ${what} has 256 bytes, but RabbitMQ accepts at most 255`),
    );
  });

  test("headers that exceed a frame are rejected before they end the connection", async () => {
    await queue("headers");
    const message = (bytes: number) =>
      publish(messageFor("headers", "x", { headers: [["long", "x".repeat(bytes)]] }));
    expect(await rejection(message(70_000))).toEqual(
      new RejectedMessage("the headers have 70010 bytes, but RabbitMQ accepts at most 65536"),
    );
    await message(65_000);
    const [got] = await rabbitmq.drain("headers");
    expect(got?.properties.headers?.["long"]).toHaveLength(65_000);
  });

  test("a full queue makes the call unavailable", async () => {
    const full = { "x-max-length": 2, "x-overflow": "reject-publish" };
    await queue("full", { arguments: full });
    const settled = await Promise.allSettled(
      Array.from({ length: 50 }, () => publish(messageFor("full", "x"))),
    );
    const refused = settled.filter((each) => each.status === "rejected");
    for (const { reason } of refused) expect(reason).toEqual(new LostBroker("basic.nack"));
    expect(await rabbitmq.drain("full")).toHaveLength(50 - refused.length);
  });

  test("more exchanges than channels all get their messages", async () => {
    await queue("wide");
    const names = Array.from({ length: 150 }, (_, at) => `wide-${at}`);
    await rabbitmq.side(async (channel) => {
      for (const name of names) {
        await channel.assertExchange(name, "fanout");
        await channel.bindQueue("wide", name, "");
      }
    });
    for (const exchange of names) await publish(messageFor("", exchange, { exchange }));
    expect(await rabbitmq.drain("wide")).toHaveLength(150);
  });

  test("reports RabbitMQ's reply to a message that breaks its rules, without quoted values", async () => {
    await queue("rules");
    const headers = [["CC", "s3cret\u0007"]] as const;
    const error = await rejection(publish(messageFor("rules", "hidden", { headers })));
    expect(error).toEqual(
      new RejectedMessage(
        'RabbitMQ refused the message: invalid message: {unacceptable_type_in_header,"CC",longstr} (PRECONDITION_FAILED)',
      ),
    );
  });
});

withRabbitmqVhost("virtual hosts and users of RabbitMQ", () => {
  test("a vhost with slashes in its name works if the URL writes them as %2F", async () => {
    const vhost = await createRabbitmqVhost("a/b");
    onTestFinished(vhost.close);
    expect(vhost.url).toMatch(/a%2Fb$/);
    const own = openRabbitmq(vhost.url);
    const unroutable = await publishWithin(5000, own, messageFor("nobody", "x"));
    expect(unroutable).toMatchObject({ unroutable: true });
    await own.close();
  });

  test("a vhost at its connection limit is unavailable, because that may pass", async () => {
    const vhost = await createRabbitmqVhost();
    onTestFinished(vhost.close);
    const user = await createRabbitmqUser();
    onTestFinished(user.close);
    await permit(user.user, vhost.name);
    const ofVhost = `/vhost-limits/${vhost.name}/max-connections`;
    const ofUser = `/user-limits/${user.user}/max-connections`;
    await manage("PUT", ofVhost, { value: 0 });
    const own = openRabbitmq(rabbitmqUrl(user, vhost.name));
    const busy = new LostBroker("the vhost has reached its limit of connections", "not-done");
    expect(await rejection(publishWithin(5000, own, messageFor("q", "x")))).toEqual(busy);
    await manage("DELETE", ofVhost);
    await manage("PUT", ofUser, { value: 0 });
    const tired = new LostBroker("the user has reached the limit of connections", "not-done");
    expect(await rejection(publishWithin(5000, own, messageFor("q", "x")))).toEqual(tired);
    await manage("DELETE", ofUser);
    expect(await publishWithin(5000, own, messageFor("q", "x"))).toEqual({ unroutable: true });
    await own.close();
  });

  test("rejects a user without the permission to publish", async () => {
    const vhost = await createRabbitmqVhost();
    onTestFinished(vhost.close);
    const closed = await createRabbitmqVhost();
    onTestFinished(closed.close);
    await vhost.side((channel) => channel.assertQueue("mine"));
    const limited = await createRabbitmqUser();
    onTestFinished(limited.close);
    await permit(limited.user, vhost.name, { configure: "", write: "^amq.default$", read: "" });
    const refusal = async (login: Partial<typeof limited>, name = vhost.name, exchange = "") => {
      const own = openRabbitmq(rabbitmqUrl({ ...limited, ...login }, name));
      const error = await rejection(
        publishWithin(5000, own, messageFor("mine", "x", { exchange })),
      );
      await own.close();
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/s3cret|limited|127\.0/);
      return error.message;
    };
    const allowed = openRabbitmq(rabbitmqUrl(limited, vhost.name));
    await publishWithin(5000, allowed, messageFor("mine", "x", { exchange: "" }));
    await allowed.close();
    expect(await refusal({ password: "wrong" })).toBe(
      "RabbitMQ refused the login (ACCESS_REFUSED)",
    );
    expect(await refusal({}, closed.name)).toBe(
      "the RabbitMQ user may not access this vhost (NOT_ALLOWED)",
    );
    expect(await refusal({}, "s3cret")).toBe("RabbitMQ has no such vhost (NOT_ALLOWED)");
    expect(await refusal({}, vhost.name, "amq.topic")).toBe(
      "the RabbitMQ user may not publish to this exchange with this routing key (ACCESS_REFUSED)",
    );
  });
});

describe("unusable URL", () => {
  test.each([
    ["kafka://h", "must begin with amqp:// or amqps://"],
    ["amqp://", "has no host"],
    [
      "amqp://u:s3cr@h/a/b",
      "has a path of several segments; a vhost is one segment, so write its slashes as `%2F`",
    ],
    ["amqp://h?heartbeat=0", "has a `heartbeat` that is not a whole number from 1 to 3600"],
    ["amqp://h?heartbeat=s3cr", "has a `heartbeat` that is not a whole number from 1 to 3600"],
    ["amqp://h?servername=x", "has the option `servername`, which needs a URL with TLS"],
    [
      "amqp://h?frameMax=1",
      "has an unknown option; the known options are `heartbeat`, `ca`, `cert`, `key`, `servername`, `tls`",
    ],
  ])("reports the mistake in %s without its values", (url, message) => {
    let thrown: unknown;
    try {
      openRabbitmq(url);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toEqual(new UnusableUrl(message));
    expect(inspect(thrown, { depth: 9, showHidden: true })).not.toContain("s3cr");
  });
});
