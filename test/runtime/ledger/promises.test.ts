/** Tests that every ledger passes, whatever stores it. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reportLedger } from "../../../src/cli/ledger/report/report.js";
import {
  ledgerList,
  ledgerPrune,
  ledgerShow,
  ledgerVerify,
} from "../../../src/cli/ledger/commands.js";
import { ledgerSettle } from "../../../src/cli/ledger/settle.js";
import type { EndRecord } from "../../../src/runtime/ledger/record.js";
import { settleCall } from "../../../src/runtime/ledger/settle.js";
import { entryOf, type LedgerStore, RecordTooLong } from "../../../src/runtime/ledger/store.js";
import type { LedgerQuery } from "../../../src/runtime/runtime.js";
import { noRuns } from "../../cli/support/no-runs.js";
import { runs } from "../../support/runs.js";
import { beginRecord, endRecord } from "./fixtures.js";
import { callsOf, describeEachLedger, recordWrite, type TestPlace } from "./kinds.js";

const at = (minute: number, second = 0) =>
  new Date(Date.UTC(2026, 6, 25, 10, minute, second)).toISOString();
const timeout = { code: "PROVIDER.TIMEOUT", message: "no answer in 5000 ms" } as const;

/** Three writers whose calls lie between one another, read and written, 60 in all, one a minute. */
async function threeWriters(place: TestPlace): Promise<LedgerStore> {
  const ledgers = [0, 1, 2].map(() => place.open());
  for (let minute = 0; minute < 60; minute += 1) {
    const ledger = ledgers[minute % 3];
    const changes: Partial<EndRecord> = {
      id: `call-${minute}`,
      time: at(minute),
      skill: minute % 2 ? "order-desk" : "stock",
      tool: minute % 5 ? "create" : "cancel",
      mode: minute % 7 ? "active" : "shadow",
      status: minute % 4 ? "success" : "conflict",
      ...(minute % 10 === 3 && { trace: "00-träce", step: "first" }),
      ...(minute % 20 === 3 && { parent: "call-1" }),
      caller: { tenant: minute % 3 ? "acme" : "globex", subject: `s-${minute % 4}` },
    };
    if (ledger && minute % 6) await recordWrite(ledger, changes);
    else void ledger?.append(entryOf(endRecord({ ...changes, effect: "read" })));
  }
  for (const ledger of ledgers) await ledger.close();
  return place.open();
}

const minutes = (calls: readonly { readonly id: string }[]) =>
  calls.map((call) => Number(call.id.slice(5)));
const all = Array.from({ length: 60 }, (_, n) => 59 - n);

async function settle(ledger: LedgerStore, id: string, as: "done" | "not-done", because = "seen") {
  const [call] = await callsOf(ledger, { id });
  if (call === undefined || call.outcome === "ended") throw new Error(`${id} is not unknown`);
  return settleCall(ledger, call, { as, because });
}

/** A write that ended, one without an end, one that failed when it had left. */
async function openCalls(ledger: LedgerStore): Promise<void> {
  await recordWrite(ledger, { id: "fine", time: at(0, 1) });
  await ledger.append(entryOf(beginRecord({ id: "cut-off", time: at(0, 2) })));
  const lost = { time: at(0, 3), status: "unknown", result: null, error: timeout };
  await recordWrite(ledger, { id: "lost", ...lost });
}

const kindsIn = async (ledger: LedgerStore) =>
  (await ledger.verify()).problems.map(({ kind }) => kind);

await describeEachLedger((ledgers) => {
  describe("reading", () => {
    it("merges begin and end, and sorts all writers by time, newest first", async () => {
      const calls = await callsOf(await threeWriters(await ledgers.place()));
      expect(minutes(calls)).toEqual(all);
      const ended = { outcome: "ended", status: "success", attempts: 1, durationMs: 12.5 };
      expect(calls[0]).toMatchObject(ended);
      expect(Object.keys(calls[0] ?? {})).not.toEqual(expect.arrayContaining(["hash"]));
    });

    it("filters calls", async () => {
      const ledger = await threeWriters(await ledgers.place());
      const want = async (query: LedgerQuery, keep: (minute: number) => boolean) => {
        const found = minutes(await callsOf(ledger, query));
        expect({ query, found }).toEqual({ query, found: all.filter(keep) });
      };
      await want({ skill: "stock" }, (n) => n % 2 === 0);
      await want({ tool: "cancel" }, (n) => n % 5 === 0);
      await want({ tool: "stock/cancel" }, (n) => n % 10 === 0);
      await want({ tool: "stock/cancel", skill: "order-desk" }, () => false);
      await want({ mode: "shadow" }, (n) => n % 7 === 0);
      await want({ status: "conflict" }, (n) => n % 4 === 0);
      await want({ since: at(20), until: new Date(at(40)) }, (n) => n >= 20 && n < 40);
      await want({ since: at(55), tool: "create" }, (n) => n >= 55 && n % 5 !== 0);
      await want({ tenant: "globex" }, (n) => n % 3 === 0);
      await want({ tenant: "acme", subject: "s-1" }, (n) => n % 3 !== 0 && n % 4 === 1);
      await want({ trace: "00-träce" }, (n) => n % 10 === 3);
      await want({ trace: "00-tr" }, () => false);
      await want({ parent: "call-1" }, (n) => n % 20 === 3);
      await want({ parent: "call-1", trace: "00-träce", tool: "cancel" }, () => false);
      await want({ trace: "\0" }, () => false);
      await want({ id: "call-5" }, (n) => n === 5 || n >= 50);
      await want({ id: "call%" }, () => false);
      await want({ id: "\0" }, () => false);
      await want({ until: "+275760-09-13T00:00:00.000Z" }, () => true);
      await want({ since: "-271821-04-20T00:00:00.000Z" }, () => true);
      await want({ since: "+275760-09-13T00:00:00.000Z" }, () => false);
      await want({ limit: 7 }, (n) => n >= 53);
      await want({ limit: 0 }, () => false);
    });

    it("finds the calls of a trace or a parent with long or strange texts", async () => {
      const ledger = (await ledgers.place()).open();
      const long = "t".repeat(300);
      const texts = [`${long}1`, `${long}2`, 'a "b" \\ \0 \u2028 🦉', "\uD800", ""];
      for (const [n, text] of texts.entries())
        await recordWrite(ledger, { id: `call-${n}`, trace: text, parent: text });
      for (const [n, text] of texts.entries()) {
        expect(minutes(await callsOf(ledger, { trace: text }))).toEqual([n]);
        expect(minutes(await callsOf(ledger, { parent: text }))).toEqual([n]);
      }
      const [call] = await callsOf(ledger, { id: "call-0" });
      expect(call).toMatchObject({ trace: `${long}1`, parent: `${long}1` });
      expect(await kindsIn(ledger)).toEqual([]);
    });

    it("finds a begun write by its trace, without an end and after it is settled", async () => {
      const ledger = (await ledgers.place()).open();
      await ledger.append(entryOf(beginRecord({ id: "open", trace: "t-1", parent: "p-1" })));
      await recordWrite(ledger, { id: "other" });
      const found = async () => (await callsOf(ledger, { trace: "t-1", parent: "p-1" }))[0];
      expect(await found()).toMatchObject({ id: "open", outcome: "unknown" });
      await settle(ledger, "open", "done");
      expect(await found()).toMatchObject({ id: "open", outcome: "settled" });
    });

    it("goes on after a cursor, whatever was added meanwhile", async () => {
      const place = await ledgers.place();
      const ledger = await threeWriters(place);
      const seen: number[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await callsOf(ledger, {
          limit: 7,
          skill: "stock",
          ...(cursor !== undefined && { cursor }),
        });
        if (page.length === 0) break;
        seen.push(...minutes(page));
        cursor = page.at(-1)?.cursor;
        const other = place.open();
        await recordWrite(other, { id: "call-99", skill: "stock", time: at(70) });
        await other.close();
      }
      expect(seen).toEqual(all.filter((n) => n % 2 === 0));
    });

    it("shows a begun write without an end as unknown, and finds it by that status", async () => {
      const ledger = (await ledgers.place()).open();
      await ledger.append(entryOf(beginRecord({ id: "open" })));
      await Promise.all(Array.from({ length: 100 }, () => recordWrite(ledger)));
      const [call, ...rest] = await callsOf(ledger, { status: "unknown" });
      expect(rest).toEqual([]);
      const parameters = { customer_id: "c-1" };
      expect(call).toMatchObject({ id: "open", outcome: "unknown", parameters });
      expect(call).not.toHaveProperty("status");
      expect(await callsOf(ledger)).toHaveLength(101);
    });

    it("shows a write as unknown if it failed after it may have been sent, with its end", async () => {
      const ledger = (await ledgers.place()).open();
      const [result, error] = [null, timeout];
      await recordWrite(ledger, { id: "lost", status: "unknown", result, error, attempts: 2 });
      await recordWrite(ledger, { id: "refused", status: "failed", result, error });
      // An answer that a service calls so is one.
      await recordWrite(ledger, { id: "answered", status: "unknown", result: "{}" });
      await ledger.append(entryOf(beginRecord({ id: "open" })));
      expect(await callsOf(ledger, { status: "unknown" })).toMatchObject([
        { id: "open", outcome: "unknown" },
        { id: "answered", outcome: "ended", status: "unknown" },
        { id: "lost", outcome: "unknown", error, attempts: 2, durationMs: 12.5 },
      ]);
      expect(await callsOf(ledger, { status: "failed" })).toMatchObject([{ id: "refused" }]);
    });

    it("lists a write once after its target has accepted it, and verifies it as one", async () => {
      const place = await ledgers.place();
      const ledger = place.open();
      const accepted = { at: "/operations/7", polls: 0 };
      const begin = (id: string, minute: number) =>
        ledger.append(entryOf(beginRecord({ id, time: at(minute) })));
      const accept = (id: string, minute: number) =>
        ledger.append(entryOf(beginRecord({ id, time: at(minute), accepted })));
      await begin("over", 1);
      await Promise.all([begin("open", 2), accept("open", 3)]);
      await accept("over", 4);
      await accept("over", 5);
      await ledger.append(entryOf(endRecord({ id: "over", time: at(6), accepted })));
      await begin("lost", 7);
      await accept("lost", 8);
      const lost = { status: "unknown", result: null, error: timeout, accepted };
      await ledger.append(entryOf(endRecord({ id: "lost", time: at(9), ...lost })));
      const told = [
        { id: "lost", outcome: "unknown", error: timeout, accepted },
        { id: "over", outcome: "ended", accepted },
        { id: "open", outcome: "unknown", accepted },
      ];
      expect(await callsOf(ledger)).toMatchObject(told);
      expect(await callsOf(ledger, { status: "unknown" })).toMatchObject([told[0], told[2]]);
      const [{ cursor } = { cursor: "" }] = await callsOf(ledger, { limit: 1 });
      expect(await callsOf(ledger, { cursor })).toMatchObject(told.slice(1));
      expect(await callsOf(ledger, { until: at(3) })).toEqual([]);
      const found = await ledger.verify();
      expect(found).toMatchObject({ problems: [], records: 9 });
      expect(found.unknownOutcomes.map(({ id }) => id).toSorted()).toEqual(["lost", "open"]);
    });

    it("does not show a call as unknown if its end is newer than the query's range", async () => {
      const ledger = (await ledgers.place()).open();
      await ledger.append(entryOf(beginRecord({ id: "long", time: at(1) })));
      await ledger.append(entryOf(endRecord({ id: "long", time: at(3) })));
      expect(await callsOf(ledger, { until: at(2) })).toEqual([]);
      expect(await callsOf(ledger, { status: "unknown" })).toEqual([]);
    });

    it("returns long texts of any characters unchanged", async () => {
      const ledger = (await ledgers.place()).open();
      const texts = [
        ...[1, 2, 3].map((n) => `${"x".repeat(n)}${"🦉é".repeat(60_000 * n)}`),
        `\0 \\u0000 " ' {} , \uD800 \u2028`,
      ];
      for (const text of texts) await recordWrite(ledger, { parameters: { text } });
      const calls = await callsOf(ledger);
      const expected = texts.map((text) => ({ text }));
      expect(calls.map((call) => call.parameters)).toEqual(expected.toReversed());
      expect(await kindsIn(ledger)).toEqual([]);
    });

    it("keeps its order if the clock goes back", async () => {
      const ledger = (await ledgers.place()).open();
      for (const [index, minute] of [10, 11, 5, 6, 12].entries())
        await recordWrite(ledger, { id: `call-${index}`, time: at(minute) });
      const pages: number[] = [];
      for (let page = await callsOf(ledger, { limit: 1 }); page[0];) {
        pages.push(...minutes(page));
        page = await callsOf(ledger, { limit: 1, cursor: page[0].cursor });
      }
      expect(pages).toEqual([4, 3, 2, 1, 0]);
      const early = await callsOf(ledger, { since: at(5), until: at(7) });
      expect(minutes(early)).toEqual([3, 2]);
      expect(await kindsIn(ledger)).toEqual([]);
    });

    it("rejects an invalid cursor, time or limit", async () => {
      const ledger = (await ledgers.place()).open();
      await expect(callsOf(ledger, { cursor: "../../etc" })).rejects.toThrow(RangeError);
      const since = callsOf(ledger, { since: "yesterday-ish" });
      await expect(since).rejects.toThrow(/`since` is not a time/);
      await expect(callsOf(ledger, { limit: -1 })).rejects.toThrow(RangeError);
    });
  });

  describe("a settled call", () => {
    it("a settled call is shown as settled, while an application has the ledger open", async () => {
      const place = await ledgers.place();
      const [ledger, settling] = [place.open(), place.open()];
      await openCalls(ledger);
      const before = await place.lines();
      await settle(settling, "cut-off", "done", "the shop lists it");
      await settle(settling, "lost", "not-done");
      expect(await place.lines()).toEqual(before);
      await recordWrite(ledger, { id: "later", time: at(0, 4) });
      expect((await callsOf(ledger)).map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
        "later ended",
        "lost settled",
        "cut-off settled",
        "fine ended",
      ]);
      const [call] = await callsOf(ledger, { id: "cut" });
      const settlement = { as: "done", because: "the shop lists it", time: expect.any(String) };
      expect(call).toMatchObject({ outcome: "settled", settlement });
      expect(await ledger.verify()).toMatchObject({
        problems: [],
        records: 9,
        unknownOutcomes: [],
        settledOutcomes: [
          { id: "cut-off", error: null, settlement: { as: "done" } },
          { id: "lost", error: "PROVIDER.TIMEOUT", settlement: { as: "not-done" } },
        ],
      });
    });

    it("a settled call is found by its new status, and no longer among the unknown", async () => {
      const ledger = (await ledgers.place()).open();
      await openCalls(ledger);
      await settle(ledger, "cut-off", "done");
      const ids = async (status: string) =>
        (await callsOf(ledger, { status, tool: "order-desk/create-order" })).map(({ id }) => id);
      expect(await ids("unknown")).toEqual(["lost"]);
      expect(await ids("settled-done")).toEqual(["cut-off"]);
      expect(await ids("settled-not-done")).toEqual([]);
      const [report] = await reportLedger(await callsOf(ledger));
      const statuses = report?.active.statuses.map(({ value }) => value);
      expect(statuses).toEqual(["settled-done", "success", "unknown"]);
    });

    it("stays settled if a query begins at an older call or leaves out newer ones", async () => {
      const ledger = (await ledgers.place()).open();
      await openCalls(ledger);
      await settle(ledger, "cut-off", "done");
      const [lost] = await callsOf(ledger, { limit: 1 });
      const rest = { cursor: lost?.cursor ?? "", until: at(0, 3), limit: 1 };
      expect(await callsOf(ledger, rest)).toMatchObject([{ id: "cut-off", outcome: "settled" }]);
    });

    it("can be settled again by a later record, and both stay in the ledger", async () => {
      const ledger = (await ledgers.place()).open();
      await openCalls(ledger);
      await settle(ledger, "lost", "done", "a guess");
      const again = await settle(ledger, "lost", "not-done", "asked the shop");
      expect(again).toMatchObject({ as: "not-done", correction: true });
      const settlement = { as: "not-done", because: "asked the shop", correction: true };
      expect(await callsOf(ledger, { id: "lost" })).toMatchObject([{ settlement }]);
      expect(await ledger.verify()).toMatchObject({
        problems: [],
        records: 7,
        settledOutcomes: [{ settlement: { because: "asked the shop" } }],
      });
    });

    it("a settled call has a settlement that is later than its call, even if the call's clock was ahead", async () => {
      const place = await ledgers.place();
      const time = "2126-01-01T00:00:00.000Z";
      await place.open().append(entryOf(beginRecord({ id: "ahead", time })));
      await settle(place.open(), "ahead", "done");
      await settle(place.open(), "ahead", "not-done");
      const ledger = place.open();
      const settlement = { as: "not-done", time: "2126-01-01T00:00:00.002Z" };
      expect(await callsOf(ledger)).toMatchObject([{ id: "ahead", settlement }]);
      expect(await kindsIn(ledger)).toEqual([]);
    });

    it("can be settled even if no later time can be written", async () => {
      const ledger = (await ledgers.place()).open();
      const time = "+275760-09-13T00:00:00.000Z";
      await ledger.append(entryOf(beginRecord({ id: "last", time })));
      expect(await settle(ledger, "last", "done")).toMatchObject({ time });
      expect(await callsOf(ledger)).toMatchObject([{ outcome: "settled" }]);
      expect(await kindsIn(ledger)).toEqual([]);
    });

    it("shows its own end if that comes after the settlement", async () => {
      const ledger = (await ledgers.place()).open();
      await openCalls(ledger);
      await settle(ledger, "cut-off", "not-done");
      await ledger.append(entryOf(endRecord({ id: "cut-off" })));
      const ended = { outcome: "ended", status: "success" };
      expect(await callsOf(ledger, { id: "cut-off" })).toMatchObject([ended]);
      expect((await ledger.verify()).settledOutcomes).toEqual([]);
    });

    it("shows if its settlement is changed or invalid", async () => {
      const place = await ledgers.place();
      const ledger = place.open();
      await ledger.append(entryOf(beginRecord({ id: "open" })));
      await settle(ledger, "open", "done");
      const line = (await place.lines())[2] ?? "";
      await place.change(2, line.replace('"as":"done"', '"as":"not-done"'));
      expect((await ledger.verify()).problems).toMatchObject([{ kind: "changed-line", line: 3 }]);
      for (const [from, to] of [
        ['"as":"done"', '"as":"maybe"'],
        ['"because":"seen"', '"because":1'],
      ] as const) {
        await place.change(2, line.replace(from, to));
        expect((await ledger.verify()).problems[0]).toMatchObject({ kind: "unreadable-line" });
        expect(await callsOf(ledger)).toMatchObject([{ outcome: "unknown" }]);
      }
    });
  });

  describe("tampering", () => {
    async function written(calls: number) {
      const place = await ledgers.place();
      const ledger = place.open();
      for (let n = 0; n < calls; n += 1) await recordWrite(ledger, { id: `call-${n}` });
      await ledger.close();
      return { place, ledger: place.open() };
    }

    it("tampering is found if any character is changed", async () => {
      const { ledger, place } = await written(3);
      const before = await place.lines();
      await fc.assert(
        fc.asyncProperty(
          fc.nat(),
          fc.nat(),
          fc.integer({ min: 32, max: 126 }),
          async (...numbers) => {
            const [which, where, code] = numbers;
            const seq = which % before.length;
            const line = before[seq] ?? "";
            const column = where % line.length;
            const changed = `${line.slice(0, column)}${String.fromCharCode(code)}${line.slice(column + 1)}`;
            if (changed === line) return;
            await place.change(seq, changed);
            expect(await kindsIn(ledger)).not.toEqual([]);
            await place.change(seq, line);
          },
        ),
        { numRuns: runs(60) },
      );
      expect(await kindsIn(ledger)).toEqual([]);
    });

    it("tampering is found if a line is removed, doubled, moved or inserted", async () => {
      const foreign = (await (await written(2)).place.lines())[2] ?? "";
      const seqs = fc.tuple(fc.nat(10), fc.nat(10)).filter(([a, b]) => a !== b);
      await fc.assert(
        fc.asyncProperty(seqs, fc.nat(4), async ([a, b], how) => {
          const { ledger, place } = await written(5);
          const line = (await place.lines())[b] ?? "";
          if (how === 0) await place.remove(a);
          if (how === 1) await place.insert(a, line);
          if (how === 2) await place.swap(a, b);
          if (how === 3) await place.insert(a, foreign);
          if (how === 4) await place.change(a, foreign);
          expect(await kindsIn(ledger)).not.toEqual([]);
        }),
        { numRuns: runs(15) },
      );
    });

    it("tampering is reported as one problem at its line", async () => {
      const { ledger, place } = await written(5);
      const line = (await place.lines())[4] ?? "";
      await place.change(4, line.replace('"c-1"', '"c-2"'));
      const message = "record 4 was changed";
      const changed = { file: expect.any(String), line: 5, kind: "changed-line", message };
      expect((await ledger.verify()).problems).toEqual([changed]);
      await place.change(4, "{}");
      expect((await ledger.verify()).problems).toMatchObject([
        { line: 5, kind: "unreadable-line", message: "is not a record" },
      ]);
      await place.remove(4);
      expect((await ledger.verify()).problems).toMatchObject([
        { kind: "broken-chain", message: "record 5 is in the place of record 4" },
      ]);
    });

    it("tampering is found if the end of a chain is cut off that a later writer saw", async () => {
      const place = await ledgers.place();
      const killed = place.open();
      await recordWrite(killed);
      const other = place.open();
      await recordWrite(other);
      expect(await kindsIn(other)).toEqual([]);
      await place.remove(2);
      expect(new Set(await kindsIn(other))).toEqual(new Set(["missing-lines"]));
    });
  });

  describe("verifying", () => {
    it("lists writes with unknown outcome and where their writer is", async () => {
      const place = await ledgers.place();
      const ledger = place.open();
      await ledger.append(entryOf(beginRecord({ id: "open" })));
      await recordWrite(ledger);
      void ledger.append(entryOf(endRecord({ id: "a read", effect: "read" })));
      await ledger.append(entryOf(endRecord({ id: "never sent", attempts: 0 })));
      const lost = { id: "lost", status: "unknown", result: null, error: timeout };
      await recordWrite(ledger, lost);
      const reader = place.open();
      expect((await ledger.verify()).unknownOutcomes).toMatchObject([
        { id: "open", tool: "create-order", line: 2, error: null, writer: "running" },
        { id: "lost", error: "PROVIDER.TIMEOUT", writer: "running" },
      ]);
      await ledger.close();
      const { records, unknownOutcomes, writers } = await reader.verify();
      expect(unknownOutcomes.map(({ writer }) => writer)).toEqual(["closed", "closed"]);
      expect({ records, writers }).toMatchObject({ records: 7, writers: [{ records: 7 }] });
    });

    it("finds nothing in a ledger without records", async () => {
      const ledger = (await ledgers.place()).open();
      expect(await ledger.verify()).toMatchObject({ records: 0, problems: [], writers: [] });
      expect(await callsOf(ledger)).toEqual([]);
    });
  });

  describe("pruning", () => {
    /** Two writers that are done, of which the second is younger. */
    async function oldAndYoung() {
      const place = await ledgers.place();
      for (const [day, id] of [
        [1, "old"],
        [20, "young"],
      ] as const) {
        const ledger = place.open();
        for (let n = 0; n < 3; n += 1)
          await recordWrite(ledger, {
            id: `${id}-${n}`,
            time: new Date(Date.UTC(2020, 0, day + n)).toISOString(),
          });
        await ledger.close();
      }
      return place;
    }
    const future = "2999-01-01";

    it("removes the old records, and verify reports how many are gone", async () => {
      const ledger = (await oldAndYoung()).open();
      const found = await ledger.prune?.({ before: future });
      expect(found).toMatchObject({ removed: true, records: 12, problems: 0 });
      expect(await callsOf(ledger)).toEqual([]);
      expect(await ledger.verify()).toMatchObject({
        records: 0,
        problems: [],
        prunings: [{ before: new Date(future).toISOString(), records: 12 }],
      });
    });

    it("leaves a ledger that goes on and can be pruned again", async () => {
      const place = await oldAndYoung();
      const ledger = place.open();
      await ledger.prune?.({ before: future });
      await recordWrite(ledger, { id: "next" });
      await ledger.close();
      const again = place.open();
      expect(await kindsIn(again)).toEqual([]);
      expect(await again.prune?.({ before: future })).toMatchObject({ removed: true, records: 2 });
      expect(await again.verify()).toMatchObject({
        problems: [],
        records: 0,
        prunings: [{ records: 12 }, { records: 2 }],
      });
    });

    it("reports what it would do in a dry run, and changes nothing", async () => {
      const ledger = (await oldAndYoung()).open();
      const found = await ledger.prune?.({ before: future, dryRun: true });
      expect(found).toMatchObject({ removed: false, records: 12 });
      expect(await callsOf(ledger)).toHaveLength(6);
    });

    it("keeps writes of unknown outcome until they are settled, unless an option allows it", async () => {
      const place = await ledgers.place();
      const writer = place.open();
      await writer.append(entryOf(beginRecord({ id: "open", time: "2020-01-01T00:00:00Z" })));
      await writer.close();
      const ledger = place.open();
      const refused = await ledger.prune?.({ before: future });
      expect(refused).toMatchObject({ removed: false, unknownOutcomes: [{ id: "open" }] });
      const forced = { before: future, includeUnknown: true, dryRun: true };
      expect(await ledger.prune?.(forced)).toMatchObject({ records: 1, removed: false });
      await settle(ledger, "open", "done");
      await ledger.close();
      const pruning = place.open();
      const done = await pruning.prune?.({ before: future });
      expect(done).toMatchObject({ removed: true, unknownOutcomes: [] });
      expect(await pruning.verify()).toMatchObject({ problems: [], unknownOutcomes: [] });
    });

    it("refuses a ledger with problems", async () => {
      const place = await oldAndYoung();
      await place.change(2, ((await place.lines())[2] ?? "").replace("c-1", "c-2"));
      const found = await place.open().prune?.({ before: future });
      expect(found).toMatchObject({ removed: false, problems: 1 });
      expect(await callsOf(place.open())).toHaveLength(6);
    });

    it("rejects an invalid time", async () => {
      const ledger = (await ledgers.place()).open();
      await expect(ledger.prune?.({ before: "soon" })).rejects.toThrow(RangeError);
    });
  });

  describe("a whole result", () => {
    const json = JSON.stringify({ status: "success", data: Array.from({ length: 200 }, String) });

    it("a whole result is kept once with the record that names it, and deleted when that is pruned", async () => {
      const place = await ledgers.place();
      const ledger = place.open({ attachments: { results: {} } });
      for (const id of ["one", "two"]) {
        await ledger.append(entryOf(beginRecord({ id })));
        const attachment = ledger.attachments?.keep(json);
        await ledger.append(entryOf(endRecord({ id, ...(attachment && { attachment }) })));
      }
      await ledger.close();
      const reader = place.open();
      const attachments = { intact: 2, expired: 0, pruned: 0 };
      expect(await reader.verify()).toMatchObject({ problems: [], attachments });
      const [call] = await callsOf(reader);
      const attachment = call?.outcome === "ended" ? call.attachment : undefined;
      if (attachment === undefined || !("sha256" in attachment)) throw new Error("none is kept");
      expect(await reader.attachments?.read(attachment)).toBe(json);
      const sha256 = "0".repeat(64);
      expect(await reader.attachments?.read({ ...attachment, sha256 })).toBeUndefined();
      const folder = "../../etc";
      expect(await reader.attachments?.read({ ...attachment, folder })).toBeUndefined();
      await reader.prune?.({ before: "2999-01-01" });
      expect(await reader.attachments?.read(attachment)).toBeUndefined();
      expect(await kindsIn(reader)).toEqual([]);
    });

    it("a whole result is reported as missing if a record names it and nobody kept it", async () => {
      const ledger = (await ledgers.place()).open();
      const attachment = { sha256: "a".repeat(64), bytes: 3, folder: "2026-07-25" };
      await recordWrite(ledger, { attachment });
      expect(await kindsIn(ledger)).toEqual(["missing-attachment"]);
    });
  });

  describe("appending", () => {
    it("accepts records of one turn of the event loop, and each call gets its own outcome", async () => {
      const place = await ledgers.place();
      const ledger = place.open();
      const ids = Array.from({ length: 64 }, (_, n) => `call-${n}`);
      await Promise.all(ids.map((id) => ledger.append(entryOf(beginRecord({ id })))));
      const other = place.open();
      expect(await callsOf(other, { status: "unknown" })).toHaveLength(64);
      await Promise.all(ids.map((id) => ledger.append(entryOf(endRecord({ id })))));
      const found = await other.verify();
      expect(found).toMatchObject({ records: 128, problems: [], unknownOutcomes: [] });
    });

    it("rejects the record of a write that is too long, and leaves out that of a read", async () => {
      const ledger = (await ledgers.place()).open();
      const result = "x".repeat(16_777_216);
      const write = () => ledger.append(entryOf(endRecord({ id: "long", result })));
      expect(write).toThrow(RecordTooLong);
      await recordWrite(ledger, { id: "short" });
      void ledger.append(entryOf(endRecord({ effect: "read", result })));
      await recordWrite(ledger, { id: "next" });
      expect((await callsOf(ledger)).map(({ id }) => id)).toEqual(["next", "short"]);
    });

    it("accepts nothing after the ledger is closed", async () => {
      const ledger = (await ledgers.place()).open();
      await recordWrite(ledger);
      await ledger.close();
      await ledger.close();
      expect(() => ledger.append(entryOf(beginRecord()))).toThrow(/it is closed/);
    });
  });

  describe("skillc ledger", () => {
    const options = { where: "there", color: false, width: 100, json: false };

    it("lists, shows, settles, verifies and prunes the ledger", async () => {
      const place = await ledgers.place();
      const writer = place.open();
      await openCalls(writer);
      await writer.close();
      const store = place.open();
      const on = { ...options, store };
      const unknown = { outcome: "unknown" };
      expect(await ledgerList({ ...on, json: true, status: "unknown" })).toMatchObject({
        json: {
          calls: [
            { id: "lost", ...unknown },
            { id: "cut-off", ...unknown },
          ],
          cursor: null,
        },
      });
      const how = { as: "done", because: "the shop lists it", correct: false } as const;
      for (const id of ["cut-off", "lost"])
        expect(await ledgerSettle({ ...on, ...how, ...noRuns, id })).toMatchObject({ exitCode: 0 });
      expect(await ledgerShow({ ...on, id: "cut" })).toMatchObject({
        text: expect.stringMatching(/recorded +[\w.-]+, record 3$/m),
      });
      await store.close();
      const pruning = { ...options, store: place.open() };
      const when = { before: "2999-01-01", dryRun: false, includeUnknown: false };
      expect(await ledgerPrune({ ...pruning, ...when, directory: "nowhere" })).toMatchObject({
        exitCode: 0,
        text: expect.stringMatching(/^removed 7 records (?:in|of) \d+ \w+ from before /m),
      });
      expect(await ledgerVerify(pruning)).toMatchObject({
        exitCode: 0,
        text: expect.stringMatching(
          /^ok: every chain holds \(0 records in \d+ \w+ of \d writers?\)$/m,
        ),
      });
    });
  });
});
