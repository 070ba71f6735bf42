/** A process that publishes to Redis prints nothing, and with `DEBUG` it prints no secrets. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { printedBy } from "../support/exits.js";
import { startRedis, type TestRedis, withRedis } from "../support/redis.js";

withRedis("a client of Redis", () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis([], { password: "s3cret" });
  });
  afterAll(() => redis.close());
  const at = (login: string) => `redis://${login}@127.0.0.1:${redis.port}/1`;

  test("a client with `DEBUG` prints no password and no part of a message", async () => {
    const printed = await printedBy("redis", at(":s3cret"), "hidden-stream", { DEBUG: "*" });
    expect(printed).toContain("ioredis");
    expect(printed).toContain("auth");
    expect(printed).not.toMatch(/s3cret|bye|hidden-stream/);
  });

  test("a password that the server does not require causes no printed warning", async () => {
    await redis.side.config("SET", "requirepass", "");
    expect(await printedBy("redis", at(":s3cret"), "stream", { DEBUG: "" })).toBe("");
    expect(await printedBy("redis", at("default:s3cret"), "stream", { DEBUG: "" })).toBe("");
  });
});
