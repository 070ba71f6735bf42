import { describe, expect, it } from "vitest";
import { ledgerList, ledgerShow } from "../../../src/cli/ledger/commands.js";
import { ledgerSettle } from "../../../src/cli/ledger/settle.js";
import { noRuns } from "../../cli/support/no-runs.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import type { LedgerCall } from "../../../src/runtime/ledger/ledger-call.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import {
  entryOf,
  type LedgerStore,
  noLedger,
  recordOf,
  type StoredRecord,
} from "../../../src/runtime/ledger/store.js";
import { type LedgerQuery, queryLedger, verifyLedger } from "../../../src/runtime/runtime.js";
import { beginRecord, endRecord, temporaryDirectory } from "./fixtures.js";

/** What an application may write over a table: it filters nothing, and gives both records of a call. */
function tableStore(): LedgerStore {
  const rows: StoredRecord[] = [];
  return {
    ...noLedger,
    append(entry) {
      const record = recordOf(entry);
      const position = { timeMs: Date.parse(record.time), writer: "calls", seq: rows.length };
      rows.push({ record, position });
      return undefined;
    },
    async *read() {
      yield* rows.toReversed();
    },
  };
}

const at = (second: number) => new Date(Date.UTC(2026, 6, 25, 10, 0, second)).toISOString();

async function filled(ledger: LedgerStore): Promise<LedgerStore> {
  const records = [
    beginRecord({ id: "a", time: at(0) }),
    beginRecord({ id: "b", time: at(1) }),
    endRecord({ id: "a", time: at(2) }),
    endRecord({ id: "c", time: at(3), effect: "read", tool: "get-order" }),
    endRecord({ id: "d", time: at(4), mode: "shadow", status: "shadow" }),
  ];
  for (const record of records) await ledger.append(entryOf(record));
  return ledger;
}

async function calls(ledger: LedgerStore, query: LedgerQuery = {}): Promise<readonly LedgerCall[]> {
  const found: LedgerCall[] = [];
  for await (const call of queryLedger({ ledger, ...query })) found.push(call);
  return found;
}

const stores = [
  ["in files", () => createFileLedger({ directory: temporaryDirectory() })],
  ["in memory", createMemoryLedger],
  ["over a table of one's own", tableStore],
] as const;

describe.each(stores)("a ledger %s", (_name, make) => {
  it("returns each call once, newest first, and merges the ends", async () => {
    const ledger = await filled(make());
    const found = await calls(ledger);
    expect(found.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      "d ended",
      "c ended",
      "a ended",
      "b unknown",
    ]);
    await ledger.close();
  });

  it("filters, and goes on from a cursor", async () => {
    const ledger = await filled(make());
    const ids = async (query: LedgerQuery) => (await calls(ledger, query)).map(({ id }) => id);
    expect(await ids({ tool: "get-order" })).toEqual(["c"]);
    expect(await ids({ status: "unknown" })).toEqual(["b"]);
    expect(await ids({ since: at(2), until: at(4) })).toEqual(["c", "a"]);
    const [first] = await calls(ledger, { limit: 1 });
    expect(await ids({ cursor: first?.cursor ?? "", limit: 2 })).toEqual(["c", "a"]);
    await ledger.close();
  });

  it("can be read and settled by `skillc ledger`", async () => {
    const ledger = await filled(make());
    const options = { store: ledger, where: "there", color: false, width: 100, json: true };
    const how = { as: "done", because: "the shop lists it", correct: false } as const;
    expect(await ledgerSettle({ ...options, ...noRuns, id: "b", ...how })).toMatchObject({
      exitCode: 0,
    });
    expect(await ledgerShow({ ...options, id: "b" })).toMatchObject({
      json: { outcome: "settled", settlement: { because: "the shop lists it" } },
    });
    expect(await ledgerList({ ...options, status: "settled-done" })).toMatchObject({
      json: { calls: [{ id: "b" }], cursor: null },
    });
    await ledger.close();
  });

  it("lists an accepted write once, by its newest record", async () => {
    const ledger = make();
    const accepted = { at: "/operations/7", polls: 0 };
    const records = [
      beginRecord({ id: "open", time: at(0) }),
      beginRecord({ id: "over", time: at(1) }),
      beginRecord({ id: "open", time: at(2), accepted }),
      beginRecord({ id: "over", time: at(3), accepted }),
      beginRecord({ id: "open", time: at(4), accepted: { at: "/operations/8", polls: 2 } }),
      endRecord({ id: "over", time: at(5), accepted: { ...accepted, polls: 3 } }),
    ];
    for (const record of records) await ledger.append(entryOf(record));
    const told = [
      { id: "over", outcome: "ended", accepted: { at: "/operations/7", polls: 3 } },
      { id: "open", outcome: "unknown", accepted: { at: "/operations/8", polls: 2 } },
    ];
    expect(await calls(ledger)).toMatchObject(told);
    expect(await calls(ledger, { status: "unknown" })).toMatchObject([{ id: "open" }]);
    const [first] = await calls(ledger, { limit: 1 });
    expect(await calls(ledger, { cursor: first?.cursor ?? "" })).toMatchObject(told.slice(1));
    const shown = { store: ledger, where: "there", color: false, width: 100, json: false };
    expect(await ledgerShow({ ...shown, id: "open" })).toMatchObject({
      text: expect.stringMatching(/^ *accepted +asked for at \/operations\/8$/m),
    });
    await ledger.close();
  });

  it("shows where an accepted answer differs from its schema", async () => {
    const ledger = make();
    const misfit = { pointer: "/id", keyword: "type", message: "must be a string, not a number" };
    const misfits = [{ subject: "response", ...misfit }] as const;
    await ledger.append(entryOf(endRecord({ id: "odd", time: at(0), misfits })));
    expect(await calls(ledger)).toMatchObject([{ id: "odd", misfits }]);
    const shown = { store: ledger, where: "there", color: false, width: 100, json: false };
    expect(await ledgerShow({ ...shown, id: "odd" })).toMatchObject({
      text: expect.stringMatching(
        /^ *doesn't fit +response: \/id must be a string, not a number$/m,
      ),
    });
    await ledger.close();
  });

  it("verifies its records", async () => {
    const ledger = await filled(make());
    expect(await verifyLedger({ ledger })).toMatchObject({ problems: [] });
    await ledger.close();
  });
});

it("verifying a ledger in memory lists writes of unknown outcome", async () => {
  const ledger = await filled(createMemoryLedger());
  expect(await ledger.verify()).toMatchObject({ records: 5, unknownOutcomes: [{ id: "b" }] });
});
