/**
 * What `append` costs a call, against a bare `fs.writeSync` of the same line. Medians of one run: the tasks take turns, and the middle of
 * several rounds counts. Files grow in a temporary directory that is removed at the end.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bench } from "tinybench";
import type * as FileLedgers from "../src/runtime/ledger/file-ledger.js";
import type { BeginRecord, EndRecord } from "../src/runtime/ledger/record.js";

/** What is measured is what is shipped; typed by its source, so that types can be checked before anything is built. */
const built = new URL("../dist/runtime/ledger/file-ledger.js", import.meta.url).href;
const { createFileLedger } = (await import(built)) as typeof FileLedgers;

const rounds = 7;
const roundMs = 300;
/** Records of one iteration: a single one is shorter than the clock is exact, and buffered reads are written now and then. */
const batch = 100;

const facts = {
  id: "0f8fad5b-d9cb-469f-a165-70867728950e",
  time: "2026-07-25T10:11:12.123Z",
  skill: "order-desk",
  tool: "create-order",
  kind: "http",
  mode: "active",
  parameters: { customer_id: "cus_ada", lines: [{ sku: "MUG-BLUE", quantity: 2, price: 1200 }] },
  version: { skill: "8f14e45fceea167a", binding: "c9f0f895fb98ab91" },
} as const;
const begin: BeginRecord = { type: "begin", ...facts, effect: "write" };
const outcome = {
  status: "success",
  result: JSON.stringify({ id: "ord_1001", lines: facts.parameters.lines, total: 2400 }),
  error: null,
  attempts: 1,
  durationMs: 1.234,
} as const;
const write: EndRecord = { type: "end", ...facts, effect: "write", ...outcome };
const read: EndRecord = { type: "end", ...facts, effect: "read", ...outcome };

const directory = mkdtempSync(join(tmpdir(), "skillc-bench-"));
const ledger = createFileLedger({ directory });
const fd = openSync(join(directory, "baseline"), "a");
const line = `${JSON.stringify(write)}\n`;

const tasks: Readonly<Record<string, () => void>> = {
  "plain writeSync": () => void writeSync(fd, line),
  "JSON.stringify and writeSync": () => void writeSync(fd, `${JSON.stringify(write)}\n`),
  "ledger, a read": () => void ledger.append(read),
  "ledger, both records of a write": () => {
    void ledger.append(begin);
    void ledger.append(write);
  },
};

/** Median microseconds of each task, run once. */
async function round(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const bench = new Bench({ time: roundMs, warmupTime: 50 });
  for (const name of names) {
    bench.add(name, () => {
      for (let at = 0; at < batch; at += 1) tasks[name]?.();
    });
  }
  await bench.run();
  return new Map(
    bench.tasks.map(({ name, result }) => {
      if (!("latency" in result)) throw new Error(`${name} failed`);
      return [name, (result.latency.p50 * 1000) / batch];
    }),
  );
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const names = Object.keys(tasks);
const measured: ReadonlyMap<string, number>[] = [];
try {
  // The first round compiles; it doesn't count.
  await round(names);
  for (let at = 0; at < rounds; at += 1) {
    // Whoever runs first finds a cooler machine: they take turns at it.
    const turn = at % names.length;
    measured.push(await round([...names.slice(turn), ...names.slice(0, turn)]));
  }
} finally {
  await ledger.close();
  closeSync(fd);
  rmSync(directory, { recursive: true, force: true });
}

const of = (run: ReadonlyMap<string, number>, name: string): number => run.get(name) ?? Number.NaN;
for (const name of names) {
  const us = median(measured.map((run) => of(run, name)));
  const ratio = median(measured.map((run) => of(run, name) / of(run, names[0] ?? "")));
  console.log(
    `${name.padEnd(32)} ${us.toFixed(2).padStart(6)} µs  ratio ${ratio.toFixed(2)} to ${names[0]}`,
  );
}
