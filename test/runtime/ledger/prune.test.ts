import fs, { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ledgerPrune, ledgerVerify } from "../../../src/cli/ledger/commands.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { settleCall } from "../../../src/runtime/ledger/settle.js";
import { entryOf } from "../../../src/runtime/ledger/store.js";
import { verifyLedger } from "../../../src/runtime/runtime.js";
import {
  appendWrite,
  beginRecord,
  callsIn,
  fileIn,
  filesIn,
  linesIn,
  temporaryDirectory,
} from "./fixtures.js";

let now = 0;

beforeEach(() => {
  now = Date.UTC(2026, 6, 25);
  vi.useFakeTimers({ toFake: ["Date"], now });
});

afterEach(() => void vi.useRealTimers());

const tick = () => {
  now += 60_000;
  vi.setSystemTime(now);
};
const future = () => new Date(now + 60_000);

/** One writer of several files, and a younger one; `between` is a time between the second file and the third. */
async function twoWriters() {
  const directory = temporaryDirectory();
  const ledger = createFileLedger({ directory, maxFileBytes: 4000 });
  while (filesIn(directory).length < 3) appendWrite(ledger);
  ledger.flush();
  tick();
  const between = new Date(now);
  tick();
  for (let n = 0; n < 10; n += 1) appendWrite(ledger);
  await ledger.close();
  tick();
  const younger = createFileLedger({ directory });
  appendWrite(younger, { id: "young" });
  await younger.close();
  // What prunes names its own file by the time: two of one time stand in no order.
  tick();
  return { directory, between };
}

const prune = (directory: string, before: Date, options = {}) =>
  createFileLedger({ directory }).prune?.({ before, ...options });

describe("pruning", () => {
  it("removes the old files, and verify reports how much is gone", async () => {
    const { between, directory } = await twoWriters();
    const all = await callsIn(directory);
    const before = filesIn(directory);
    const found = await prune(directory, between);
    expect(found).toMatchObject({
      removed: true,
      files: before.slice(0, 2).map((file) => ({ file })),
    });
    expect(before.filter((name) => filesIn(directory).includes(name))).toEqual(before.slice(2));
    const { problems, prunings } = await verifyLedger({ directory });
    expect({ problems, prunings }).toMatchObject({
      problems: [],
      prunings: [{ before: between.toISOString(), files: 2, records: found?.records }],
    });
    const left = await callsIn(directory);
    expect(left.length).toBeLessThan(all.length);
    expect(all.slice(0, left.length)).toEqual(left);
  });

  it("remembers the first pruning after a second one", async () => {
    const { between, directory } = await twoWriters();
    await prune(directory, between);
    tick();
    await prune(directory, future());
    expect(await callsIn(directory)).toEqual([]);
    const { files, problems, prunings } = await verifyLedger({ directory });
    expect({ files, problems, prunings: prunings.length }).toEqual({
      files: 2,
      problems: [],
      prunings: 2,
    });
  });

  it("removes no file that a process still writes, nor one with a younger record", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    appendWrite(ledger, { time: "2001-01-01T00:00:00.000Z" });
    expect(await prune(directory, future())).toMatchObject({ files: [] });
    await ledger.close();
    expect(await prune(directory, new Date("2001-01-02"))).toMatchObject({ files: [] });
  });

  it("keeps a settlement as long as its call", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    const open = beginRecord({ id: "open" });
    ledger.append(entryOf(open));
    ledger.flush();
    const settling = createFileLedger({ directory });
    const [call] = await callsIn(directory);
    if (call?.outcome !== "unknown") throw new Error("not unknown");
    await settleCall(settling, call, { as: "done", because: "seen" });
    await settling.close();
    tick();
    expect(await prune(directory, future())).toMatchObject({ files: [] });
    expect(await callsIn(directory)).toMatchObject([{ outcome: "settled" }]);
    await ledger.close();
  });
});

describe("the record of a pruning", () => {
  it("doesn't excuse another file that is gone", async () => {
    const { between, directory } = await twoWriters();
    await prune(directory, between);
    const [, second = ""] = filesIn(directory);
    writeFileSync(join(directory, second), "");
    const { problems } = await verifyLedger({ directory });
    expect(problems.length).toBeGreaterThan(0);
  });

  it("doesn't excuse a chain that doesn't go on where the pruned files ended", async () => {
    const { between, directory } = await twoWriters();
    await prune(directory, between);
    const first = fileIn(directory);
    const [opening = "", ...rest] = linesIn(first);
    writeFileSync(first, [...rest, ""].join("\n"));
    expect(opening).toContain('"type":"open"');
    const { problems } = await verifyLedger({ directory });
    expect(problems.map(({ kind }) => kind)).toContain("broken-chain");
  });
});

describe("skillc ledger prune", () => {
  const style = { color: false, width: 100, json: false };

  it("reports what it removed, and verify reports it later", async () => {
    const { between, directory } = await twoWriters();
    const options = { ...style, store: createFileLedger({ directory }), where: directory };
    const how = { before: between.toISOString(), dryRun: false, includeUnknown: false };
    expect(await ledgerPrune({ ...options, ...how, directory })).toMatchObject({
      exitCode: 0,
      text: expect.stringMatching(/^removed \d+ records in 2 files from before /m),
    });
    expect(await ledgerVerify(options)).toMatchObject({
      exitCode: 0,
      text: expect.stringMatching(/^pruned {2}\d+ records in 2 files from before /m),
    });
  });

  it("removes old copies of files, also if all records stay", async () => {
    const directory = temporaryDirectory();
    const listing = join(directory, ".skillc/backups/calls/old/listing.json");
    fs.mkdirSync(dirname(listing), { recursive: true });
    fs.writeFileSync(listing, "{}");
    fs.utimesSync(listing, 1000, 1000);
    const options = { ...style, store: createFileLedger({ directory }), where: directory };
    const how = { before: "2000-01-01", includeUnknown: false, directory };
    expect(await ledgerPrune({ ...options, ...how, dryRun: true })).toMatchObject({
      text: expect.stringMatching(/^would remove the copies of files of 1 call$/m),
    });
    expect(await ledgerPrune({ ...options, ...how, dryRun: false })).toMatchObject({
      text: expect.stringMatching(/^removed the copies of files of 1 call$/m),
    });
    expect(fs.existsSync(dirname(listing))).toBe(false);
  });

  it("names the writes of unknown outcome that stop it, and rejects an invalid time", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    ledger.append(entryOf(beginRecord({ id: "open" })));
    await ledger.close();
    tick();
    const options = {
      ...style,
      store: ledger,
      where: directory,
      directory,
      dryRun: false,
      includeUnknown: false,
    };
    expect(await ledgerPrune({ ...options, before: "0s" })).toMatchObject({
      exitCode: 1,
      failure: { help: expect.stringContaining("`open` order-desk/create-order") },
    });
    expect(await ledgerPrune({ ...options, before: "soon" })).toMatchObject({ exitCode: 2 });
  });
});
