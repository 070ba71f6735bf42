import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { entryOf } from "../../../src/runtime/ledger/store.js";

import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
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

describe("queryLedger", () => {
  it("returns nothing if there is no ledger", async () => {
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
});
