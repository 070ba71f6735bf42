/**
 * Messages in a stream after they were published, read by another client, and the errors of
 * messages that were not stored.
 */
import { randomBytes } from "node:crypto";
import { Socket } from "node:net";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  releaseTimer,
  socketOf,
} from "../../../../src/bindings/queue/providers/nats/send/nats-internals.js";
import { openNats } from "../../../../src/bindings/queue/providers/nats/send/open-nats.js";
import {
  LostBroker,
  RejectedMessage,
  UnknownAnswer,
} from "../../../../src/bindings/queue/send/failures.js";
import { publishWithin, rejection } from "../support/attempt.js";
import { messageTo, startNats, type TestNats, withNats } from "../support/nats.js";
import { freePort } from "../support/server-process.js";

withNats("publishing to NATS JetStream", () => {
  let nats: TestNats;
  let broker: ReturnType<typeof openNats>;
  beforeAll(async () => {
    nats = await startNats(["max_payload: 65536"]);
    broker = openNats(nats.url);
    await nats.addStream("ORDERS", ["orders.>"]);
  });
  afterAll(async () => {
    await broker.close();
    await nats.close();
  });
  const publish = (outgoing: ReturnType<typeof messageTo>) => publishWithin(5000, broker, outgoing);

  test("a message has its body, its type and every header, and its receipt names stream and sequence number", async () => {
    const headers = [
      ["source", "shop/tøl"],
      ["Traceparent", "00-1-2-01"],
      ["__proto__", "x"],
    ] as const;
    const receipt = await publish(messageTo("orders.whole", '{"a":1}', { headers }));
    expect(receipt).toEqual({ stream: "ORDERS", seq: 1, duplicate: false });
    const [stored] = await nats.messages("ORDERS");
    expect(stored).toMatchObject({ subject: "orders.whole", body: Buffer.from('{"a":1}') });
    expect([...(stored?.headers ?? [])]).toEqual([
      ["source", ["shop/tøl"]],
      ["Traceparent", ["00-1-2-01"]],
      ["__proto__", ["x"]],
      ["content-type", ["application/json"]],
    ]);
  });

  test.each([
    ["none", Buffer.alloc(0)],
    ["all there are", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ["a lot, random", randomBytes(60_000)],
    ["a part of a buffer", new Uint8Array(randomBytes(64).buffer, 8, 16)],
  ])("bytes arrive unchanged: %s", async (name, body) => {
    const stream = `BYTES-${name.replaceAll(/\W/g, "-")}`;
    const subject = `bytes.${name.replaceAll(/\W/g, "-")}`;
    await nats.addStream(stream, [subject]);
    await publish(messageTo(subject, body));
    const [stored] = await nats.messages(stream);
    expect(stored?.body.equals(body)).toBe(true);
  });

  test("a repeated idempotency key adds no message, and returns the first message's number", async () => {
    await nats.addStream("ONCE", ["once"]);
    const first = await publish(messageTo("once", "x", { idempotencyKey: "a key" }));
    const again = await publish(messageTo("once", "x", { idempotencyKey: "a key" }));
    const other = await publish(messageTo("once", "x", { idempotencyKey: "another" }));
    expect(first).toEqual({ stream: "ONCE", seq: 1, duplicate: false });
    expect(again).toEqual({ stream: "ONCE", seq: 1, duplicate: true });
    expect(other).toEqual({ stream: "ONCE", seq: 2, duplicate: false });
    expect(await nats.messages("ONCE")).toHaveLength(2);
  });

  test("concurrent messages are all acknowledged, each with its own number", async () => {
    await nats.addStream("MANY", ["many"]);
    const all = Array.from({ length: 500 }, (_, at) => publish(messageTo("many", String(at))));
    const numbers = (await Promise.all(all)).map(({ seq }) => seq);
    expect(new Set(numbers).size).toBe(500);
    expect(await nats.messages("MANY")).toHaveLength(500);
  });

  test("a subject without a stream is rejected, and nothing is stored", async () => {
    const error = await rejection(publish(messageTo("nobody.listens", "x")));
    expect(error).toEqual(
      new RejectedMessage("no JetStream stream accepts this subject (503, no responders)"),
    );
  });

  test("a message over the server's limit is rejected, and the connection stays open", async () => {
    const error = await rejection(publish(messageTo("orders.large", Buffer.alloc(65_537))));
    expect(error).toEqual(
      new RejectedMessage(
        "the message has 65537 bytes, but NATS accepts at most 65536 (max_payload)",
      ),
    );
    const headers = [["big", "x".repeat(100)]] as const;
    const over = messageTo("orders.large", Buffer.alloc(65_530), { headers });
    expect(await rejection(publish(over))).toBeInstanceOf(RejectedMessage);
    expect(await publish(messageTo("orders.small", "x"))).toHaveProperty("seq");
  });

  test("a message over the stream's limit is rejected with JetStream's error number", async () => {
    await nats.addStream("SMALL", ["small"], { max_msg_size: 10 });
    expect(await rejection(publish(messageTo("small", "x".repeat(100))))).toEqual(
      new RejectedMessage(
        "NATS refused the message: the message is larger than the stream allows (10054)",
      ),
    );
  });

  test("a full stream stores nothing, and the call is worth a retry", async () => {
    await nats.addStream("FULL", ["full"], { max_msgs: 1, discard: "new" });
    await publish(messageTo("full", "x"));
    expect(await rejection(publish(messageTo("full", "y")))).toEqual(
      new LostBroker("JetStream 10077", "not-done"),
    );
    expect(await nats.messages("FULL")).toHaveLength(1);
  });

  test("an invalid acknowledgement leaves the outcome unknown", async () => {
    for (const [subject, answer] of [
      ["service.text", "hello"],
      ["service.json", '{"ok":true}'],
    ] as const) {
      nats.side.subscribe(subject, { callback: (_, message) => void message.respond(answer) });
      await nats.side.flush();
      expect(await rejection(publish(messageTo(subject, "x")))).toBeInstanceOf(UnknownAnswer);
    }
  });

  test.each([
    ["a header", { headers: [["note", "a\r\nNats-Rollup: all"]] as const }],
    ["the idempotency key", { idempotencyKey: "a\nb" }],
  ])("a line break in %s is rejected before anything is sent", async (what, more) => {
    const error = await rejection(publish(messageTo("orders.break", "x", more)));
    expect(error).toBeInstanceOf(RejectedMessage);
    expect(error.message).toContain(`${what} has a line break`);
  });

  test("a header with a blank around its value is rejected, because the client strips the blank", async () => {
    const headers = [["note", "a "]] as const;
    const error = await rejection(publish(messageTo("orders.blank", "x", { headers })));
    expect(error).toBeInstanceOf(RejectedMessage);
    expect(error.message).toContain("starts or ends with a space");
  });
});

withNats("permissions of a NATS user", () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startNats(
      [
        "authorization { users = [",
        '  { user: "admin", password: "s3cret" },',
        '  { user: "some one", password: "p@ss", permissions: { publish: ["allowed"], subscribe: ["_INBOX.>"] } }',
        "] }",
      ],
      { user: "admin", pass: "s3cret" },
    );
    await nats.addStream("S", ["allowed", "forbidden"]);
  });
  afterAll(() => nats.close());
  const publishAs = async (login: string, subject: string) => {
    const broker = openNats(`nats://${login}@127.0.0.1:${nats.port}`);
    try {
      return await publishWithin(5000, broker, messageTo(subject, "x"));
    } finally {
      await broker.close();
    }
  };

  test("a user publishes to allowed subjects, and the error for another subject does not name it", async () => {
    expect(await publishAs("some%20one:p%40ss", "allowed")).toMatchObject({ stream: "S" });
    expect(await rejection(publishAs("some%20one:p%40ss", "forbidden"))).toEqual(
      new RejectedMessage("the NATS user may not publish to this subject"),
    );
    expect(await nats.messages("S")).toHaveLength(1);
  });

  test.each(["admin:wrong", "nobody:s3cret", "a-token"])(
    "the login %s is rejected",
    async (login) => {
      expect(await rejection(publishAs(login, "allowed"))).toEqual(
        new RejectedMessage("NATS refused the login"),
      );
    },
  );
});

describe("NATS server that is down", () => {
  test("a call fails as unavailable, and nothing was sent", async () => {
    const nobody = openNats(`nats://127.0.0.1:${await freePort()}`);
    expect(await rejection(publishWithin(5000, nobody, messageTo("s", "x")))).toEqual(
      new LostBroker("ECONNREFUSED", "not-done"),
    );
    await nobody.close();
  });

  test.each([
    ["http://127.0.0.1", "must begin with nats:// or tls://"],
    ["nats://127.0.0.1/path", "has a path, but a NATS URL has none"],
    ["nats://:secret@127.0.0.1", "has a password but no user"],
    ["nats://127.0.0.1?ca=x.pem", "has the option `ca`, which needs a URL with TLS"],
    ["tls://127.0.0.1?ca=missing.pem", "has an unreadable file as `ca`"],
    ["nats://127.0.0.1?verbose=true", "has an unknown option"],
  ])("the error for an unusable URL shows none of its values: %s", (url, fault) => {
    expect(() => openNats(url)).toThrow(fault);
  });
});

withNats("private parts of the NATS client", () => {
  test("a connection has a socket, and a timer that can be unreferenced", async () => {
    const nats = await startNats();
    const connection = await connect({
      servers: `127.0.0.1:${nats.port}`,
      pingInterval: 2 ** 31 - 1,
    });
    expect(socketOf(connection)).toBeInstanceOf(Socket);
    const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    releaseTimer(connection);
    const after = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    expect(after).toBe(before - 1);
    await connection.close();
    await nats.close();
  });
});
