/** Runs in PostgreSQL: the promises of every store, and what a server adds. */
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { migrateRuns, postgresRuns } from "../../../src/runtime/runs/postgres/index.js";
import { digestOfRun } from "../../../src/runtime/runs/sealed-run.js";
import { postgresService, serverProxy } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { ownDatabase } from "../ledger/kinds.js";
import { postgresPlace, testKey } from "./places.js";
import { settlePromises } from "./settle-promises.js";
import {
  beginning,
  events,
  held,
  holdPromises,
  keep,
  listed,
  withoutTimes,
} from "./store-promises.js";

const run = { id: "one" };

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  describe("runs in PostgreSQL", () => {
    holdPromises(() => postgresPlace(database()));
  });

  describe("settling steps of runs in PostgreSQL", () => {
    settlePromises(() => postgresPlace(database()));
  });

  describe("tables of runs", () => {
    test("a missing table is reported with the command that creates the tables", async () => {
      const store = postgresRuns({ url: database().url, schema: "nowhere", key: testKey });
      onTestFinished(() => store.close());
      const missing = {
        name: "RunStoreError",
        problem: "not-migrated",
        help: "run `skillc runs migrate`",
      };
      await expect(store.read(run)).rejects.toMatchObject(missing);
      await expect(store.hold(run, beginning)).rejects.toMatchObject(missing);
      await migrateRuns({ url: database().url, schema: "nowhere" });
      expect(await store.read(run)).toBeUndefined();
      expect(() => postgresRuns({ url: database().url, schema: 'a"b', key: testKey })).toThrow(
        "schema",
      );
    });

    test("concurrent migrations create the tables of runs once, and keep their rows", async () => {
      const options = { url: database().url, schema: "runs_twice" };
      const done = await Promise.all([1, 2, 3].map(() => migrateRuns(options)));
      expect(done.map(({ before }) => before).toSorted()).toEqual([0, 1, 1]);
      const store = postgresRuns({ ...options, key: testKey });
      onTestFinished(() => store.close());
      await keep(store, run);
      expect(await migrateRuns(options)).toEqual({ before: 1, after: 1 });
      expect(await listed(store.list())).toHaveLength(1);
    });

    test("a role that may use the tables of runs needs no other right", async () => {
      const schema = "runs_granted";
      await migrateRuns({ url: database().url, schema });
      const role = `runner_${database().url.slice(-8)}`;
      await database().run(
        `CREATE ROLE ${role} LOGIN;
         GRANT USAGE ON SCHEMA ${schema} TO ${role};
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
      );
      const store = postgresRuns({ url: database().urlAs(role), schema, key: testKey });
      await keep(store, run, [...events, { type: "ended", status: "success" }]);
      expect(await store.prune(new Date(Date.UTC(9999, 0)))).toBe(1);
      await keep(store, run);
      await database().run(`REVOKE INSERT ON ALL TABLES IN SCHEMA ${schema} FROM ${role}`);
      const one = await held(store, run);
      await expect(one.append({ type: "begun", key: "1", call: "c" })).rejects.toMatchObject({
        problem: "read-only",
        help: expect.stringContaining("grant"),
      });
      await store.close();
      await database().run(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    });

    test("a full disk is reported, and the run goes on when there is room", async () => {
      const place = await postgresPlace(database());
      const { schema } = place;
      const one = await held(place.open(), run, beginning);
      await database().run(
        `CREATE FUNCTION ${schema}.full() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'secret' USING ERRCODE = '53100'; END $$;
         CREATE TRIGGER full_disk BEFORE INSERT ON ${schema}.event EXECUTE FUNCTION ${schema}.full()`,
      );
      await expect(one.append({ type: "begun", key: "1", call: "c" })).rejects.toMatchObject({
        problem: "full",
        message: expect.not.stringContaining("secret"),
      });
      await database().run(`DROP TRIGGER full_disk ON ${schema}.event`);
      await one.append({ type: "begun", key: "1", call: "c" });
      expect((await place.open().read(run))?.events).toHaveLength(1);
    });

    test("a database that takes no writes is reported as read-only", async () => {
      const place = await postgresPlace(database());
      const url = `${database().url}?options=-c%20default_transaction_read_only%3Don`;
      const store = postgresRuns({ url, schema: place.schema, key: testKey });
      onTestFinished(() => store.close());
      await expect(store.hold(run, beginning)).rejects.toMatchObject({ problem: "read-only" });
    });
  });

  describe("connections of runs", () => {
    test("an application's pool works with parsers, a search path and an isolation level of its own", async () => {
      const place = await postgresPlace(database());
      const pool = new pg.Pool({
        connectionString: database().url,
        options: "-c search_path=nowhere -c default_transaction_isolation=serializable",
        types: {
          getTypeParser: () => (text: string | Buffer) => `parsed ${text.toString()}`.slice(7),
        },
      });
      onTestFinished(() => pool.end());
      const store = postgresRuns({ pool, schema: place.schema, key: testKey });
      await keep(store, run);
      expect(withoutTimes((await store.read(run))?.events)).toEqual(withoutTimes(events));
      expect(await listed(store.list())).toMatchObject([{ run }]);
      await store.close();
      expect((await pool.query("SELECT 1")).rows).toHaveLength(1);
    });

    test("a server that is away is reported, with no part of the URL", async () => {
      const store = postgresRuns({ url: "postgres://me:hidden@127.0.0.1:1/db", key: testKey });
      onTestFinished(() => store.close());
      await expect(store.hold(run, beginning)).rejects.toMatchObject({
        name: "RunStoreError",
        problem: "unavailable",
        message: expect.not.stringContaining("hidden"),
      });
      const other = postgresRuns({ url: "mysql://me:hidden@host/db", key: testKey });
      onTestFinished(() => other.close());
      await expect(other.read(run)).rejects.toMatchObject({
        problem: "unavailable",
        help: expect.stringContaining("postgres://"),
      });
    });

    test("an event whose confirmation is lost is stored once", async () => {
      const place = await postgresPlace(database());
      let cuts = 0;
      const proxy = await serverProxy(database().url, (sent) => {
        // The server gets what the client sends in the same packet, unless it is an append.
        if (!sent.includes("append_events") || cuts > 0) return false;
        cuts += 1;
        return true;
      });
      const store = postgresRuns({ url: proxy.url, schema: place.schema, key: testKey });
      onTestFinished(() => store.close());
      const one = await held(store, run, beginning);
      await one.append({ type: "begun", key: "1", call: "c" });
      await one.append({ type: "begun", key: "2", call: "c" });
      expect(cuts).toBe(1);
      expect((await place.open().read(run))?.events).toHaveLength(2);
    });

    test("an append that is repeated after it was carried out changes nothing", async () => {
      const place = await postgresPlace(database());
      const store = place.open();
      const one = await held(store, run, beginning);
      await one.append({ type: "begun", key: "1", call: "c" });
      const key = digestOfRun(run);
      const [row] = await database().run(
        `SELECT ${place.schema}.append_events('${key}', r.holder, 0, ARRAY[e.header],
                ARRAY[encode(e.sealed, 'base64')], 'unfinished', r.changed_at) AS again,
                ${place.schema}.append_events('${key}', r.holder, 0, ARRAY[e.header],
                ARRAY['AAAA'], 'unfinished', r.changed_at) AS other,
                ${place.schema}.append_events('${key}', 'x', 1, ARRAY[e.header],
                ARRAY['AAAA'], 'unfinished', r.changed_at) AS foreign
         FROM ${place.schema}.run r JOIN ${place.schema}.event e ON e.run = r.key`,
      );
      expect(row).toEqual({ again: "stored", other: "changed", foreign: "lost" });
      await one.append({ type: "begun", key: "2", call: "c" });
      expect((await store.read(run))?.events).toHaveLength(2);
    });

    test("a lease is renewed while an append is under way, and nobody else holds the run", async () => {
      const place = await postgresPlace(database());
      const { schema } = place;
      const one = await held(place.open(), run, beginning);
      const clients = [1, 2, 3].map(() => new pg.Client(database().url));
      await Promise.all(clients.map((each) => each.connect()));
      const [appending, renewing, holding] = clients as [pg.Client, pg.Client, pg.Client];
      const key = digestOfRun(run);
      const { rows } = await renewing.query(`SELECT holder FROM ${schema}.run`);
      const holder = String(rows[0].holder);
      await appending.query("BEGIN");
      const append = `SELECT ${schema}.append_events($1, $2, 0, ARRAY['{}'], ARRAY['AAAA'], 'unfinished', '')`;
      // The last statement of the function waits for nobody, so its locks are those of an append.
      await appending.query(append, [key, holder]);
      await holding.query("SET lock_timeout = 200");
      const taken = holding.query(`SELECT ${schema}.hold_run($1, 'other', 1000)`, [key]);
      await expect(taken).rejects.toMatchObject({ code: "55P03" });
      await appending.query("ROLLBACK");
      await appending.query(
        `BEGIN; SELECT 1 FROM ${schema}.run WHERE key = '${key}' FOR KEY SHARE`,
      );
      const renewed = await renewing.query(`SELECT ${schema}.renew_run($1, $2, 10000) AS is`, [
        key,
        holder,
      ]);
      expect(renewed.rows).toEqual([{ is: true }]);
      await expect(
        holding.query(`SELECT ${schema}.hold_run($1, 'other', 1000)`, [key]),
      ).rejects.toMatchObject({ code: "55P03" });
      await appending.query("ROLLBACK");
      await Promise.all(clients.map((each) => each.end()));
      await one.append({ type: "begun", key: "1", call: "c" });
    });

    test("a lease is renewed while an append uses the only connection of the store", async () => {
      const place = await postgresPlace(database());
      const { schema } = place;
      const url = `${database().url}${database().url.includes("?") ? "&" : "?"}pool_max=1`;
      const store = postgresRuns({ url, schema, key: testKey });
      onTestFinished(() => store.close());
      const one = await held(store, run, beginning);
      const locking = new pg.Client(database().url);
      await locking.connect();
      onTestFinished(() => locking.end());
      await locking.query(`BEGIN; LOCK TABLE ${schema}.event IN SHARE MODE`);
      const appended = one.append({ type: "begun", key: "1", call: "c" });
      const heldUntil = async () => {
        const { rows } = await locking.query(`SELECT held_until FROM ${schema}.run`);
        return Number(rows[0].held_until);
      };
      const before = await heldUntil();
      while ((await heldUntil()) === before && !one.lost.aborted) await setTimeout(50);
      expect(one.lost.aborted).toBe(false);
      await locking.query("ROLLBACK");
      await appended;
      expect((await place.open().read(run))?.events).toHaveLength(1);
    });

    test("a run that somebody removed while it was held is lost", async () => {
      const place = await postgresPlace(database());
      const one = await held(place.open(), run, beginning);
      await database().run(`DELETE FROM ${place.schema}.run`);
      const late = one.append({ type: "begun", key: "1", call: "c" });
      await expect(late).rejects.toMatchObject({ problem: "lost" });
      expect(one.lost.aborted).toBe(true);
    });

    test("rows that are missing at the end are noticed", async () => {
      const place = await postgresPlace(database());
      await keep(place.open(), run);
      await database().run(`DELETE FROM ${place.schema}.event WHERE n = 3`);
      await expect(place.open().read(run)).rejects.toMatchObject({ problem: "changed" });
    });
  });
});
