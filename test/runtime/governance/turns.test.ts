/** Whose turn it is, of calls of a serial tool that come at once, in one process and in several. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { isToolError } from "../../../src/runtime/errors.js";
import { createMemoryStore, type GovernanceStore } from "../../../src/runtime/governance/index.js";
import { createRedisStore } from "../../../src/runtime/governance/store/redis/redis-store.js";
import {
  createPostgresStore,
  migrateGovernance,
} from "../../../src/runtime/governance/store/postgres/postgres-store.js";
import { startRedis, type TestRedis, withRedis } from "../../bindings/queue/support/redis.js";
import { createDatabase, type OwnDatabase, postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { exampleTool, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

const serial = { concurrency: "serial" } as const;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

/** As a process of its own has: with a line of its own, and the store in common. */
function process(store: GovernanceStore) {
  return govern(policyOf(serial), { store, key: Buffer.alloc(32) }).call;
}

/** Calls that note in which order they are made, and how many run at once. */
function note() {
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const tool = (name: string) =>
    exampleTool(
      async () => {
        order.push(name);
        most = Math.max(most, (running += 1));
        await new Promise(setImmediate);
        running -= 1;
        return succeed();
      },
      { timeoutMs: 60_000 },
    );
  return { order, most: () => most, tool };
}

/** @param open a store for each process */
function takeTurns(open: () => readonly GovernanceStore[]): void {
  test("48 calls of two processes are all made, one at a time, in each process as they came", async () => {
    const { most, order, tool } = note();
    const [here, there] = open().map(process);
    if (here === undefined || there === undefined) throw new Error("two processes");
    const made = numbers(24).flatMap((at) => [
      here(tool(`here ${at}`)),
      there(tool(`there ${at}`)),
    ]);
    for (const each of await Promise.all(made)) expect(each).toMatchObject({ status: "success" });
    expect(most()).toBe(1);
    for (const name of ["here", "there"])
      expect(order.filter((each) => each.startsWith(name))).toEqual(
        numbers(24).map((at) => `${name} ${at}`),
      );
  });

  test("a process with one call is not kept waiting by one with many", async () => {
    const { order, tool } = note();
    const [here, there] = open().map(process);
    if (here === undefined || there === undefined) throw new Error("two processes");
    const many = numbers(200).map((at) => here(tool(`here ${at}`)));
    const one = there(tool("there"));
    await one;
    // The others went on for as long as it waited to ask again, and no longer.
    expect(order.length).toBeLessThan(200);
    await Promise.all(many);
  });
}

describe("a store in memory", () => {
  takeTurns(() => {
    const store = createMemoryStore();
    // Another object is another process to the line of this one.
    return [store, Object.assign(Object.create(store) as GovernanceStore, boundTo(store))];
  });
});

function boundTo(store: GovernanceStore): Partial<GovernanceStore> {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(store));
  const methods = names.flatMap((name): [string, unknown][] => {
    const method: unknown = Reflect.get(store, name);
    return typeof method === "function" && name !== "constructor"
      ? [[name, method.bind(store)]]
      : [];
  });
  return Object.fromEntries(methods);
}

withRedis("a store in Redis", () => {
  let redis: TestRedis;
  const stores: GovernanceStore[] = [];
  beforeAll(async () => {
    redis = await startRedis();
    stores.push(...[1, 2].map(() => createRedisStore({ server: redis.url })));
  });
  afterAll(async () => {
    await Promise.all(stores.map((each) => each.close()));
    await redis.close();
  });
  takeTurns(() => stores);
});

await describeWithService(postgresService, () => {
  let database: OwnDatabase;
  const stores: GovernanceStore[] = [];
  beforeAll(async () => {
    database = await createDatabase("SELECT 1");
    await migrateGovernance({ url: database.url });
    stores.push(...[1, 2].map(() => createPostgresStore({ url: database.url })));
  });
  afterAll(async () => {
    await Promise.all(stores.map((each) => each.close()));
    await database.drop();
  });
  takeTurns(() => stores);
});

describe("calls of one process that wait for a turn", () => {
  test("ask the store one after another, and never while one of them has the turn", async () => {
    const store = createMemoryStore();
    const lease = vi.spyOn(store, "lease");
    const { order, tool } = note();
    const call = process(store);
    await Promise.all(numbers(20).map((at) => call(tool(String(at)))));
    expect(order).toEqual(numbers(20).map(String));
    expect(lease).toHaveBeenCalledTimes(20);
  });

  test("let those behind them go on when they are aborted, or have waited for too long", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const call = process(createMemoryStore());
    let end = () => {};
    const stuck = exampleTool(() => new Promise((resolve) => (end = () => resolve(succeed()))), {
      timeoutMs: 600_000,
    });
    const first = call(stuck);
    const controller = new AbortController();
    const reasonOf = (made: Promise<unknown>) =>
      made.then(
        () => "made",
        (error: unknown) => (isToolError(error) ? error.code : error),
      );
    const quick = exampleTool(succeed, { timeoutMs: 1000 });
    const aborted = reasonOf(call(quick, { signal: controller.signal }));
    const tooLong = reasonOf(call(quick));
    const patient = reasonOf(call(exampleTool(succeed, { timeoutMs: 600_000 })));
    await vi.advanceTimersByTimeAsync(1000);
    controller.abort();
    expect(await aborted).toBe("UNKNOWN.INTERNAL");
    await vi.advanceTimersByTimeAsync(6000);
    expect(await tooLong).toBe("QUOTA.RATE_LIMITED");
    end();
    expect(await first).toMatchObject({ status: "success" });
    expect(await patient).toBe("made");
  });
});
