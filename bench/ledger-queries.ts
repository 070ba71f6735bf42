/** Compares a search for a few calls among a million records with a read of all records. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileLedger, entryOf, type LedgerQuery, queryLedger } from "@skillc/runtime";
import type { Measurement } from "./measurement.js";

const calls = 500_000;
const rareCalls = 100;
const rounds = 5;
const startMs = Date.UTC(2026, 6, 1);
const timeOf = (call: number) => new Date(startMs + call * 1000).toISOString();

export async function measureLedgerQueries(): Promise<readonly Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "skillc-bench-"));
  try {
    const id = await fill(directory);
    const query = async (what: LedgerQuery, found: number): Promise<number> => {
      const start = performance.now();
      let count = 0;
      for await (const _ of queryLedger({ directory, ...what })) count += 1;
      if (count !== found) throw new Error(`${count} calls, not ${found}: ${JSON.stringify(what)}`);
      return performance.now() - start;
    };
    const everyMs = await query({}, calls);
    const queries = {
      "one id": [{ id: id.slice(0, 12) }, 1],
      "half an hour": [{ since: timeOf(200_000), until: timeOf(201_800) }, 1800],
      "a tool of 100 calls": [{ tool: "rare" }, rareCalls],
      "writes of unknown outcome": [{ status: "unknown" }, 0],
    } as const;
    const measured: Measurement[] = [];
    for (const [name, [what, found]] of Object.entries(queries)) {
      let best = Number.POSITIVE_INFINITY;
      for (let at = 0; at < rounds; at += 1) best = Math.min(best, await query(what, found));
      const baseline = `reading all of 1,000,000 records (${everyMs.toFixed(0)} ms)`;
      const line = `ledger: ${name} among 1,000,000 records`;
      measured.push({ name: line, value: best, unit: "ms", baseline });
      measured.push({ name: line, value: best / everyMs, unit: "×", baseline });
    }
    return measured;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Fills a ledger, and returns the id of a call in the middle. */
async function fill(directory: string): Promise<string> {
  const ledger = createFileLedger({ directory });
  let middle = "";
  for (let call = 0; call < calls; call += 1) {
    const id = randomUUID();
    if (call === calls / 2) middle = id;
    const facts = {
      id,
      time: timeOf(call),
      skill: "order-desk",
      tool: call % (calls / rareCalls) === 7 ? "rare" : `tool-${call % 20}`,
      kind: "http",
      mode: "active",
      effect: "write",
      parameters: { customer_id: "cus_ada", lines: [{ sku: "MUG-BLUE", quantity: 2 }] },
      version: { skill: "8f14e45fceea167a", binding: "c9f0f895fb98ab91", manifest: "t1" },
    } as const;
    const ended = { status: "success", result: '{"id":"ord_1001"}', error: null, attempts: 1 };
    void ledger.append(entryOf({ type: "begin", ...facts }));
    await ledger.append(entryOf({ type: "end", ...facts, ...ended, durationMs: 1.2 }));
  }
  await ledger.close();
  return middle;
}
