/** Compares a ledger record with the same line without a hash chain. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BeginRecord, createFileLedger, type EndRecord, entryOf } from "@skillc/runtime";
import { compareTasks, type Measurement } from "./measurement.js";

/**
 * Records per iteration. A single record is too short for the clock, and buffers are flushed only
 * now and then.
 */
const batch = 100;
const baseline = "JSON.stringify and fs.writeSync of one record";

const facts = {
  id: "0f8fad5b-d9cb-469f-a165-70867728950e",
  time: "2026-07-25T10:11:12.123Z",
  skill: "order-desk",
  tool: "create-order",
  kind: "http",
  mode: "active",
  parameters: { customer_id: "cus_ada", lines: [{ sku: "MUG-BLUE", quantity: 2, price: 1200 }] },
  version: { skill: "8f14e45fceea167a", binding: "c9f0f895fb98ab91", manifest: "t1" },
} as const;
const outcome = {
  status: "success",
  result: JSON.stringify({ id: "ord_1001", lines: facts.parameters.lines, total: 2400 }),
  error: null,
  attempts: 1,
  durationMs: 1.234,
} as const;
const begin: BeginRecord = { type: "begin", ...facts, effect: "write" };
const write: EndRecord = { type: "end", ...facts, effect: "write", ...outcome };
const read: EndRecord = { type: "end", ...facts, effect: "read", ...outcome };

/** The recorded data. Other benchmarks use it too. */
export const ledgerRecords = { begin, write };

export async function measureLedger(): Promise<readonly Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "skillc-bench-"));
  const ledger = createFileLedger({ directory });
  const file = openSync(join(directory, "baseline"), "a");
  const many = (work: () => void) => () => {
    for (let at = 0; at < batch; at += 1) work();
  };
  const tasks = {
    plain: many(() => void writeSync(file, `${JSON.stringify(write)}\n`)),
    read: many(() => void ledger.append(entryOf(read))),
    write: many(() => {
      void ledger.append(entryOf(begin));
      void ledger.append(entryOf(write));
    }),
  };
  try {
    const measured = await compareTasks(tasks, { rounds: 7, roundMs: 300 });
    const plain = ((measured.get("plain")?.ms ?? Number.NaN) * 1000) / batch;
    const line = (name: string, key: string): Measurement => ({
      name,
      value: measured.get(key)?.ratio ?? Number.NaN,
      unit: "×",
      baseline: `${baseline} (${plain.toFixed(1)} µs)`,
    });
    return [
      line("ledger: the record of a read", "read"),
      line("ledger: both records of a write", "write"),
    ];
  } finally {
    await ledger.close();
    closeSync(file);
    rmSync(directory, { recursive: true });
  }
}
