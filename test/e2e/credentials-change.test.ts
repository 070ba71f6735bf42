/** A function's credential that changes between calls: what HTTP and brokers make of it. Databases: test/bindings/sql/send/pools.test.ts. */
import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { createRuntime, shutdown } from "../../src/runtime/index.js";
import { serve } from "../bindings/http/execute/support.js";
import { startRedis, withRedis } from "../bindings/queue/support/redis.js";
import { searchOrders } from "../cases/effects/generated/desk/index.js";
import { logView } from "../cases/queue-redis/generated/order-events/index.js";

const quiet = { inherit: false, ledger: false } as const;

afterAll(() => shutdown());

test("http: each request goes to the URL that its own call resolved", async () => {
  const answering = () => serve((response) => response.end("[]"));
  const services = [await answering(), await answering()];
  const order = [0, 1, 1];
  const SEARCH_URL = () => services[order.shift() ?? 0]?.url;
  const runtime = createRuntime({ ...quiet, credentials: { SEARCH_URL } });
  for (const words of ["lamp", "desk", "chair"]) await searchOrders({ words }, { runtime });
  expect(services.map(({ received }) => received.length)).toEqual([1, 2]);
});

withRedis("redis", () => {
  test("a password that was changed is used by the next call, on a link of its own", async () => {
    const password = () => randomBytes(8).toString("hex");
    let now = password();
    const redis = await startRedis([], { password: now });
    try {
      const ORDER_EVENTS_REDIS = () => redis.url.replace("//", `//:${now}@`);
      const runtime = createRuntime({ ...quiet, credentials: { ORDER_EVENTS_REDIS } });
      expect(await logView({ sku: "lamp" }, { runtime })).toMatchObject({ status: "success" });
      const former = now;
      now = password();
      await redis.side.config("SET", "requirepass", now);
      expect(await logView({ sku: "desk" }, { runtime })).toMatchObject({ status: "success" });
      expect(await redis.entries("views")).toHaveLength(2);
      const stale = createRuntime({
        ...quiet,
        credentials: { ORDER_EVENTS_REDIS: redis.url.replace("//", `//:${former}@`) },
      });
      // The link of the former password is open yet: what was let in stays in.
      expect(await logView({ sku: "chair" }, { runtime: stale })).toMatchObject({
        status: "success",
      });
    } finally {
      await redis.close();
    }
  });
});
