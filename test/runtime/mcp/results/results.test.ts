/** Stores of results: the promises of every store, and what each place adds. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  folderResults,
  type FolderResultsOptions,
} from "../../../../src/runtime/mcp/results/folder-results.js";
import { memoryResults } from "../../../../src/runtime/mcp/results/memory-results.js";
import {
  migrateResults,
  postgresResults,
} from "../../../../src/runtime/mcp/results/postgres/index.js";
import type { ResultStore } from "../../../../src/runtime/mcp/results/result-store.js";
import { until } from "../../../bindings/queue/support/server-process.js";
import { loaderArgs } from "../../../support/node-loader.js";
import { postgresService } from "../../../support/postgres.js";
import { describeWithService } from "../../../support/service.js";
import { stopClock } from "../../../support/stopped-clock.js";
import { temporaryDirectory } from "../../ledger/fixtures.js";
import { ownDatabase } from "../../ledger/kinds.js";
import { ada, grace, holdPromises, keptId, readable, testKey, ttlMs } from "./result-promises.js";

const hour = 60 * 60_000;
/** Names too long to appear by chance. */
const named = { tenant: "acme-limited", subject: "ada@example.com" };

function opened(store: ResultStore): ResultStore {
  onTestFinished(() => store.close());
  return store;
}

describe("results in memory", () => {
  holdPromises(() => {
    stopClock();
    let store: ResultStore | undefined;
    return {
      // Other processes don't see them, so all open the same one.
      open: (options) => (store ??= opened(memoryResults(options))),
      advance: async (ms) => void (await vi.advanceTimersByTimeAsync(ms)),
    };
  });

  test("a clock that is set back or forward changes nothing", async () => {
    stopClock();
    const store = memoryResults();
    const id = await keptId(store, "one");
    vi.setSystemTime(0);
    expect(await store.read(ada, id)).toBe("one");
    await vi.advanceTimersByTimeAsync(ttlMs);
    expect(await store.read(ada, id)).toBeUndefined();
  });

  test("an expired or removed result leaves nothing behind", async () => {
    stopClock();
    const store = memoryResults({ maxCallerBytes: 8192, maxBytes: 8192 });
    for (let count = 0; count < 5; count += 1) await keptId(store, `${count}`);
    expect(vi.getTimerCount()).toBe(2);
    await vi.advanceTimersByTimeAsync(ttlMs);
    expect(vi.getTimerCount()).toBe(0);
    await keptId(store, "x".repeat(8192), grace);
    await store.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a full store keeps nothing for a caller that can't make room itself", async () => {
    const store = opened(memoryResults({ maxBytes: 20_000 }));
    const own = await keptId(store, "a".repeat(10_000));
    const other = await keptId(store, "b".repeat(10_000), grace);
    expect(await store.keep(ada, "c".repeat(10_001), ttlMs)).toBe("full");
    expect(await store.read(ada, own)).toHaveLength(10_000);
    const next = await keptId(store, "c".repeat(10_000));
    expect(await readable(store, [own, next])).toEqual(["c".repeat(10_000)]);
    expect(await store.read(grace, other)).toHaveLength(10_000);
  });
});

function folderPlace(options: Partial<FolderResultsOptions> = {}) {
  const directory = join(temporaryDirectory(), "results");
  let now = Date.UTC(2030, 0);
  const files = () => (existsSync(directory) ? readdirSync(directory) : []);
  return {
    directory,
    files,
    file: () => join(directory, files().find((each) => each.endsWith(".result")) ?? ""),
    open: (more: Partial<FolderResultsOptions> = {}) =>
      opened(folderResults({ directory, key: testKey, now: () => now, ...options, ...more })),
    advance: async (ms: number) => void (now += ms),
  };
}

const script = fileURLToPath(new URL("./keep-process.ts", import.meta.url));

/** Keeps results in another process, and returns their ids. */
async function keepInProcess(
  directory: string,
  word: string,
  ...rest: readonly (string | number)[]
): Promise<readonly string[]> {
  const args = [...loaderArgs, script, directory, word, ...rest.map(String)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  return (await text(child.stdout)).split("\n").slice(0, -1);
}

describe("results in a folder", () => {
  holdPromises(() => folderPlace());

  test("another store of the same folder reads a result, if it has the key", async () => {
    const place = folderPlace();
    const id = await keptId(place.open(), "one");
    expect(await place.open().read(ada, id)).toBe("one");
    expect(await place.open({ key: Buffer.alloc(32, 8) }).read(ada, id)).toBeUndefined();
    for (const key of [undefined, "", Buffer.alloc(31)])
      expect(() => place.open({ key })).toThrow("`key`");
  });

  test("only the owner may read the folder, and its files tell neither texts nor names", async () => {
    const place = folderPlace();
    const id = await keptId(place.open(), "a secret answer", named);
    expect(statSync(place.directory).mode & 0o777).toBe(0o700);
    expect(place.files()).toHaveLength(1);
    expect(statSync(place.file()).mode & 0o777).toBe(0o600);
    const stored = `${place.file()} ${readFileSync(place.file(), "latin1")}`;
    for (const each of ["secret answer", named.tenant, named.subject, id])
      expect(stored).not.toContain(each);
  });

  test("a file that was renamed or changed is unknown", async () => {
    const place = folderPlace();
    const store = place.open();
    const id = await keptId(store, "one");
    const [path, content] = [place.file(), readFileSync(place.file())];
    const later = path.replace(
      /\.(\d+)(\.\d+\.result)$/,
      (_, at, rest) => `.${Number(at) + 1}${rest}`,
    );
    renameSync(path, later);
    expect(await store.read(ada, id)).toBeUndefined();
    renameSync(later, path);
    expect(await store.read(ada, id)).toBe("one");
    const other = await keptId(store, "two", grace);
    const [prefix = ""] = /^.{129}/.exec(path.slice(place.directory.length + 1)) ?? [];
    const foreign = place.files().find((each) => !each.startsWith(prefix)) ?? "";
    writeFileSync(join(place.directory, foreign), content);
    expect(await store.read(grace, other)).toBeUndefined();
    content[20] = (content[20] ?? 0) ^ 1;
    for (const bytes of [content, content.subarray(0, 5), Buffer.alloc(0)]) {
      writeFileSync(path, bytes);
      expect(await store.read(ada, id)).toBeUndefined();
    }
  });

  test("a result that a clock set back puts into the future is unknown", async () => {
    const place = folderPlace();
    const store = place.open();
    const id = await keptId(store, "one");
    await place.advance(-30_000);
    expect(await store.read(ada, id)).toBe("one");
    await place.advance(-hour);
    expect(await store.read(ada, id)).toBeUndefined();
    const next = await keptId(store, "two");
    expect(await store.read(ada, next)).toBe("two");
    expect(place.files()).toHaveLength(1);
  });

  test("follows no link to a result, and none in place of the default folder", async () => {
    const place = folderPlace();
    const store = place.open();
    const id = await keptId(store, "one");
    const elsewhere = join(temporaryDirectory(), "elsewhere");
    const path = place.file();
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
    await expect(store.read(ada, id)).rejects.toMatchObject({ name: "StoreUnavailable" });
    const [project, target] = [temporaryDirectory(), temporaryDirectory()];
    mkdirSync(join(project, ".skillc"));
    symlinkSync(target, join(project, ".skillc/results"));
    vi.spyOn(process, "cwd").mockReturnValue(project);
    onTestFinished(() => void vi.restoreAllMocks());
    const linked = opened(folderResults({ key: testKey }));
    await expect(linked.keep(ada, "one", ttlMs)).rejects.toMatchObject({
      name: "StoreUnavailable",
    });
    expect(readdirSync(target)).toEqual([]);
  });

  test("the default folder is .skillc/results in the working directory", async () => {
    const project = temporaryDirectory();
    vi.spyOn(process, "cwd").mockReturnValue(project);
    onTestFinished(() => void vi.restoreAllMocks());
    await keptId(opened(folderResults({ key: testKey })), "one");
    expect(readdirSync(join(project, ".skillc/results"))).toHaveLength(1);
  });

  test("the next result removes expired ones and what a crash left, and no other file", async () => {
    const place = folderPlace();
    const store = place.open();
    await keptId(store, "one");
    writeFileSync(`${place.file()}.tmp`, "half");
    writeFileSync(join(place.directory, "notes.txt"), "mine");
    await place.advance(ttlMs);
    await keptId(store, "two", grace);
    expect(place.files().filter((each) => each.endsWith(".result"))).toHaveLength(1);
    expect(place.files().filter((each) => !each.endsWith(".result"))).toEqual(["notes.txt"]);
  });

  test("a timer removes expired files if nobody stores another result", async () => {
    stopClock();
    const place = folderPlace({ now: Date.now });
    const store = place.open();
    await keptId(store, "one");
    await vi.advanceTimersByTimeAsync(ttlMs / 2);
    await keptId(store, "two");
    await vi.advanceTimersByTimeAsync(ttlMs / 2);
    vi.useRealTimers();
    await until("the first result is removed", () => place.files().length === 1);
    expect(place.files()).toHaveLength(1);
  });

  test("processes that keep results at the same time stay within the limit together", async () => {
    const place = folderPlace({ now: Date.now });
    const processes = ["a", "b", "c"].map((word) =>
      keepInProcess(place.directory, word, 10, 40_000),
    );
    const ids = (await Promise.all(processes)).flat();
    expect(ids).toHaveLength(30);
    expect(await readable(place.open(), ids)).toHaveLength(4);
    expect(place.files().every((each) => each.endsWith(".result"))).toBe(true);
  });

  test("a process that dies in the middle of a change leaves results and the lock to others", async () => {
    const place = folderPlace({ now: Date.now });
    const ids = await keepInProcess(place.directory, "a", 1, 40_000, "die");
    expect(place.files().toSorted().at(-1)).toBe("lock");
    const store = place.open();
    const next = await keptId(store, "next");
    expect(await readable(store, [...ids, next])).toHaveLength(2);
    expect(place.files().every((each) => each.endsWith(".result"))).toBe(true);
  });

  test("a folder that can't be written is reported without a value", async () => {
    const place = folderPlace();
    writeFileSync(place.directory, "");
    const failed = place.open().keep(ada, "a secret answer", ttlMs);
    await expect(failed).rejects.toMatchObject({ name: "StoreUnavailable" });
    await expect(failed).rejects.not.toThrow("secret");
  });
});

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  /** Makes a place in a new schema, whose clock the test sets. */
  async function postgresPlace() {
    const schema = `results_${randomBytes(4).toString("hex")}`;
    const { run, url } = database();
    await migrateResults({ url, schema });
    await run(
      `CREATE TABLE ${schema}.test_clock (ahead bigint NOT NULL);
       INSERT INTO ${schema}.test_clock VALUES (0);
       CREATE OR REPLACE FUNCTION ${schema}.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
         'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + (SELECT ahead FROM ${schema}.test_clock)'`,
    );
    return {
      schema,
      open: (options: { readonly maxCallerBytes?: number; readonly key?: Uint8Array } = {}) =>
        opened(postgresResults({ url, schema, key: testKey, ...options })),
      advance: async (ms: number) => {
        await run(`UPDATE ${schema}.test_clock SET ahead = ahead + ${ms}`);
      },
    };
  }

  describe("results in PostgreSQL", () => {
    holdPromises(postgresPlace);

    test("another process reads a result, if it has the key", async () => {
      const place = await postgresPlace();
      const id = await keptId(place.open(), "one");
      expect(await place.open().read(ada, id)).toBe("one");
      expect(await place.open({ key: Buffer.alloc(32, 8) }).read(ada, id)).toBeUndefined();
      const url = database().url;
      for (const key of [undefined, "", Buffer.alloc(31)])
        expect(() => postgresResults({ url, key })).toThrow("`key`");
    });

    test("the table tells neither texts nor names, and a moved result is unknown", async () => {
      const { open, schema } = await postgresPlace();
      const store = open();
      const id = await keptId(store, "a secret answer", named);
      const other = await keptId(store, "two", grace);
      const rows = await database().run(
        `SELECT r::text || encode(sealed, 'escape') AS text FROM ${schema}.result r`,
      );
      const stored = rows.map((row) => String(row["text"])).join();
      for (const each of ["secret answer", named.tenant, named.subject, id])
        expect(stored).not.toContain(each);
      await database().run(
        `UPDATE ${schema}.result SET sealed = (SELECT sealed FROM ${schema}.result ORDER BY n LIMIT 1)`,
      );
      expect(await store.read(named, id)).toBe("a secret answer");
      expect(await store.read(grace, other)).toBeUndefined();
    });

    test("a result that a clock set back puts into the future is unknown", async () => {
      const place = await postgresPlace();
      const store = place.open();
      const id = await keptId(store, "one");
      await place.advance(-hour);
      expect(await store.read(ada, id)).toBeUndefined();
      expect(await store.read(ada, await keptId(store, "two"))).toBe("two");
    });

    test("results remove expired ones of other callers", async () => {
      const place = await postgresPlace();
      const store = place.open();
      for (let count = 0; count < 12; count += 1) await keptId(store, `${count}`);
      await place.advance(ttlMs);
      await keptId(store, "next", grace);
      const count = async () =>
        (await database().run(`SELECT count(*)::int AS n FROM ${place.schema}.result`))[0]?.["n"];
      expect(await count()).toBe(3);
      await keptId(store, "next", grace);
      expect(await count()).toBe(2);
    });

    test("a missing table is reported with the function that creates the table", async () => {
      const url = database().url;
      const store = opened(postgresResults({ url, schema: "nowhere", key: testKey }));
      await expect(store.keep(ada, "one", ttlMs)).rejects.toMatchObject({
        name: "StoreUnavailable",
        message: expect.stringContaining("`migrateResults`"),
      });
      const done = await Promise.all(
        [1, 2, 3].map(() => migrateResults({ url, schema: "nowhere" })),
      );
      expect(done.map(({ before }) => before).toSorted()).toEqual([0, 1, 1]);
      expect(await store.read(ada, await keptId(store, "one"))).toBe("one");
      expect(() => postgresResults({ url, schema: 'a"b', key: testKey })).toThrow("schema");
    });

    test("a role that may use the table needs no other right", async () => {
      const { schema } = await postgresPlace();
      const role = `reader_${database().url.slice(-8)}`;
      await database().run(
        `CREATE ROLE ${role} LOGIN;
         GRANT USAGE ON SCHEMA ${schema} TO ${role};
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
      );
      const url = database().urlAs(role);
      const store = opened(postgresResults({ url, schema, key: testKey, maxCallerBytes: 8192 }));
      const ids: string[] = [];
      for (const each of "abc") ids.push(await keptId(store, each));
      expect(await readable(store, ids)).toEqual(["b", "c"]);
      await database().run(`REVOKE ALL ON SCHEMA ${schema} FROM ${role}`);
      await database().run(`REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${role}`);
      await store.close();
      await database().run(`DROP ROLE ${role}`);
    });

    test("a closed store and a server that is gone are reported without a value", async () => {
      const store = (await postgresPlace()).open();
      await store.close();
      await expect(store.keep(ada, "a secret", ttlMs)).rejects.toMatchObject({
        name: "StoreUnavailable",
      });
      const gone = "postgres://app:hidden@127.0.0.1:1/none";
      const lost = opened(postgresResults({ url: gone, key: testKey }));
      const failed = lost.keep(ada, "a secret", ttlMs);
      await expect(failed).rejects.toMatchObject({
        name: "StoreUnavailable",
        message: expect.stringContaining("the store of results failed"),
      });
      await expect(failed).rejects.not.toThrow(/secret|hidden/);
    });
  });
});
