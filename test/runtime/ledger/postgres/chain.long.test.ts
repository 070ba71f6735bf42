/** A chain of rows survives failures of servers and connections. */
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import { createPostgresLedger } from "../../../../src/runtime/ledger/postgres/index.js";
import { entryOf, type LedgerStore } from "../../../../src/runtime/ledger/store.js";
import { createRuntime } from "../../../../src/runtime/runtime.js";
import { postgresService, serverProxy } from "../../../support/postgres.js";
import { runs } from "../../../support/runs.js";
import { describeWithService } from "../../../support/service.js";
import { exampleTool, succeed } from "../../example-tool.js";
import { beginRecord, endRecord } from "../fixtures.js";
import { callsOf, ownDatabase, postgresPlace, recordWrite } from "../kinds.js";
import { type Fate, faultyPool, scriptedPool } from "./faulty-pool.js";

const begin = (ledger: LedgerStore, id: string) => ledger.append(entryOf(beginRecord({ id })));
const end = (ledger: LedgerStore, id: string) => ledger.append(entryOf(endRecord({ id })));

/** Warnings of the ledger until the test ends. */
function ledgerWarnings(): readonly string[] {
  const warnings: string[] = [];
  const listen = ({ message, name }: Error) => {
    if (name === "SkillcLedgerWarning") warnings.push(message);
  };
  process.on("warning", listen);
  onTestFinished(() => void process.off("warning", listen));
  return warnings;
}

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  async function openFaulty(options: { readonly answerWithinMs?: number } = {}) {
    const place = await postgresPlace(database());
    const pool = faultyPool(database().url);
    const ledger = createPostgresLedger({ pool, schema: place.schema, ...options });
    onTestFinished(() => ledger.close().catch(() => undefined));
    return { ledger, place, pool };
  }

  describe("records", () => {
    it("records are added by one statement if they come in one turn of the event loop", async () => {
      const { ledger, pool } = await openFaulty();
      const ids = Array.from({ length: 64 }, (_, n) => `call-${n}`);
      await Promise.all(ids.map((id) => begin(ledger, id)));
      expect(pool.appends).toHaveLength(1);
    });

    it("records are added by the next statement if they come while one runs", async () => {
      const { ledger, pool } = await openFaulty();
      await begin(ledger, "first");
      const early = begin(ledger, "a");
      await new Promise((resolve) => setImmediate(resolve));
      const others = ["b", "c", "d"].map(async (id) => {
        await new Promise((resolve) => setImmediate(resolve));
        await begin(ledger, id);
      });
      await Promise.all([early, ...others]);
      expect(pool.appends).toHaveLength(3);
    });

    it("records are split so that no statement has more than a few megabytes", async () => {
      const { ledger, pool } = await openFaulty();
      const parameters = { text: "x".repeat(3_000_000) };
      const records = ["a", "b", "c"].map((id) => beginRecord({ id, parameters }));
      await Promise.all(records.map((record) => ledger.append(entryOf(record))));
      expect(pool.appends).toHaveLength(3);
      expect((await ledger.verify()).problems).toEqual([]);
    });

    it("do not wait for a slow reader", async () => {
      const place = await postgresPlace(database());
      const ledger = createPostgresLedger({
        connectionString: database().url,
        schema: place.schema,
        answerWithinMs: 2000,
      });
      await Promise.all(Array.from({ length: 60 }, () => recordWrite(ledger)));
      const readers = Array.from({ length: 4 }, () => ledger.read()[Symbol.asyncIterator]());
      for (const reader of readers) await reader.next();
      await recordWrite(ledger, { id: "next" });
      for (const reader of readers) await reader.return?.();
      expect(await callsOf(ledger, { id: "next" })).toHaveLength(1);
      await ledger.close();
    });

    it("records are committed before their call goes on", async () => {
      const { ledger, place } = await openFaulty();
      await begin(ledger, "one");
      expect(await place.lines()).toHaveLength(2);
    });
  });

  describe("a lost connection", () => {
    it.each<Fate>(["lost", "unanswered", "late"])(
      "leaves no gap and no fork if it happens during a statement (%s), and each append gets an answer",
      async (fate) => {
        const { ledger, pool } = await openFaulty();
        pool.fates.push(fate);
        await Promise.all(["a", "b"].map((id) => begin(ledger, id)));
        pool.fates.push(fate, fate);
        await end(ledger, "a");
        const { problems, records, unknownOutcomes } = await ledger.verify();
        const unknown = unknownOutcomes.map(({ id }) => id);
        expect({ problems, records, unknown }).toEqual({
          problems: [],
          records: 3,
          unknown: ["b"],
        });
      },
    );

    it("loses and doubles no record if it happens repeatedly, whatever becomes of each statement", async () => {
      const fate = fc.constantFrom<Fate>("fine", "lost", "unanswered", "late");
      await fc.assert(
        fc.asyncProperty(fc.array(fate, { maxLength: 40 }), async (fates) => {
          const { ledger, pool } = await openFaulty();
          pool.fates.push(...fates);
          const ids = Array.from({ length: 8 }, (_, n) => `call-${n}`);
          const begun = await Promise.allSettled(ids.map((id) => begin(ledger, id)));
          const ended: string[] = [];
          for (const [at, id] of ids.entries())
            if (begun[at]?.status === "fulfilled")
              await Promise.resolve(end(ledger, id)).then(
                () => ended.push(id),
                () => undefined,
              );
          await pool.settle();
          pool.fates.length = 0;
          // What was kept of those that failed goes out with it.
          await begin(ledger, "last");
          const { problems, records, unknownOutcomes } = await ledger.verify();
          expect(problems).toEqual([]);
          const calls = await callsOf(ledger);
          expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
          expect(calls.map(({ id }) => id)).toEqual(expect.arrayContaining([...ended, "last"]));
          const open = unknownOutcomes.map(({ id }) => id);
          expect(open.filter((id) => ended.includes(id))).toEqual([]);
          expect(records).toBe(calls.length * 2 - open.length);
        }),
        { numRuns: runs(30) },
      );
    });

    it("loses no record of a call that went on if its server ends sessions", async () => {
      const place = await postgresPlace(database());
      const ledger = place.open();
      const going: string[] = [];
      const stop = new AbortController();
      const killing = (async () => {
        while (!stop.signal.aborted)
          await database().run(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'skillc ledger'`,
          );
      })();
      for (let n = 0; n < 60; n += 1) {
        const ids = [`a-${n}`, `b-${n}`];
        const settled = await Promise.allSettled(ids.map((id) => begin(ledger, id)));
        going.push(...ids.filter((_, at) => settled[at]?.status === "fulfilled"));
      }
      stop.abort();
      await killing;
      await begin(ledger, "last");
      const { problems, unknownOutcomes } = await ledger.verify();
      expect(problems).toEqual([]);
      expect(unknownOutcomes.map(({ id }) => id)).toEqual(expect.arrayContaining(going));
    });
  });

  describe("a server that is away", () => {
    it("stops writes but no reads, and the records of sent writes are kept", async () => {
      const warnings = ledgerWarnings();
      const { ledger, pool } = await openFaulty();
      const runtime = createRuntime({ inherit: false, env: {}, ledger });
      let sent = 0;
      const write = exampleTool(() => {
        sent += 1;
        return succeed();
      });
      const read = exampleTool(succeed, { effect: "read" });
      await callTool(write, { id: "a" }, { runtime });
      await begin(ledger, "left");
      pool.isDown = true;
      const ended = end(ledger, "left");
      await expect(ended).rejects.toThrow(/can't be written: the server can't be reached/);
      await expect(callTool(write, { id: "b" }, { runtime })).rejects.toMatchObject({
        failure: { code: "UNKNOWN.INTERNAL", reason: "ledger-unavailable" },
        outcome: "not-done",
      });
      expect(sent).toBe(1);
      for (let n = 0; n < 3; n += 1)
        expect(await callTool(read, { id: "c" }, { runtime })).toMatchObject({ status: "success" });
      pool.isDown = false;
      await callTool(write, { id: "d" }, { runtime });
      expect(sent).toBe(2);
      const { problems, records, unknownOutcomes } = await ledger.verify();
      expect({ problems, records, unknownOutcomes }).toEqual({
        problems: [],
        records: 6,
        unknownOutcomes: [],
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings[0]).toMatch(/did not record the end of a call of desk\/do-it/);
    });

    it("the server's return is found to be back by a read alone", async () => {
      const { ledger, pool } = await openFaulty();
      await begin(ledger, "first");
      pool.isDown = true;
      await expect(begin(ledger, "refused")).rejects.toThrow(/can't be reached/);
      const read = () => ledger.append(entryOf(endRecord({ effect: "read" })));
      expect(read).toThrow(/can't be reached \(ECONNREFUSED\)/);
      pool.isDown = false;
      await vi.waitFor(() => expect(read()).toBeUndefined());
      await recordWrite(ledger, { id: "next" });
      expect((await callsOf(ledger)).map(({ id }) => id)).toContain("next");
    });

    it("delays calls no longer than their time limit if it is silent", async () => {
      const place = await postgresPlace(database());
      const { stall, url } = await serverProxy(database().url);
      const ledger = createPostgresLedger({
        connectionString: url,
        schema: place.schema,
        answerWithinMs: 300,
      });
      await begin(ledger, "first");
      stall();
      await expect(begin(ledger, "second")).rejects.toThrow(/no answer within 300 ms/);
      await ledger.close().catch(() => undefined);
      const found = await place.open().verify();
      expect(found.problems).toEqual([]);
    });
  });

  it("starts a new chain in a database that has lost rows, and verify reports the loss", async () => {
    const { ledger, place } = await openFaulty();
    await recordWrite(ledger, { id: "kept" });
    const [head] = await database().run(`SELECT seq, hash FROM ${place.table("writers")}`);
    await recordWrite(ledger, { id: "gone" });
    // As a standby that takes over before it has everything.
    await database().run(
      `DELETE FROM ${place.table("records")} WHERE seq > ${Number(head?.["seq"])};
       UPDATE ${place.table("writers")} SET seq = ${Number(head?.["seq"])}, hash = '${String(head?.["hash"])}'`,
    );
    await recordWrite(ledger, { id: "next" });
    expect((await callsOf(ledger)).map(({ id }) => id)).toEqual(["next", "kept"]);
    const { problems, writers } = await ledger.verify();
    expect(problems).toMatchObject([
      {
        kind: "missing-lines",
        message: expect.stringMatching(/^record 4, which .* saw here, is missing$/),
      },
    ]);
    expect(writers).toHaveLength(2);
  });

  it("two ledgers of one process write separate chains", async () => {
    const place = await postgresPlace(database());
    const ledgers = [place.open(), place.open()];
    for (let n = 0; n < 5; n += 1)
      await Promise.all(ledgers.map((ledger, at) => recordWrite(ledger, { id: `${at}-${n}` })));
    const { problems, records, writers } = await place.open().verify();
    const each = writers.map((writer) => writer.records);
    expect({ problems, records, each }).toEqual({ problems: [], records: 20, each: [10, 10] });
  });

  it("rejects a record that the tables don't take, but not those beside it", async () => {
    const { ledger, place } = await openFaulty();
    await database().run(
      `ALTER TABLE ${place.table("records")} ADD CHECK (line NOT LIKE '%no such order%')`,
    );
    const parameters = { reason: "no such order" };
    const bad = Promise.resolve(ledger.append(entryOf(beginRecord({ id: "bad", parameters }))));
    const results = await Promise.allSettled([begin(ledger, "a"), bad, begin(ledger, "b")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const [reason] = results.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(String(reason)).toContain("SQLSTATE 23514");
    expect(String(reason)).not.toContain("no such order");
    expect((await ledger.verify()).problems).toEqual([]);
  });

  it("leaves the application's pool open when the ledger is closed", async () => {
    const { ledger, pool } = await openFaulty();
    await recordWrite(ledger);
    await ledger.close();
    const client = await pool.connect();
    expect(await client.query("SELECT 'open' AS text")).toMatchObject({ rows: [{ text: "open" }] });
    client.release();
  });

  it("calls a function that returns the URL once", async () => {
    const place = await postgresPlace(database());
    const connectionString = vi.fn(() => Promise.resolve(database().url));
    const ledger = createPostgresLedger({ connectionString, schema: place.schema });
    expect(connectionString).not.toHaveBeenCalled();
    await recordWrite(ledger);
    await ledger.close();
    expect(connectionString).toHaveBeenCalledTimes(1);
  });
});

describe("an error of the server in its own language", () => {
  const german = (code: string, message: string) =>
    Object.assign(new Error(message), { code, severity: "FEHLER" });

  it.each([
    ["42P01", "Relation »records« existiert nicht", "a table is missing (SQLSTATE 42P01)"],
    ["53100", "konnte Datei nicht erweitern", "the server's disk is full (SQLSTATE 53100)"],
    ["28P01", "Passwort-Authentifizierung fehlgeschlagen", "the password is wrong"],
    ["42501", "keine Berechtigung für Tabelle", "the role lacks a permission (SQLSTATE 42501)"],
    ["99999", "unbekannt", "SQLSTATE 99999"],
  ])(
    "a server error in another language is reported by its code %s",
    async (code, message, told) => {
      const pool = scriptedPool({ "": german(code, message) });
      const ledger = createPostgresLedger({ pool });
      const appended = Promise.resolve(begin(ledger, "a"));
      await expect(appended).rejects.toThrow(told);
      await expect(appended).rejects.not.toThrow(message);
      await ledger.close();
    },
  );
});
