/** All stores of governance (memory, folder, Redis, PostgreSQL) pass the same tests. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cluster } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMemoryStore, type GovernanceStore } from "../../../src/runtime/governance/index.js";
import {
  createRedisStore,
  createRedisStoreBy,
} from "../../../src/runtime/governance/store/redis/redis-store.js";
import {
  createPostgresStore,
  migrateGovernance,
} from "../../../src/runtime/governance/store/postgres/postgres-store.js";
import { migrations } from "../../../src/runtime/governance/store/postgres/migrations.js";
import { FolderApprovals } from "../../../src/runtime/governance/store/folder/folder-approvals.js";
import { createFolderStore } from "../../../src/runtime/governance/store/folder/folder-store.js";
import { digestOf } from "../../../src/runtime/governance/store/digest.js";
import { requestId } from "../../../src/runtime/governance/store/stored-request.js";
import { openGovernanceStore } from "../../../src/runtime/governance/store/open-store.js";
import { startRedis, type TestRedis, withRedis } from "../../bindings/queue/support/redis.js";
import { freePort, until } from "../../bindings/queue/support/server-process.js";
import { createDatabase, type OwnDatabase, postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { holdPromises } from "./store-promises.js";

/** An approval as versions before requests were stored wrote it, without tenant and subject. */
const earlierApproval = { id: "a", tool: "t", manifest: "m", digest: "d", by: "g" };

const approvalMethods = new Set(
  Object.getOwnPropertyNames(FolderApprovals.prototype).filter((each) => each !== "constructor"),
);

/** Joins the approvals of one store and all else of another. */
function withApprovalsOf(approvals: GovernanceStore, store: GovernanceStore): GovernanceStore {
  return new Proxy(store, {
    get(_, name) {
      const from = approvalMethods.has(String(name)) ? approvals : store;
      const member: unknown = Reflect.get(from, name);
      return typeof member === "function" ? member.bind(from) : member;
    },
  });
}

describe("memory", () => {
  holdPromises(async () => {
    let passed = 0;
    let ahead = 0;
    const store = createMemoryStore({ now: () => passed + ahead, monotonic: () => passed });
    return {
      store,
      other: store,
      manyKeys: 30_000,
      setClock: async (ms) => {
        ahead = 0;
        passed = ms;
      },
      jumpClock: async (ms) => void (ahead = ms),
      close: () => store.close(),
    };
  });

  test("returns what a call took four minutes ago, after 30,000 other calls", async () => {
    let now = 0;
    const clock = () => now;
    const store = createMemoryStore({ now: clock, monotonic: clock });
    const day = { name: "b", limit: 9, needs: 0, isCount: true, windowMs: 24 * 60 * 60_000 };
    const use = { ...day, key: "own", amount: 2 };
    const other = { ...day, key: "other", amount: 0 };
    await store.take([use], { callId: "own", ttlMs: 1000 });
    for (let call = 0; call < 30_000; call += 1) {
      now = call * 8;
      await store.take([other], { callId: `${call}`, ttlMs: 1000 });
    }
    await store.giveBack([use], { callId: "own", ttlMs: 1000 });
    expect(await store.peek([use])).toMatchObject({ left: [7] });
    await store.close();
  });
});

describe("folder", () => {
  holdPromises(async () => {
    const directory = mkdtempSync(join(tmpdir(), "skillc-approvals-"));
    let passed = 0;
    let ahead = 0;
    const open = () =>
      createFolderStore({ directory, now: () => passed + ahead, monotonic: () => passed });
    const store = open();
    return {
      store,
      // Another process has its own budgets and keys, but the same approvals.
      other: withApprovalsOf(open(), store),
      manyKeys: 30_000,
      setClock: async (ms) => {
        ahead = 0;
        passed = ms;
      },
      jumpClock: async (ms) => void (ahead = ms),
      close: async () => {
        await store.close();
        rmSync(directory, { recursive: true });
      },
    };
  });
});

withRedis("Redis", () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());

  holdPromises(async () => {
    const clock = "redis.call('GET', 'test-clock')";
    const stores = [1, 2].map(() => createRedisStoreBy(clock, { server: redis.url }));
    const [store, other] = stores as [GovernanceStore, GovernanceStore];
    return {
      store,
      other,
      manyKeys: 11_000,
      setClock: async (ms) => void (await redis.side.set("test-clock", ms)),
      close: async () => void (await Promise.all(stores.map((each) => each.close()))),
    };
  });

  test("uses the time of the server", async () => {
    const store = createRedisStore({ server: redis.url, namespace: "clocks" });
    const serverMs = async () => {
      const [seconds, micros] = await redis.side.time();
      return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
    };
    const before = await serverMs();
    await store.setState({ tool: "desk/a", state: "paused", by: "ops" });
    const [{ at } = { at: 0 }] = await store.states();
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(await serverMs());
    await store.close();
  });

  test("puts no tenant, subject or key into the names of its keys", async () => {
    const store = createRedisStore({ server: redis.url, namespace: "names" });
    const key = '["acme","ada","desk/do-it","secret-key"]';
    await store.begin({ key, fingerprint: "f", callId: "c", ttlMs: 1000 });
    await store.lease('["acme","desk/do-it"]', "c", 1000);
    const names = await redis.side.keys("{names}:*");
    expect(names.length).toBe(3);
    expect(names.filter((each) => /acme|ada|desk|secret/.test(each))).toEqual([]);
    await store.close();
  });

  test("shares nothing between namespaces, and rejects a name that reaches into another namespace", async () => {
    const [one, two] = ["one", "two"].map((namespace) =>
      createRedisStore({ server: redis.url, namespace }),
    );
    const call = { key: "k", fingerprint: "f", callId: "c", ttlMs: 1000 };
    expect(await one?.begin(call)).toEqual({ state: "begun" });
    expect(await two?.begin({ ...call, callId: "d" })).toEqual({ state: "begun" });
    await Promise.all([one?.close(), two?.close()]);
    expect(() => createRedisStore({ server: redis.url, namespace: "a}b" })).toThrow("namespace");
    expect(() => createRedisStore({ server: redis.url, timeoutMs: 0 })).toThrow("timeoutMs");
  });

  test("lets every key expire except those of begun calls", async () => {
    const store = createRedisStore({ server: redis.url, namespace: "ends" });
    const use = { name: "b", limit: 3, amount: 1, needs: 0, isCount: true };
    const uses = [
      { ...use, key: "a", windowMs: 60_000 },
      { ...use, key: "b", windowMs: undefined },
    ];
    await store.take(uses, { callId: "c", ttlMs: 1000 });
    await store.lease("l", "c", 1000);
    await store.lease("l", "d", 1000);
    const call = { fingerprint: "f", callId: "c", ttlMs: 1000 };
    await store.begin({ ...call, key: "done" });
    await store.finish("done", "c", undefined, 1000);
    await store.saveApproval({
      id: "a",
      tool: "t",
      manifest: "m",
      digest: "d",
      tenant: undefined,
      subject: undefined,
      request: "r",
      by: "g",
      ttlMs: 1000,
    });
    const kinds = async () => {
      const names = await redis.side.keys("{ends}:*");
      const ends = await Promise.all(names.map((each) => redis.side.pttl(each)));
      return names
        .map((name, at) => `${name.split(":")[1]} ${(ends[at] ?? 0) > 0 ? "ends" : "stays"}`)
        .toSorted();
    };
    const over = ["approval ends", "budget ends", "fence stays", "held ends", "key ends"];
    const requests = ["requests ends", "requests-by-end ends", "requests-by-time ends"];
    const rest = ["lease ends", "line ends", ...requests, "seen ends", "taken ends"];
    expect(await kinds()).toEqual([...over, ...rest]);
    await store.begin({ ...call, key: "begun" });
    expect(await kinds()).toEqual([...over, "key stays", ...rest]);
    await store.close();
  });

  test("reads an approval of an earlier version, which names no request", async () => {
    const store = createRedisStore({ server: redis.url, namespace: "earlier" });
    const fields = { approval: JSON.stringify(earlierApproval), at: 1, ends: 2 };
    await redis.side.hset(`{earlier}:approval:${digestOf("a")}`, fields);
    const times = { at: 1, expiresAt: 2, isExpired: true };
    const request = requestId(earlierApproval);
    expect(await store.readApproval("a")).toEqual({ ...earlierApproval, ...times, request });
    await store.close();
  });

  test("removes expired requests with later ones, a hundred at a time", async () => {
    const server = redis.url;
    const store = createRedisStoreBy("redis.call('GET', 'sweep-clock')", {
      server,
      namespace: "sweep",
    });
    const save = (id: string, ttlMs: number) =>
      store.saveRequest({ id, tool: "t", manifest: "m", digest: "d", ttlMs });
    await redis.side.set("sweep-clock", 1_000_000);
    await Promise.all(Array.from({ length: 150 }, (_, at) => save(`old ${at}`, 1)));
    await save("young", 1_000_000);
    await redis.side.set("sweep-clock", 1_000_000 + 60_001);
    const counts = async () => [
      await redis.side.hlen("{sweep}:requests"),
      await redis.side.zcard("{sweep}:requests-by-time"),
      await redis.side.zcard("{sweep}:requests-by-end"),
    ];
    expect(await counts()).toEqual([302, 151, 151]);
    await save("a", 1000);
    expect(await counts()).toEqual([104, 52, 52]);
    await save("b", 1000);
    expect(await counts()).toEqual([6, 3, 3]);
    expect(await store.readRequest("young")).toMatchObject({ state: "pending" });
    await store.close();
  });

  test("opens a store by its URL", async () => {
    const store = await openGovernanceStore(`${redis.url}?namespace=by-url`);
    expect(store.kind).toBe("redis");
    await store.setState({ tool: "desk/a", state: "paused", by: "ops" });
    expect(await redis.side.exists("{by-url}:states")).toBe(1);
    expect(store.durable).toBe(true);
    await store.close();
    await expect(store.states()).rejects.toThrow("closed");
  });
});

withRedis("a cluster of Redis", () => {
  let redis: TestRedis;
  let cluster: Cluster;
  beforeAll(async () => {
    // The usual port of the nodes is the clients' port plus 10,000, which can be above 65,535.
    const ofNodes = ["--cluster-port", String(await freePort())];
    const announced = ["--cluster-announce-ip", "127.0.0.1"];
    redis = await startRedis(["--cluster-enabled", "yes", ...ofNodes, ...announced]);
    await redis.side.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    await until("the cluster", async () =>
      String(await redis.side.call("CLUSTER", "INFO")).includes("cluster_state:ok"),
    );
    cluster = new Cluster([{ host: "127.0.0.1", port: redis.port }]);
  });
  afterAll(async () => {
    await cluster.quit();
    await redis.close();
  });

  test("keeps all keys of an operation on one node", async () => {
    const store = createRedisStore({ server: cluster });
    const use = { name: "b", limit: 3, amount: 1, needs: 0, isCount: true, windowMs: 60_000 };
    const uses = ["a", "b", "c"].map((key) => ({ ...use, key }));
    expect(await store.take(uses, { callId: "c", ttlMs: 1000 })).toMatchObject({ taken: true });
    expect(await store.lease("l", "c", 1000)).toMatchObject({ fence: 1 });
    await store.close();
    expect(cluster.status).toBe("ready");
  });
});

await describeWithService(postgresService, () => {
  let database: OwnDatabase;
  beforeAll(async () => {
    database = await createDatabase("CREATE TABLE test_clock (ms bigint)");
    await migrateGovernance({ url: database.url });
  });
  afterAll(() => database.drop());

  holdPromises(async () => {
    // The clock is a function of the schema.
    const schema = "clocked";
    await migrateGovernance({ url: database.url, schema });
    await database.run(
      `CREATE OR REPLACE FUNCTION ${schema}.now_ms() RETURNS bigint LANGUAGE sql AS 'SELECT ms FROM public.test_clock'`,
    );
    const stores = [1, 2].map(() => createPostgresStore({ url: database.url, schema }));
    const [store, other] = stores as [GovernanceStore, GovernanceStore];
    return {
      store,
      other,
      manyKeys: 500,
      setClock: async (ms) =>
        void (await database.run(`DELETE FROM test_clock; INSERT INTO test_clock VALUES (${ms})`)),
      close: async () => void (await Promise.all(stores.map((each) => each.close()))),
    };
  });

  test("uses the time of the server", async () => {
    const store = createPostgresStore({ url: database.url });
    const serverMs = async () => {
      const [row] = await database.run(
        "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms",
      );
      return Number(row?.["ms"]);
    };
    const before = await serverMs();
    await store.setState({ tool: "desk/a", state: "paused", by: "ops" });
    const [{ at } = { at: 0 }] = await store.states();
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(await serverMs());
    await store.close();
  });

  test("reports the command to run if its tables are missing", async () => {
    const store = createPostgresStore({ url: database.url, schema: "nowhere" });
    await expect(store.states()).rejects.toThrow("migrateGovernance");
    await migrateGovernance({ url: database.url, schema: "nowhere" });
    expect(await store.states()).toEqual([]);
    await store.close();
    expect(() => createPostgresStore({ url: database.url, schema: 'a"b' })).toThrow("schema");
  });

  test("creates the tables once in concurrent migrations, and keeps their rows", async () => {
    const options = { url: database.url, schema: "twice" };
    const runs = await Promise.all([1, 2, 3].map(() => migrateGovernance(options)));
    expect(runs.map(({ before }) => before).toSorted()).toEqual([0, 4, 4]);
    const store = createPostgresStore(options);
    await store.setState({ tool: "desk/a", state: "paused", by: "ops" });
    expect(await migrateGovernance(options)).toEqual({ before: 4, after: 4 });
    expect(await store.states()).toHaveLength(1);
    await store.close();
  });

  test("works for a role that may use the tables but not create any", async () => {
    const role = `caller_${database.url.slice(-8)}`;
    await database.run(
      `CREATE ROLE ${role} LOGIN;
       GRANT USAGE ON SCHEMA skillc_governance TO ${role};
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA skillc_governance TO ${role};
       GRANT USAGE ON ALL SEQUENCES IN SCHEMA skillc_governance TO ${role}`,
    );
    const store = createPostgresStore({ url: database.urlAs(role) });
    const use = { name: "b", key: "r", limit: 3, amount: 1, needs: 0, isCount: true };
    const uses = [{ ...use, windowMs: 60_000 }];
    expect(await store.take(uses, { callId: "c", ttlMs: 1000 })).toMatchObject({ taken: true });
    expect(await store.lease("role", "c", 1000)).toMatchObject({ holder: "c" });
    expect(await store.register([{ tool: "a", manifest: "1" }])).toHaveLength(1);
    await store.close();
    await database.run(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  test("reads an approval of an earlier version, which names no request", async () => {
    const schema = "earlier";
    await migrateGovernance({ url: database.url, schema });
    const text = JSON.stringify(earlierApproval);
    // Processes of the earlier version call this function.
    await database.run(`SELECT ${schema}.save_approval('${digestOf("a")}', '${text}', 60000)`);
    const store = createPostgresStore({ url: database.url, schema });
    const request = requestId(earlierApproval);
    expect(await store.readApproval("a")).toMatchObject({ ...earlierApproval, request });
    expect(await store.useApproval("a", "c")).toBe("used");
    await store.close();
  });

  test("removes expired rows beside calls, and nothing else", async () => {
    const schema = "swept";
    await migrateGovernance({ url: database.url, schema });
    const store = createPostgresStore({ url: database.url, schema });
    const call = { fingerprint: "f", callId: "c", ttlMs: 1 };
    await store.begin({ ...call, key: "begun" });
    await store.begin({ ...call, key: "done" });
    await store.finish("done", "c", undefined, 1);
    await store.lease("l", "c", 60_000);
    await store.lease("l", "d", 1);
    const use = { name: "b", limit: 3, amount: 1, needs: 0, isCount: true };
    const uses = [
      { ...use, key: "a", windowMs: 1000 },
      { ...use, key: "b", windowMs: undefined },
    ];
    await store.take(uses, { callId: "c", ttlMs: 1 });
    await store.saveRequest({ id: "r", tool: "t", manifest: "m", digest: "d", ttlMs: 1 });
    await database.run(
      `CREATE OR REPLACE FUNCTION ${schema}.now_ms() RETURNS bigint LANGUAGE sql AS
         'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + 86400000';
       SELECT ${schema}.sweep_all(1000)`,
    );
    const tables = ["keyed_call", "lease", "budget", "held", "taken", "lease_waiter", "request"];
    const counts = await Promise.all(
      tables.map((each) => database.run(`SELECT count(*)::int AS n FROM ${schema}.${each}`)),
    );
    expect(counts.map(([row]) => row?.["n"])).toEqual([1, 0, 0, 0, 0, 0, 0]);
    await store.close();
  });

  test("reports that rows may be left if a sweep removes as many rows of a table as it may", async () => {
    const schema = "swept_in_parts";
    await migrateGovernance({ url: database.url, schema });
    const rows = {
      approval: "n, 'a', 0, 0",
      budget: "n, 0, 1, 0",
      held: "n, 'c', 0",
      keyed_call: "n, 'f', 'c', 0, 0",
      lease: "n, 'h', 0, 0",
      lease_waiter: "n, 'h', 0, 0",
      request: "n, '{}', 't', NULL, NULL, 'pending', 0, 0",
      taken: "n, 0, 0",
    };
    const sweep = async () => {
      const [row] = await database.run(`SELECT ${schema}.sweep_all(2) AS value`);
      return row?.["value"];
    };
    for (const [table, columns] of Object.entries(rows)) {
      await database.run(
        `INSERT INTO ${schema}.${table}
         SELECT ${columns} FROM (SELECT n::text FROM generate_series(1, 3) AS n) AS numbers`,
      );
      expect({ table, more: [await sweep(), await sweep()] }).toEqual({
        table,
        more: [true, false],
      });
    }
  });

  test("opens a store by its URL", async () => {
    const store = await openGovernanceStore(`${database.url}?schema=twice&pool_max=2`);
    expect(store.kind).toBe("postgres");
    expect(await store.states()).toHaveLength(1);
    await store.close();
  });
});

test("keeps each released migration unchanged", () => {
  const digests = migrations.map((each) => createHash("sha256").update(each).digest("hex"));
  expect(digests.map((each) => each.slice(0, 16))).toEqual([
    "ef936100dc1b74cf",
    "33080bd67661c53d",
    "a4ed89fd5e1bc99f",
    "c222df487d0e57ce",
  ]);
});

test("rejects a URL of an unknown store without repeating it", async () => {
  const refused = await openGovernanceStore("mysql://ada:secret@db").catch((error: Error) => error);
  expect(refused).toBeInstanceOf(TypeError);
  expect(String(refused)).not.toMatch(/secret|ada/);
});
