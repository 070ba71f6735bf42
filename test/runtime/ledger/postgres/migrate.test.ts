/** The tables of a ledger: the runtime creates them, migrates them, and rejects tables of another version. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createOutbox,
  createPostgresLedger,
  migratePostgresLedger,
  type PostgresLedger,
} from "../../../../src/runtime/ledger/postgres/index.js";
import { dropEmptyPartitions } from "../../../../src/runtime/ledger/postgres/drop-partitions.js";
import { migrations, newestVersion } from "../../../../src/runtime/ledger/postgres/migrations.js";
import { LedgerConnections } from "../../../../src/runtime/ledger/postgres/pool.js";
import { tablesIn } from "../../../../src/runtime/ledger/postgres/tables.js";
import { entryOf } from "../../../../src/runtime/ledger/store.js";
import { postgresService, serverUrl } from "../../../support/postgres.js";
import { describeWithService } from "../../../support/service.js";
import { beginRecord } from "../fixtures.js";
import { callsOf, ownDatabase, postgresPlace, recordWrite } from "../kinds.js";
import { scriptedPool } from "./faulty-pool.js";

const november = () => Date.UTC(2026, 10, 25);

await describeWithService(postgresService, () => {
  const database = ownDatabase();
  const newSchema = () => `l_${randomBytes(4).toString("hex")}`;

  describe("migrating", () => {
    it("creates the tables once, and partitions for a year", async () => {
      const how = { connectionString: database().url, schema: newSchema(), now: november };
      const first = await migratePostgresLedger(how);
      expect(first).toMatchObject({
        from: 0,
        to: newestVersion,
        applied: migrations.map(({ version }) => ({ version })),
      });
      expect(first.partitions.map(({ name }) => name)).toEqual([
        "records_2026_11",
        "records_2026_12",
        ...Array.from({ length: 11 }, (_, n) => `records_2027_${String(n + 1).padStart(2, "0")}`),
      ]);
      const again = await migratePostgresLedger(how);
      expect(again).toMatchObject({ from: newestVersion, applied: [], partitions: [] });
      const later = await migratePostgresLedger({ ...how, now: () => Date.UTC(2026, 11, 1) });
      expect(later.partitions).toEqual([{ name: "records_2027_12", moved: 0 }]);
    });

    it("creates the tables once if several processes migrate", async () => {
      const how = { connectionString: database().url, schema: newSchema(), now: november };
      const done = await Promise.all([1, 2, 3].map(() => migratePostgresLedger(how)));
      expect(done.map(({ applied }) => applied.length).toSorted()).toEqual([
        0,
        0,
        migrations.length,
      ]);
    });

    it("accepts any schema name that PostgreSQL accepts, and no other", async () => {
      const connectionString = database().url;
      const schema = `a "b" 'c' \\ ; DROP TABLE x; --ü`;
      expect(await migratePostgresLedger({ connectionString, schema })).toMatchObject({ schema });
      const ledger = createPostgresLedger({ connectionString, schema });
      await recordWrite(ledger);
      expect((await ledger.verify()).problems).toEqual([]);
      await ledger.close();
      for (const wrong of ["", "x".repeat(64), "ü".repeat(32), "a\0b", "\uD800", "pg_own"])
        expect(() => createPostgresLedger({ connectionString, schema: wrong })).toThrow(TypeError);
    });

    it("keeps records from before version 2 and their traces and parents, and chains hold", async () => {
      const place = await postgresPlace(database());
      const ledger = place.open();
      const strange = '\0 \uD800 "';
      await recordWrite(ledger, { id: "old", trace: "t-1", parent: strange, parameters: strange });
      await recordWrite(ledger, { id: "unlinked", parameters: { trace: "t-1" } });
      for (let n = 0; n < 150; n += 1) await recordWrite(ledger, { trace: `many-${n % 2}` });
      await ledger.close();
      await database()
        .run(`ALTER TABLE ${place.table("records")} DROP COLUMN trace, DROP COLUMN parent;
        ALTER TABLE ${place.table("attachments")} DROP COLUMN bytes;
        DELETE FROM ${place.table("migrations")} WHERE version > 1`);
      const how = { connectionString: database().url, schema: place.schema };
      expect(await migratePostgresLedger(how)).toMatchObject({ from: 1, to: newestVersion });
      const again = place.open();
      expect(await callsOf(again, { trace: "t-1" })).toMatchObject([{ id: "old" }]);
      expect(await callsOf(again, { parent: strange })).toMatchObject([{ id: "old" }]);
      expect(await callsOf(again, { trace: "many-1" })).toHaveLength(75);
      await recordWrite(again, { id: "new", trace: "t-1" });
      expect(await callsOf(again, { trace: "t-1" })).toHaveLength(2);
      expect((await again.verify()).problems).toEqual([]);
    });

    it("accepts rows that a process of an earlier version wrote after the migration", async () => {
      const place = await postgresPlace(database());
      const ledger = place.open();
      await recordWrite(ledger, { trace: "t-1", parent: "p-1" });
      const records = place.table("records");
      await database().run(`UPDATE ${records} SET trace = NULL, parent = NULL`);
      expect((await ledger.verify()).problems).toEqual([]);
      await database().run(`UPDATE ${records} SET trace = 't-2' WHERE type = 'end'`);
      expect((await ledger.verify()).problems).toMatchObject([{ kind: "changed-line" }]);
    });

    it("keeps an index for traces and for parents in every partition", async () => {
      const place = await postgresPlace(database());
      const names = await database().run(
        `SELECT DISTINCT a.attname::text AS name, count(*)::int AS count FROM pg_index i
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
         JOIN pg_inherits h ON h.inhrelid = i.indrelid AND h.inhparent = '${place.table("records")}'::regclass
         WHERE a.attname IN ('trace', 'parent') GROUP BY 1 ORDER BY 1`,
      );
      expect(names).toEqual([
        { name: "parent", count: 14 },
        { name: "trace", count: 14 },
      ]);
    });

    it("moves records of a month without a partition to their partition, and chains hold", async () => {
      const place = await postgresPlace(database());
      const ledger = place.open();
      for (const time of ["2020-01-31T23:59:59.999Z", "2020-02-01T00:00:00.000Z", "2126-01-01Z"])
        await recordWrite(ledger, { time: new Date(time).toISOString() });
      const done = await migratePostgresLedger({
        connectionString: database().url,
        schema: place.schema,
      });
      expect(done.partitions).toEqual([
        // The writer's own first record stands with the first of its calls.
        { name: "records_2020_01", moved: 3 },
        { name: "records_2020_02", moved: 2 },
      ]);
      await recordWrite(ledger, { id: "next" });
      expect((await ledger.verify()).problems).toEqual([]);
      expect(await callsOf(ledger)).toHaveLength(4);
      const [counted] = await database().run(
        `SELECT count(*)::int AS count FROM ${place.table("records_default")}`,
      );
      expect(counted?.["count"]).toBe(4);
    });
  });

  describe("tables that this runtime can't use", () => {
    const begin = (ledger: PostgresLedger) =>
      Promise.resolve(ledger.append(entryOf(beginRecord())));

    function opened(schema: string): PostgresLedger {
      const ledger = createPostgresLedger({ connectionString: database().url, schema });
      onTestFinished(() => ledger.close().catch(() => undefined));
      return ledger;
    }

    it("tables are rejected with the command to run if they are missing, older or newer", async () => {
      const missing = opened("nowhere");
      const help = "run `skillc ledger migrate`";
      await expect(begin(missing)).rejects.toMatchObject({
        message: "the ledger's tables are not in the schema `nowhere`",
        help,
      });
      await expect(missing.verify()).rejects.toMatchObject({ help });
      await expect(callsOf(missing)).rejects.toMatchObject({ help });
      const place = await postgresPlace(database());
      const ledger = opened(place.schema);
      await database().run(`INSERT INTO ${place.table("migrations")} VALUES (99)`);
      const message = `the ledger's tables in the schema \`${place.schema}\` have version 99, but this runtime supports no version after ${newestVersion}`;
      await expect(begin(ledger)).rejects.toThrow(message);
      await expect(callsOf(ledger)).rejects.toThrow(message);
      const migrating = migratePostgresLedger({
        connectionString: database().url,
        schema: place.schema,
      });
      await expect(migrating).rejects.toThrow(message);
      await database().run(`UPDATE ${place.table("migrations")} SET version = version - 99`);
      await expect(begin(ledger)).rejects.toThrow(/have version 0, but this runtime needs/);
    });

    it("tables are used as soon as they exist", async () => {
      const schema = newSchema();
      const ledger = opened(schema);
      await expect(begin(ledger)).rejects.toThrow(/are not in the schema/);
      await migratePostgresLedger({ connectionString: database().url, schema });
      await begin(ledger);
      expect(await ledger.verify()).toMatchObject({ records: 1, problems: [] });
    });
  });

  it("a role with only the grants of docs/ledger/postgres.md writes, reads, verifies and relays", async () => {
    const place = await postgresPlace(database());
    const role = `skillc_${randomBytes(4).toString("hex")}`;
    const table = place.table;
    const schema = table("x").slice(0, -2);
    await database().run(`
      CREATE ROLE ${role} LOGIN;
      GRANT USAGE ON SCHEMA ${schema} TO ${role};
      GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role};
      GRANT INSERT ON ${table("records")}, ${table("writers")}, ${table("attachments")}, ${table("events")} TO ${role};
      GRANT UPDATE ON ${table("writers")}, ${table("events")} TO ${role};
      GRANT DELETE ON ${table("attachments")}, ${table("events")} TO ${role};`);
    onTestFinished(async () => {
      await database().run(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    });
    const ledger = createPostgresLedger({
      connectionString: database().urlAs(role),
      schema: place.schema,
      attachments: { results: { keepDays: 1 } },
    });
    await ledger.append(entryOf(beginRecord({ id: "one" })));
    const attachment = ledger.attachments.keep("{}");
    await recordWrite(ledger, { id: "two", attachment });
    const outbox = createOutbox(ledger);
    await outbox.sink({
      type: "ToolStateChanged",
      envelope_id: "e",
      time: "",
      tool_id: "a/b",
      policy_hash: "p",
      state: "paused",
      by: "ada",
    });
    await ledger.flush();
    expect(await outbox.relay(() => {})).toBe(1);
    expect(await ledger.verify()).toMatchObject({ problems: [], attachments: { intact: 1 } });
    expect(await callsOf(ledger)).toHaveLength(2);
    const before = "2999-01-01";
    await expect(ledger.prune({ before, includeUnknown: true })).rejects.toThrow(/SQLSTATE 42501/);
    await ledger.close();
  });

  describe("a ledger's connections", () => {
    it("the ledger's connections have an application name, obey the URL's limit, and close with the ledger", async () => {
      const place = await postgresPlace(database());
      const url = new URL(database().url);
      url.searchParams.set("pool_max", "2");
      url.searchParams.set("application_name", "two at most");
      const ledger = createPostgresLedger({ connectionString: url.href, schema: place.schema });
      await recordWrite(ledger);
      await Promise.all(Array.from({ length: 6 }, () => callsOf(ledger)));
      const called = async (name: string) => {
        const rows = await database().run(
          `SELECT FROM pg_stat_activity WHERE application_name = '${name}' AND datname = current_database()`,
        );
        return rows.length;
      };
      // Records have a pool of their own, of which they take one connection.
      expect(await called("two at most")).toBe(3);
      await ledger.close();
      await vi.waitUntil(async () => (await called("two at most")) === 0, { timeout: 60_000 });
      await recordWrite(place.open());
      expect(await called("skillc ledger")).toBeGreaterThan(0);
    });

    it("stay open if they belong to a pool of the application", async () => {
      const place = await postgresPlace(database());
      const pool = new pg.Pool({ connectionString: database().url, max: 3 });
      onTestFinished(() => pool.end());
      const ledger = createPostgresLedger({ pool, schema: place.schema });
      await recordWrite(ledger);
      expect(await callsOf(ledger)).toHaveLength(1);
      expect((await ledger.verify()).problems).toEqual([]);
      await ledger.close();
      expect(await pool.query("SELECT 1 AS one")).toMatchObject({ rows: [{ one: 1 }] });
    });
  });

  describe("pruning by months", () => {
    it("empties the months of which nothing stays, and deletes old records from the others", async () => {
      const place = await postgresPlace(database());
      const [long, short] = [place.open(), place.open()];
      for (const month of [0, 1, 2])
        for (const day of [5, 20])
          await recordWrite(long, {
            id: `${month}-${day}`,
            time: new Date(Date.UTC(2020, month, day)).toISOString(),
          });
      await recordWrite(short, { id: "short", time: "2020-01-10T00:00:00.000Z" });
      await short.close();
      await migratePostgresLedger({ connectionString: database().url, schema: place.schema });
      const pruning = await long.prune?.({ before: "2020-03-10" });
      expect(pruning).toMatchObject({ removed: true, records: 12 });
      const each = (pruning?.files ?? []).map((file) => file.records);
      expect(each.toSorted()).toEqual([10, 2]);
      const { problems, records, writers } = await long.verify();
      expect({ problems, records }).toEqual({ problems: [], records: 2 });
      expect(writers).toHaveLength(2);
      await recordWrite(long, { id: "next" });
      expect((await callsOf(long)).map(({ id }) => id)).toEqual(["next", "2-20"]);
      expect((await long.verify()).problems).toEqual([]);
    });

    const partitionsOf = async (place: Awaited<ReturnType<typeof postgresPlace>>) => {
      const rows = await database().run(
        `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = '${place.table("records")}'::regclass ORDER BY 1`,
      );
      return rows.map(({ name }) => name);
    };
    /** A ledger with a record in each of three months of 2020, which have partitions. */
    const threeMonths = async () => {
      const place = await postgresPlace(database());
      const ledger = place.open();
      for (const month of [0, 1, 2])
        await recordWrite(ledger, {
          id: `${month}`,
          time: new Date(Date.UTC(2020, month, 5)).toISOString(),
        });
      const how = { connectionString: database().url, schema: place.schema };
      const { partitions } = await migratePostgresLedger(how);
      expect(partitions).toHaveLength(3);
      return { how, ledger, place };
    };

    it("drops the empty partitions of months before the cut only", async () => {
      const { how, ledger, place } = await threeMonths();
      const before = await partitionsOf(place);
      await ledger.prune?.({ before: "2020-02-10", dryRun: true });
      expect(await partitionsOf(place)).toEqual(before);
      expect(await ledger.prune?.({ before: "2020-02-10" })).toMatchObject({ removed: true });
      const left = before.filter((name) => name !== "records_2020_01");
      expect(await partitionsOf(place)).toEqual(left);
      // An old record that comes later has a place, and gets a partition of its month again.
      const late = place.open();
      await recordWrite(late, { id: "late", time: "2020-01-20T00:00:00.000Z" });
      expect((await migratePostgresLedger(how)).partitions).toEqual([
        { name: "records_2020_01", moved: 3 },
      ]);
      expect((await late.verify()).problems).toEqual([]);
      expect((await callsOf(late)).map(({ id }) => id).toSorted()).toEqual(["2", "late"]);
      // One that is empty already goes with a pruning that finds nothing else to remove.
      await ledger.prune?.({ before: "2020-03-01" });
      expect(await partitionsOf(place)).not.toContain("records_2020_01");
      expect(await partitionsOf(place)).toContain("records_2020_03");
      expect((await ledger.verify()).problems).toEqual([]);
    });

    it("never drops the partition of this month, nor those that were made ahead", async () => {
      const { ledger, place } = await threeMonths();
      const ahead = (await partitionsOf(place)).filter((name) => !/2020/.test(String(name)));
      expect(ahead).toHaveLength(14);
      await ledger.prune?.({ before: "2999-01-01" });
      expect(await partitionsOf(place)).toEqual(ahead);
    });

    /** A transaction of somebody else, who is in the middle of something. */
    const inTheMiddleOf = async (sql: string) => {
      const client = new pg.Client(database().url);
      await client.connect();
      onTestFinished(() => client.end());
      await client.query(`BEGIN; ${sql}`);
      return client;
    };
    const insert = (at: string, place: Awaited<ReturnType<typeof postgresPlace>>) =>
      `INSERT INTO ${place.table("records")} (at, writer, seq, type, line) VALUES ('${at}', 'w', 0, 'open', '')`;

    it("leaves empty partitions to the next pruning while a transaction uses the table, and fails no append", async () => {
      const { ledger, place } = await threeMonths();
      const other = await inTheMiddleOf(insert("2126-01-01", place));
      const [pruned] = await Promise.all([
        ledger.prune?.({ before: "2020-03-01" }),
        recordWrite(place.open(), { id: "meanwhile" }),
      ]);
      expect(pruned).toMatchObject({ removed: true });
      expect(await partitionsOf(place)).toContain("records_2020_01");
      await other.query("ROLLBACK");
      await ledger.prune?.({ before: "2020-03-01" });
      const left = await partitionsOf(place);
      expect(left).not.toContain("records_2020_01");
      expect(left).not.toContain("records_2020_02");
      expect((await callsOf(ledger)).map(({ id }) => id)).toEqual(["meanwhile", "2"]);
    });

    it("drops no partition that has just got a record", async () => {
      const { place } = await threeMonths();
      await database().run(`TRUNCATE ${place.table("records_2020_01")}`);
      const other = await inTheMiddleOf(insert("2020-01-07", place));
      const connections = new LedgerConnections({ connectionString: database().url });
      onTestFinished(() => connections.close());
      const dropping = dropEmptyPartitions(
        connections,
        tablesIn(place.schema),
        Date.UTC(2020, 1, 1),
      );
      const waits =
        "SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database " +
        "WHERE datname = current_database() AND NOT granted AND mode = 'AccessExclusiveLock'";
      // It waits, or has given up waiting.
      const isWaiting = async () => (await database().run(waits)).length > 0;
      await Promise.race([dropping, vi.waitUntil(isWaiting, { timeout: 60_000 })]);
      await other.query("COMMIT");
      await dropping;
      expect(await partitionsOf(place)).toContain("records_2020_01");
      const rows = await database().run(`SELECT FROM ${place.table("records_2020_01")}`);
      expect(rows).toHaveLength(1);
    });

    it("remembers all earlier prunings", async () => {
      const place = await postgresPlace(database());
      const ledger = place.open();
      for (let n = 1; n <= 12; n += 1) {
        await recordWrite(ledger, { time: new Date(Date.UTC(2020, 0, n)).toISOString() });
        await ledger.prune?.({ before: new Date(Date.UTC(2020, 0, n, 1)) });
      }
      const { problems, prunings } = await ledger.verify();
      expect({ problems, count: prunings.length }).toEqual({ problems: [], count: 12 });
    });
  });
});

describe("a server that can't hold a ledger", () => {
  const place = (version: string, encoding: string) => ({
    pool: scriptedPool({ server_version_num: [{ version, encoding }] }),
  });

  it.each([
    ["90624", "UTF8", "is PostgreSQL 9, but a ledger needs version 15 or later"],
    ["140011", "UTF8", "is PostgreSQL 14, but a ledger needs version 15 or later"],
    ["160002", "LATIN1", "has the encoding LATIN1, which lacks characters"],
  ])(
    "a server is rejected if it has version %s and encoding %s",
    async (version, encoding, told) => {
      await expect(migratePostgresLedger(place(version, encoding))).rejects.toThrow(told);
      const ledger = createPostgresLedger(place(version, encoding));
      await expect(Promise.resolve(ledger.append(entryOf(beginRecord())))).rejects.toThrow(told);
      await ledger.close();
    },
  );

  it.each([
    ["mysql://user:pa55word@host/db"],
    ["postgres://user:pa55word@127.0.0.1:1/db"],
    ["postgres://user:pa55word@no-such-host.invalid/db"],
    ["postgres://user:pa55word@host:port/db"],
    ["postgres://user:pa55word@host/db?pool_max=pa55word"],
    [`${new URL("/no_such_database", serverUrl).href}?password=pa55word`],
  ])("a server is reported without the password of its URL: %s", async (connectionString) => {
    const migrating = migratePostgresLedger({ connectionString });
    const error: unknown = await migrating.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: "LedgerUnavailable" });
    expect(JSON.stringify([String(error), error, (error as Error).stack])).not.toContain(
      "pa55word",
    );
    expect((error as Error).cause).toBeUndefined();
  });
});
