/** Entries in Redis after they were published, read by another client. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RejectedMessage } from "../../../../src/bindings/queue/send/failures.js";
import { openRedis } from "../../../../src/bindings/queue/providers/redis/send/open-redis.js";
import { publishWithin, rejection } from "../support/attempt.js";
import { entryFor, startRedis, type TestRedis, withRedis } from "../support/redis.js";

withRedis("publishing to Redis", () => {
  let redis: TestRedis;
  let broker: ReturnType<typeof openRedis>;
  beforeAll(async () => {
    redis = await startRedis(["--proto-max-bulk-len", "1mb"]);
    broker = openRedis(redis.url);
  });
  afterAll(async () => {
    await broker.close();
    await redis.close();
  });
  const publish = (outgoing: ReturnType<typeof entryFor>) => publishWithin(5000, broker, outgoing);

  test("an entry has its body, its type and every header", async () => {
    const headers = [
      ["source", "shop/tøl"],
      ["traceparent", "00-1-2-01"],
      ["__proto__", "x"],
    ] as const;
    const receipt = await publish(entryFor("whole", '{"a":1}', { headers }));
    const [entry, ...rest] = await redis.entries("whole");
    expect(rest).toEqual([]);
    expect(receipt).toEqual({ stream: "whole", id: entry?.id });
    expect([...entry!.fields].map(([name, value]) => [name, value.toString()])).toEqual([
      ["body", '{"a":1}'],
      ["content_type", "application/json"],
      ["header:source", "shop/tøl"],
      ["header:traceparent", "00-1-2-01"],
      ["header:__proto__", "x"],
    ]);
  });

  test.each([
    ["none", Buffer.alloc(0)],
    ["all there are", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ["a lot, random", randomBytes(200_000)],
    ["text", Buffer.from("\ufeff\u0000 größer 🙂\r\n")],
    ["a long text", Buffer.from("ü".repeat(16_384))],
    ["a part of a buffer", new Uint8Array(randomBytes(64).buffer, 8, 16)],
  ])("bytes arrive unchanged: %s", async (name, body) => {
    await publish(entryFor(`bytes ${name}`, body));
    const [entry] = await redis.entries(`bytes ${name}`);
    expect(entry?.fields.get("body")?.equals(body)).toBe(true);
  });

  test("a stream keeps about as many entries as its limit", async () => {
    const all = Array.from({ length: 500 }, (_, at) =>
      publish(entryFor("short", String(at), { maxLength: 10 })),
    );
    await Promise.all(all);
    const length = await redis.side.xlen("short");
    // Redis trims whole nodes, of a hundred entries each by default.
    expect(length).toBeGreaterThanOrEqual(10);
    expect(length).toBeLessThan(210);
  });

  test("concurrent callers each get a receipt of their own entry", async () => {
    const ids = await Promise.all(
      Array.from({ length: 1000 }, async (_, at) => (await publish(entryFor("many", `${at}`))).id),
    );
    const entries = await redis.entries("many");
    expect(entries.map(({ fields }) => String(fields.get("body")))).toEqual(
      Array.from({ length: 1000 }, (_, at) => `${at}`),
    );
    expect(ids).toEqual(entries.map(({ id }) => id));
  });

  test("a repeated key returns the first id and adds no entry, for a day", async () => {
    const once = (key: string, text: string) =>
      publish(entryFor("once", text, { idempotencyKey: key }));
    const first = await once("order:7", "first");
    await redis.side.script("FLUSH");
    const again = await Promise.all(Array.from({ length: 20 }, () => once("order:7", "again")));
    const other = await once("order:8", "other");
    expect(first).toEqual({ stream: "once", id: first.id });
    expect(again[0]).toEqual({ stream: "once", id: first.id, repeated: true });
    expect(other).not.toHaveProperty("repeated");
    expect(new Set(again.map(({ id }) => id))).toEqual(new Set([first.id]));
    expect(other.id).not.toBe(first.id);
    const bodies = (await redis.entries("once")).map(({ fields }) => String(fields.get("body")));
    expect(bodies).toEqual(["first", "other"]);
    const ttl = await redis.side.ttl("skillc:idempotency:{once}:order%3A7");
    expect(ttl).toBeGreaterThan(86_300);
    expect(ttl).toBeLessThanOrEqual(86_400);
  });

  test("equal keys of different streams are independent", async () => {
    await publish(entryFor("a", "1", { idempotencyKey: "b}:c" }));
    await publish(entryFor("a}:b", "2", { idempotencyKey: "c" }));
    expect(await redis.entries("a")).toHaveLength(1);
    expect(await redis.entries("a}:b")).toHaveLength(1);
  });

  test.each([undefined, "a key"])(
    "a stream's key that holds another type is rejected (idempotency key: %s)",
    async (key) => {
      await redis.side.set("text", "secret text");
      const more = key === undefined ? {} : { idempotencyKey: key };
      const refused = await rejection(publish(entryFor("text", "hidden", more)));
      expect(refused).toBeInstanceOf(RejectedMessage);
      expect(refused.message).toBe(
        "Redis refused the message: the key of the stream holds another type of value (WRONGTYPE)",
      );
      expect(await redis.side.keys("skillc:idempotency:{text}*")).toEqual([]);
    },
  );

  test("an idempotency key that holds another type is rejected", async () => {
    await redis.side.lpush("skillc:idempotency:{mine}:taken", "secret text");
    const refused = await rejection(
      publish(entryFor("mine", "hidden", { idempotencyKey: "taken" })),
    );
    expect(refused).toEqual(
      new RejectedMessage(
        "Redis refused the message: the key `skillc:idempotency:{<stream>}:<key>` of the idempotency key holds another type of value (WRONGTYPE)",
      ),
    );
    expect(await redis.side.xlen("mine")).toBe(0);
  });

  test("the error for a message over Redis' limit names the limit, and other messages are published", async () => {
    const others = Array.from({ length: 50 }, (_, at) => publish(entryFor("beside", `${at}`)));
    const large = Buffer.alloc(1_048_577);
    const refused = await rejection(publish(entryFor("beside", large)));
    expect(refused).toBeInstanceOf(RejectedMessage);
    expect(refused.message).toBe(
      "the message has 1048577 bytes, but Redis accepts at most 1048576 (proto-max-bulk-len)",
    );
    const header = entryFor("beside", "", { headers: [["long", "x".repeat(1_048_577)]] });
    expect((await rejection(publish(header))).message).toBe(
      "a header has 1048577 bytes, but Redis accepts at most 1048576 (proto-max-bulk-len)",
    );
    await Promise.all(others);
    await publish(entryFor("beside", large.subarray(1)));
    expect(await redis.side.xlen("beside")).toBe(51);
  });
});
