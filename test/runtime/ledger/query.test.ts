import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { entryOf } from "../../../src/runtime/ledger/store.js";

import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import type { LedgerQuery } from "../../../src/runtime/runtime.js";
import { verifyLedger } from "../../../src/runtime/runtime.js";
import type { EndRecord } from "../../../src/runtime/ledger/record.js";
import { appendWrite, beginRecord, callsIn, endRecord, temporaryDirectory } from "./fixtures.js";

const at = (minute: number) => new Date(Date.UTC(2026, 6, 25, 10, minute)).toISOString();

/** Three writers whose calls lie between one another, read and written, 60 in all, one a minute. */
async function threeWriters(): Promise<string> {
  const directory = temporaryDirectory();
  const ledgers = [0, 1, 2].map(() => createFileLedger({ directory, maxFileBytes: 6000 }));
  for (let minute = 0; minute < 60; minute++) {
    const ledger = ledgers[minute % 3];
    const changes: Partial<EndRecord> = {
      id: `call-${minute}`,
      time: at(minute),
      skill: minute % 2 ? "order-desk" : "stock",
      tool: minute % 5 ? "create" : "cancel",
      mode: minute % 7 ? "active" : "shadow",
      status: minute % 4 ? "success" : "conflict",
    };
    if (ledger && minute % 6) appendWrite(ledger, changes);
    else ledger?.append(entryOf(endRecord({ ...changes, effect: "read" })));
  }
  for (const ledger of ledgers) await ledger.close();
  return directory;
}

const minutes = (calls: readonly { readonly id: string }[]) =>
  calls.map((call) => Number(call.id.slice(5)));
const all = Array.from({ length: 60 }, (_, n) => 59 - n);

describe("queryLedger", () => {
  it("gives nothing where there is no ledger", async () => {
    expect(await callsIn("/nowhere/at/all")).toEqual([]);
  });

  it("passes over folders and pipes that are named like ledger files, and waits for nothing", async () => {
    const directory = await threeWriters();
    const name = (letter: string) => `20260725T101112123Z-4242-${letter.repeat(12)}-0001.jsonl`;
    execFileSync("mkfifo", [join(directory, name("a"))]);
    symlinkSync("/dev/zero", join(directory, name("b")));
    mkdirSync(join(directory, name("c")));
    expect(await callsIn(directory)).toHaveLength(60);
    const { problems } = await verifyLedger({ directory });
    expect(problems.map(({ file, kind }) => [file, kind])).toEqual(
      ["a", "b", "c"].map((letter) => [name(letter), "unreadable-file"]),
    );
  });

  it("merges begin and end, and all writers by time, newest first", async () => {
    const calls = await callsIn(await threeWriters());
    expect(minutes(calls)).toEqual(all);
    expect(calls[0]).toMatchObject({
      outcome: "ended",
      status: "success",
      attempts: 1,
      durationMs: 12.5,
    });
    expect(Object.keys(calls[0] ?? {})).not.toEqual(expect.arrayContaining(["hash"]));
  });

  it("filters", async () => {
    const directory = await threeWriters();
    const want = async (query: LedgerQuery, keep: (minute: number) => boolean) => {
      const found = minutes(await callsIn(directory, query));
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
    await want({ id: "call-5" }, (n) => n === 5 || n >= 50);
    await want({ limit: 7 }, (n) => n >= 53);
    await want({ limit: 0 }, () => false);
  });

  it("goes on after a cursor, whatever was added meanwhile", async () => {
    const directory = await threeWriters();
    const seen: number[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await callsIn(directory, {
        limit: 7,
        skill: "stock",
        ...(cursor === undefined ? {} : { cursor }),
      });
      if (page.length === 0) break;
      seen.push(...minutes(page));
      cursor = page.at(-1)?.cursor;
      const ledger = createFileLedger({ directory });
      appendWrite(ledger, { id: "call-99", skill: "stock", time: at(70) });
      await ledger.close();
    }
    expect(seen).toEqual(all.filter((n) => n % 2 === 0));
  });

  it("gives a begun write without an end as unknown, and finds it by that", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    ledger.append(entryOf(beginRecord({ id: "open" })));
    for (let n = 0; n < 100; n++) appendWrite(ledger);
    await ledger.close();
    const [call, ...rest] = await callsIn(directory, { status: "unknown" });
    expect(rest).toEqual([]);
    expect(call).toMatchObject({
      id: "open",
      outcome: "unknown",
      parameters: { customer_id: "c-1" },
    });
    expect(call).not.toHaveProperty("status");
    expect(await callsIn(directory)).toHaveLength(101);
  });

  it("gives a write that failed after it may have left as unknown too, with its end", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    const error = { code: "PROVIDER.TIMEOUT", message: "no answer" } as const;
    appendWrite(ledger, { id: "lost", status: "unknown", result: null, error, attempts: 2 });
    appendWrite(ledger, { id: "refused", status: "failed", result: null, error });
    // An answer that a service calls so is one.
    appendWrite(ledger, { id: "answered", status: "unknown", result: "{}" });
    ledger.append(entryOf(beginRecord({ id: "open" })));
    await ledger.close();
    expect(await callsIn(directory, { status: "unknown" })).toMatchObject([
      { id: "open", outcome: "unknown" },
      { id: "answered", outcome: "ended", status: "unknown" },
      { id: "lost", outcome: "unknown", error, attempts: 2, durationMs: 12.5 },
    ]);
    expect(await callsIn(directory, { status: "failed" })).toMatchObject([{ id: "refused" }]);
  });

  it("finds the end of a write in a later file than its begin", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory, maxFileBytes: 3000 });
    ledger.append(entryOf(beginRecord({ id: "long" })));
    for (let n = 0; n < 20; n++) appendWrite(ledger);
    ledger.append(entryOf(endRecord({ id: "long" })));
    await ledger.close();
    expect(await callsIn(directory, { id: "long" })).toMatchObject([{ outcome: "ended" }]);
  });

  it("reads lines longer than its blocks, and characters across their borders", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    const texts = [1, 2, 3].map((n) => `${"x".repeat(n)}${"🦉é".repeat(60_000 * n)}`);
    for (const text of texts) appendWrite(ledger, { parameters: { text } });
    await ledger.close();
    const calls = await callsIn(directory);
    expect(calls.map((call) => call.parameters)).toEqual(
      texts.toReversed().map((text) => ({ text })),
    );
  });

  it("keeps its order when the clock goes back", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    for (const [index, minute] of [10, 11, 5, 6, 12].entries())
      appendWrite(ledger, { id: `call-${index}`, time: at(minute) });
    await ledger.close();
    const pages: number[] = [];
    for (let page = await callsIn(directory, { limit: 1 }); page[0];) {
      pages.push(...minutes(page));
      page = await callsIn(directory, { limit: 1, cursor: page[0].cursor });
    }
    expect(pages).toEqual([4, 3, 2, 1, 0]);
  });

  it("refuses what is no cursor, time or limit", async () => {
    await expect(callsIn("x", { cursor: "../../etc" })).rejects.toThrow(RangeError);
    await expect(callsIn("x", { since: "yesterday-ish" })).rejects.toThrow(/`since` is not a time/);
    await expect(callsIn("x", { limit: -1 })).rejects.toThrow(RangeError);
  });
});
