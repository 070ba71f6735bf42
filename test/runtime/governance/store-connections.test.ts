/** Stores whose server is missing, silent, lost or back. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import {
  type BudgetUse,
  governance,
  type GovernanceStore,
} from "../../../src/runtime/governance/index.js";
import {
  createPostgresStore,
  migrateGovernance,
} from "../../../src/runtime/governance/store/postgres/postgres-store.js";
import { createRedisStore } from "../../../src/runtime/governance/store/redis/redis-store.js";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.js";
import { shutdown } from "../../../src/runtime/shutdown.js";
import { type Proxy, startProxy } from "../../bindings/queue/support/proxy.js";
import { startRedis, type TestRedis, withRedis } from "../../bindings/queue/support/redis.js";
import { freePort, until } from "../../bindings/queue/support/server-process.js";
import { loaderArgs } from "../../support/node-loader.js";
import { createDatabase, type OwnDatabase, postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { exampleTool, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

interface Subject {
  /** Its server's. */
  readonly url: string;
  readonly open: (url: string, timeoutMs: number) => GovernanceStore;
}

async function messageOf(asked: unknown): Promise<string> {
  const thrown = await Promise.resolve(asked).catch((error: unknown) => error);
  if (!(thrown instanceof Error)) throw new Error("it did not fail");
  expect(thrown.name).toBe("StoreUnavailable");
  expect(thrown.cause).toBeUndefined();
  return thrown.message;
}

const place: BudgetUse = {
  key: "places",
  name: "concurrent",
  limit: 1,
  amount: 1,
  needs: 0,
  isCount: true,
  windowMs: undefined,
};

function holdConnections(subject: () => Subject): void {
  let proxy: Proxy;
  beforeAll(async () => {
    const { hostname, port } = new URL(subject().url);
    proxy = await startProxy({ host: hostname, port: Number(port || 5432) });
  });
  afterAll(() => proxy.close());

  const storeAt = (port: number, timeoutMs: number) => {
    const url = new URL(subject().url);
    url.host = `127.0.0.1:${port}`;
    const store = subject().open(url.href, timeoutMs);
    onTestFinished(async () => {
      await proxy.resume();
      await store.close();
    });
    return store;
  };

  test("reports why a server can't be reached", async () => {
    const store = storeAt(await freePort(), 5000);
    expect(await messageOf(store.states())).toContain("ECONNREFUSED");
  });

  test("waits for a silent server no longer than its operation timeout", async () => {
    const store = storeAt(proxy.port, 1500);
    proxy.stall();
    expect(await messageOf(store.states())).toContain("did not answer within 1500 ms");
    await proxy.resume();
    expect(await store.lease("back", "a", 1000)).toMatchObject({ holder: "a" });
    proxy.stall();
    expect(await messageOf(store.lease("stalled", "a", 1000))).toContain("1500 ms");
    await proxy.resume();
    expect(await store.lease("back again", "a", 1000)).toMatchObject({ holder: "a" });
  });

  test("fails pending operations if its connection is lost, and connects again", async () => {
    const store = storeAt(proxy.port, 5000);
    await store.states();
    proxy.stall("answers");
    const asked = Array.from({ length: 5 }, () => messageOf(store.states()));
    await until("connections", () => proxy.openConnections > 0);
    await proxy.cut();
    expect((await Promise.all(asked)).filter((each) => each === "")).toEqual([]);
    await messageOf(store.states());
    await proxy.resume();
    expect(await store.states()).toEqual([]);
  });

  test("frees a place that it took but whose confirmation was lost", async () => {
    const store = storeAt(proxy.port, 500);
    const uses = [{ ...place, key: "unheard" }];
    await store.states();
    proxy.stall("answers");
    await messageOf(store.take(uses, { callId: "unheard", ttlMs: 3_600_000 }));
    await proxy.resume();
    await until("a place", async () => (await store.peek(uses)).taken);
    expect(await store.take(uses, { callId: "next", ttlMs: 1000 })).toMatchObject({ taken: true });
  });

  test("answers nobody after it is closed, and may be closed twice", async () => {
    const store = storeAt(proxy.port, 500);
    await store.states();
    await store.close();
    expect(await messageOf(store.states())).toBe("the store is closed");
    await store.close();
  });

  test("stays open for a runtime after another runtime that shares it has closed", async () => {
    const store = storeAt(proxy.port, 5000);
    const policy = policyOf({ limits: { callsPerMinute: 1000 } });
    const shared = { governance: governance({ policy, store }), ledger: false, env: {} } as const;
    const [first, second] = [createRuntime(shared), createRuntime(shared)];
    const other = govern(policy, { store }).runtime;
    const make = (runtime: Runtime) => callTool(exampleTool(succeed), { id: "a" }, { runtime });
    expect(await make(first)).toMatchObject({ status: "success" });
    await first.close();
    await other.close();
    expect(await make(second)).toMatchObject({ status: "success" });
    await second.close();
    expect(await store.states()).toEqual([]);
  });

  test("a store is closed by shutdown after the last call, if nobody closed it earlier", async () => {
    const store = storeAt(proxy.port, 5000);
    const closed = storeAt(proxy.port, 5000);
    await closed.close();
    const { call } = govern(policyOf({ limits: { concurrent: 1 } }), { store });
    const made = call(exampleTool(succeed));
    await shutdown();
    expect(await made).toMatchObject({ status: "success" });
    expect(await messageOf(store.states())).toBe("the store is closed");
  });

  test("keeps no process alive", async () => {
    const script = fileURLToPath(new URL("ask-and-forget.ts", import.meta.url));
    const args = [...loaderArgs, script, subject().url];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 100_000 });
    expect(JSON.parse(stdout)).toMatchObject({ holder: "forgetful" });
  });
}

withRedis("Redis", () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());

  holdConnections(() => ({
    url: redis.url,
    open: (server, timeoutMs) => createRedisStore({ server, timeoutMs }),
  }));

  test("reloads its scripts after the server has forgotten them", async () => {
    const store = createRedisStore({ server: redis.url });
    await store.states();
    await redis.side.script("FLUSH");
    expect(await store.lease("flushed", "a", 1000)).toMatchObject({ holder: "a" });
    await store.close();
  });

  test("warns once about a server that may lose what it confirmed", async () => {
    const warning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    onTestFinished(() => warning.mockRestore());
    const keyed = { key: "k", fingerprint: "f", callId: "c", ttlMs: 1000 };
    const durable = createRedisStore({ server: redis.url });
    await durable.begin(keyed);
    expect(durable.durable).toBe(true);
    expect(warning).not.toHaveBeenCalled();
    const settings = ["--appendfsync", "everysec", "--maxmemory-policy", "allkeys-lru"];
    const forgetful = await startRedis(settings);
    const store = createRedisStore({ server: forgetful.url });
    await store.take([place], { callId: "c", ttlMs: 1000 });
    expect(warning).not.toHaveBeenCalled();
    await store.begin(keyed);
    await store.lease("l", "c", 1000);
    expect(store.durable).toBe(false);
    expect(warning.mock.calls.map(([message]) => message)).toEqual([
      expect.stringMatching(/appendfsync always.*allkeys-lru/s),
    ]);
    await Promise.all([durable.close(), store.close(), forgetful.close()]);
  });
});

withRedis("a Redis with a password", () => {
  test("rejects a wrong credential without repeating it", async () => {
    const redis = await startRedis([], { password: "right" });
    const store = createRedisStore({ server: redis.url.replace("://", "://:wr0ng-s3cret@") });
    expect(await messageOf(store.states())).toBe(
      "the governance store failed: Redis refused the login: the user or the password is wrong (WRONGPASS)",
    );
    await store.close();
    const own = createRedisStore({ server: redis.url.replace("://", "://:right@") });
    expect(await own.states()).toEqual([]);
    await own.close();
    await redis.close();
  });

  test("reports a missing permission of the user as something other than a failed login", async () => {
    const redis = await startRedis();
    await redis.side.acl("SETUSER", "clerk", "on", ">s3cret", "~*", "+@all", "-eval", "-evalsha");
    const store = createRedisStore({ server: redis.url.replace("://", "://clerk:s3cret@") });
    expect(await messageOf(store.states())).toBe(
      "the governance store failed: Redis refused the operation: the user lacks the permission (NOPERM)",
    );
    await store.close();
    await redis.close();
  });

  test("rejects an unreadable URL without repeating it", () => {
    expect(() => createRedisStore({ server: "redis://:s3cret@host:1/x y" })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("s3cret") }),
    );
  });
});

await describeWithService(postgresService, () => {
  let database: OwnDatabase;
  beforeAll(async () => {
    database = await createDatabase("");
    await migrateGovernance({ url: database.url });
  });
  afterAll(() => database.drop());

  holdConnections(() => ({
    url: database.url,
    open: (url, timeoutMs) => createPostgresStore({ url, timeoutMs }),
  }));

  describe("errors of the server", () => {
    test("errors of the server are reported by their SQLSTATE, without the text of PostgreSQL", async () => {
      const url = new URL(database.url);
      url.pathname = "/no-such-database";
      const store = createPostgresStore({ url: url.href });
      expect(await messageOf(store.states())).toBe(
        "PostgreSQL rejected the operation: SQLSTATE 3D000",
      );
      await store.close();
    });
  });

  test("gives up an operation that waits for another transaction in time, and the server ends it", async () => {
    const store = createPostgresStore({ url: database.url, timeoutMs: 500 });
    const use = { ...place, key: "locked", windowMs: 86_400_000 };
    const uses = [use];
    await store.take(uses, { callId: "a", ttlMs: 1000 });
    const other = new pg.Client(database.url);
    await other.connect();
    await other.query("BEGIN; LOCK TABLE skillc_governance.budget");
    await messageOf(store.take(uses, { callId: "b", ttlMs: 1000 }));
    await until("the server to end it", async () => {
      const waiting = await database.run(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
      return waiting.length === 0;
    });
    await other.query("ROLLBACK");
    // What was given up has not come to pass.
    expect(await store.peek(uses)).toMatchObject({ taken: false });
    expect(await store.peek([{ ...use, limit: 2 }])).toMatchObject({ left: [0] });
    await store.close();
    await other.end();
  });

  test("works the same in a database with stricter isolation and early confirmation", async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.run(
      `ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable';
       ALTER DATABASE ${name} SET synchronous_commit = 'off'`,
    );
    const stores = [1, 2].map(() => createPostgresStore({ url: database.url }));
    const uses = [{ ...place, key: "strict", windowMs: 60_000, limit: 10 }];
    const taken = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        stores[at % 2]?.take(uses, { callId: `c${at}`, ttlMs: 1000 }),
      ),
    );
    expect(taken.filter((each) => each?.taken)).toHaveLength(10);
    await Promise.all(stores.map((each) => each.close()));
  });
});
