/** What a person found out of a write: a record of its own, that every reader of the ledger lays beside the call's. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { entryOf } from "../../../src/runtime/ledger/store.js";
import { reportLedger } from "../../../src/cli/ledger/report/report.js";
import { settleCall } from "../../../src/runtime/ledger/settle.js";
import { verifyLedger } from "../../../src/runtime/runtime.js";
import {
  appendWrite,
  beginRecord,
  callsIn,
  endRecord,
  fileIn,
  filesIn,
  linesIn,
  temporaryDirectory,
  writeLines,
} from "./fixtures.js";

const at = (second: number) => new Date(Date.UTC(2026, 6, 25, 10, 0, second)).toISOString();
const timeout = { code: "PROVIDER.TIMEOUT", message: "no answer in 5000 ms" } as const;

/** An open ledger: a write that ended, one without an end, one that failed when it had left. */
function openLedger() {
  const directory = temporaryDirectory();
  const ledger = createFileLedger({ directory });
  appendWrite(ledger, { id: "fine", time: at(1) });
  ledger.append(entryOf(beginRecord({ id: "cut-off", time: at(2) })));
  const lost = { time: at(3), status: "unknown", result: null, error: timeout };
  appendWrite(ledger, { id: "lost", ...lost });
  ledger.flush();
  return { directory, ledger };
}

async function settle(directory: string, id: string, as: "done" | "not-done", because = "seen") {
  const [call] = await callsIn(directory, { id });
  if (call === undefined || call.outcome === "ended") throw new Error(`${id} is not unknown`);
  const ledger = createFileLedger({ directory });
  const settlement = await settleCall(ledger, call, { as, because });
  await ledger.close();
  return settlement;
}

const outcomes = async (directory: string) =>
  (await callsIn(directory)).map(({ id, outcome }) => `${id} ${outcome}`);

describe("a settled call", () => {
  it("is told as settled while its own records, and the application that has them open, are as before", async () => {
    const { directory, ledger } = openLedger();
    const before = readFileSync(fileIn(directory));
    await settle(directory, "cut-off", "done", "the shop lists it");
    await settle(directory, "lost", "not-done");
    expect(readFileSync(fileIn(directory))).toEqual(before);
    appendWrite(ledger, { id: "later", time: at(4) });
    await ledger.close();
    expect(await outcomes(directory)).toEqual([
      "later ended",
      "lost settled",
      "cut-off settled",
      "fine ended",
    ]);
    const [call] = await callsIn(directory, { id: "cut" });
    const settlement = { as: "done", because: "the shop lists it", time: expect.any(String) };
    expect(call).toMatchObject({ outcome: "settled", settlement });
    expect(await verifyLedger({ directory })).toMatchObject({
      problems: [],
      records: 9,
      unknownOutcomes: [],
      settledOutcomes: [
        { id: "cut-off", error: null, settlement: { as: "done" } },
        { id: "lost", error: "PROVIDER.TIMEOUT", settlement: { as: "not-done" } },
      ],
    });
  });

  it("is found by its new status, and no more among the unknown", async () => {
    const { directory } = openLedger();
    await settle(directory, "cut-off", "done");
    const ids = async (status: string) =>
      (await callsIn(directory, { status, tool: "order-desk/create-order" })).map(({ id }) => id);
    expect(await ids("unknown")).toEqual(["lost"]);
    expect(await ids("settled-done")).toEqual(["cut-off"]);
    expect(await ids("settled-not-done")).toEqual([]);
    const [report] = await reportLedger(await callsIn(directory));
    expect(report?.active.statuses.map(({ value }) => value)).toEqual([
      "settled-done",
      "success",
      "unknown",
    ]);
  });

  it("stays settled where a query begins at an older call, or leaves out what is newer", async () => {
    const { directory } = openLedger();
    await settle(directory, "cut-off", "done");
    const [lost] = await callsIn(directory, { limit: 1 });
    const rest = await callsIn(directory, { cursor: lost?.cursor ?? "", until: at(3), limit: 1 });
    expect(rest).toMatchObject([{ id: "cut-off", outcome: "settled" }]);
  });

  it("is settled anew by a later record, and both stay in the ledger", async () => {
    const { directory } = openLedger();
    await settle(directory, "lost", "done", "a guess");
    const again = await settle(directory, "lost", "not-done", "asked the shop");
    expect(again).toMatchObject({ as: "not-done", correction: true });
    expect(await callsIn(directory, { id: "lost" })).toMatchObject([
      { settlement: { as: "not-done", because: "asked the shop", correction: true } },
    ]);
    expect(await verifyLedger({ directory })).toMatchObject({
      problems: [],
      settledOutcomes: [{ settlement: { because: "asked the shop" } }],
    });
    expect(filesIn(directory)).toHaveLength(3);
  });

  it("is newer than its call, even where the clock of the call's machine was ahead", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    ledger.append(entryOf(beginRecord({ id: "ahead", time: "2126-01-01T00:00:00.000Z" })));
    await settle(directory, "ahead", "done");
    await settle(directory, "ahead", "not-done");
    expect(await callsIn(directory)).toMatchObject([
      { id: "ahead", settlement: { as: "not-done", time: "2126-01-01T00:00:00.002Z" } },
    ]);
  });

  it("is one even where no later time can be written", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    const time = "+275760-09-13T00:00:00.000Z";
    ledger.append(entryOf(beginRecord({ id: "last", time })));
    expect(await settle(directory, "last", "done")).toMatchObject({ time });
  });

  it("whose own end comes after all is told by that", async () => {
    const { directory, ledger } = openLedger();
    await settle(directory, "cut-off", "not-done");
    ledger.append(entryOf(endRecord({ id: "cut-off" })));
    expect(await callsIn(directory, { id: "cut-off" })).toMatchObject([
      { outcome: "ended", status: "success" },
    ]);
    expect((await verifyLedger({ directory })).settledOutcomes).toEqual([]);
  });
});

describe("verify", () => {
  it("sees a settlement that was changed", async () => {
    const { directory, ledger } = openLedger();
    await ledger.close();
    await settle(directory, "lost", "done");
    const path = fileIn(directory, 1);
    writeLines(
      path,
      linesIn(path).map((line) => line.replace('"as":"done"', '"as":"not-done"')),
    );
    expect((await verifyLedger({ directory })).problems).toMatchObject([
      { kind: "changed-line", line: 2 },
    ]);
  });

  it.each([
    ['"as":"done"', '"as":"maybe"'],
    ['"because":"seen"', '"because":1'],
  ])("takes no record with %s made %s for a settlement", async (from, to) => {
    const { directory, ledger } = openLedger();
    await ledger.close();
    await settle(directory, "lost", "done");
    const path = fileIn(directory, 1);
    writeLines(
      path,
      linesIn(path).map((line) => line.replace(from, to)),
    );
    expect((await verifyLedger({ directory })).problems[0]).toMatchObject({
      kind: "unreadable-line",
    });
    expect(await outcomes(directory)).toContain("lost unknown");
  });
});
