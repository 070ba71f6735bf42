import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { parseFileName } from "../../../src/runtime/ledger/files/file-name.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import {
  type FileSummary,
  summaryNameOf,
  summarize,
  wantedBlocks,
} from "../../../src/runtime/ledger/files/summary.js";
import { prepareFilter, type QueryFilter } from "../../../src/runtime/ledger/query-filter.js";
import { entryOf } from "../../../src/runtime/ledger/store.js";
import { verifyLedger } from "../../../src/runtime/runtime.js";
import { appendWrite, beginRecord, callsIn, endRecord, temporaryDirectory } from "./fixtures.js";
import { cpSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";

const at = (second: number) => new Date(Date.UTC(2026, 6, 25) + second * 1000).toISOString();
const calls = 4000;
const accepted = [
  ["acce9ted-over", "polled"],
  ["acce9ted-open", "polling"],
] as const;
let made = "";

/** Several files, most of them large enough for a summary. */
beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), "skillc-ledger-"));
  const ledger = createFileLedger({ directory: made, maxFileBytes: 1_200_000 });
  ledger.append(entryOf(beginRecord({ id: "0ng01ng0-long", time: at(0), tool: "slow" })));
  ledger.append(entryOf(beginRecord({ id: "0pen0000-open", time: at(1), tool: "cut-off" })));
  for (let n = 2; n < calls; n += 1) {
    const id = `${(n * 2_654_435_761).toString(16).padStart(12, "0").slice(-8)}-${n}`;
    const tool = n % 500 === 3 ? "räre" : `tool-${n % 7}`;
    const status = n % 700 === 5 ? "conflict" : "success";
    const parameters = { n, tool: n % 900 === 7 ? "räre" : "x", text: "y".repeat(n % 300) };
    // Five calls a trace, the first of which makes the others.
    const first = n - (n % 5);
    const links = { trace: `00-träce-${first}`, ...(n > first && { parent: `call-${first}` }) };
    appendWrite(ledger, { id, time: at(n), tool, status, parameters, ...links });
    // Of calls that were accepted some have their next record in the same file, some in a later one.
    if (n === 1500 || n === 1600 || n === 2500)
      for (const [call, tool] of accepted)
        ledger.append(
          entryOf(
            beginRecord({
              id: call,
              time: at(n),
              tool,
              ...(n > 1500 && { accepted: { at: `/operations/${n}`, polls: n } }),
            }),
          ),
        );
    if (n === 1000)
      ledger.append(
        entryOf(
          endRecord({
            id: "1057",
            time: at(n),
            status: "unknown",
            result: null,
            error: { code: "PROVIDER.TIMEOUT", message: "" },
          }),
        ),
      );
  }
  ledger.append(entryOf(endRecord({ id: "0ng01ng0-long", time: at(calls), tool: "slow" })));
  ledger.append(entryOf(endRecord({ id: "acce9ted-over", time: at(calls), tool: "polled" })));
  await ledger.close();
  // Nobody waits for the summaries that a writer makes.
  await vi.waitUntil(() => large(made).length === jsonl(made).length - 1, { timeout: 30_000 });
  return () => rmSync(made, { recursive: true });
});

function copy(): string {
  const directory = temporaryDirectory();
  cpSync(made, directory, { recursive: true });
  return directory;
}

const filters: readonly QueryFilter[] = [
  {},
  { tool: "räre" },
  { tool: "order-desk/räre", since: at(1000) },
  { tool: "slow" },
  { tool: "cut-off" },
  { tool: "nope" },
  { tool: "polled" },
  { tool: "polling" },
  { id: "acce9ted" },
  { status: "unknown", tool: "polling", until: at(2000) },
  { status: "conflict" },
  { status: "unknown" },
  { status: "settled-done" },
  { since: at(1500), until: at(1520) },
  { since: at(0), until: at(3) },
  { id: "0pen" },
  { trace: "00-träce-1000" },
  { trace: "00-träce-1000", parent: "call-1000", tool: "tool-3" },
  { trace: "00-träce-1000", status: "unknown" },
  { parent: "call-2000" },
  { parent: "call-2001" },
  { id: "0ng01ng0-l" },
  { mode: "shadow" },
  { skill: "order-desk", tool: "tool-3", until: at(100) },
];

const jsonl = (directory: string) =>
  readdirSync(directory).filter((name) => name.endsWith("jsonl"));
const large = (directory: string) =>
  jsonl(directory).filter((name) => existsSync(join(directory, summaryNameOf(name))));

describe("a summary of a ledger file", () => {
  it("changes no answer of a query", async () => {
    const directory = copy();
    for (const name of large(directory)) rmSync(join(directory, summaryNameOf(name)));
    const first = await Promise.all(filters.map((each) => callsIn(directory, each)));
    expect(large(directory).length).toBeGreaterThan(1);
    const again = await Promise.all(filters.map((each) => callsIn(directory, each)));
    expect(again).toEqual(first);
    const all = first[0] ?? [];
    expect(all).toHaveLength(calls + 1 + accepted.length);
    expect(all.filter(({ tool }) => tool === "polling")).toMatchObject([
      { outcome: "unknown", accepted: { at: "/operations/2500" } },
    ]);
    for (const [index, filter] of filters.entries()) {
      const { wants } = prepareFilter(filter);
      expect({ filter, found: first[index] }).toEqual({ filter, found: all.filter(wants) });
    }
    for (const { id } of all.filter((_, index) => index % 97 === 0))
      expect((await callsIn(directory, { id: id.slice(0, 8) })).map((call) => call.id)).toContain(
        id,
      );
  });

  it("a summary is written by the writer of each full file, and equals the one that a reader would make", async () => {
    const directory = copy();
    const full = jsonl(directory).slice(0, -1);
    expect(full.length).toBeGreaterThan(1);
    for (const name of full)
      expect(JSON.parse(readFileSync(join(directory, summaryNameOf(name)), "utf8"))).toEqual(
        await summarize(join(directory, name)),
      );
  });

  it("leaves a query a small part of the file to read", async () => {
    const [name = ""] = readdirSync(made);
    const summary = await summarize(join(made, name));
    if (summary === undefined) throw new Error("no summary");
    const read = (filter: QueryFilter) =>
      wantedBlocks(summary, prepareFilter(filter)).length / summary.offsets.length;
    expect(summary.offsets.length).toBeGreaterThan(15);
    expect(read({})).toBe(1);
    expect(read({ since: at(100), until: at(110) })).toBeLessThan(0.15);
    expect(read({ status: "unknown" })).toBeLessThan(0.15);
    expect(read({ tool: "cut-off" })).toBeLessThan(0.15);
    expect(read({ id: "0pen0000" })).toBeLessThan(0.15);
    expect(read({ tool: "tool-1" })).toBe(1);
    expect(read({ trace: "00-träce-100" })).toBeLessThan(0.15);
    expect(read({ parent: "call-100" })).toBeLessThan(0.15);
    expect(read({ trace: "nope" })).toBeLessThan(0.15);
    // 16 bits a trace and a parent, in a block of 64 KiB.
    const links = summary.links?.join("") ?? "";
    expect(links.length / summary.bytes).toBeLessThan(0.005);
  });

  it("a summary of an earlier version, without traces, serves queries and verifies", async () => {
    const directory = copy();
    const all = await callsIn(directory);
    for (const name of large(directory)) {
      const path = join(directory, summaryNameOf(name));
      const { links: _, ...old }: FileSummary = JSON.parse(readFileSync(path, "utf8"));
      writeFileSync(path, `${JSON.stringify(old)}\n`);
    }
    const trace = "00-träce-1000";
    const ofTrace = all.filter((call) => call.trace === trace);
    expect(ofTrace).toHaveLength(5);
    expect(await callsIn(directory, { trace })).toEqual(ofTrace);
    expect(await callsIn(directory, { tool: "räre" })).not.toEqual([]);
    expect((await verifyLedger({ directory })).problems).toEqual([]);
  });

  it("a summary is ignored if it belongs to another file, and made anew", async () => {
    const directory = copy();
    const all = await callsIn(directory);
    const [name = ""] = large(directory);
    const path = join(directory, summaryNameOf(name));
    const whole = readFileSync(path, "utf8");
    const other: FileSummary = { ...JSON.parse(whole), bytes: 7, terms: {} };
    for (const text of ["", "{}", "[]", "null", '{"format":1}', JSON.stringify(other)]) {
      writeFileSync(path, text);
      expect(await callsIn(directory, { tool: "räre" })).toEqual(
        all.filter(({ tool }) => tool === "räre"),
      );
      expect(readFileSync(path, "utf8")).toBe(whole);
    }
  });

  it("can hide calls from queries after an edit, but verify reports the edit", async () => {
    const directory = copy();
    await callsIn(directory);
    expect(await verifyLedger({ directory })).toMatchObject({ problems: [] });
    const [name = ""] = large(directory);
    const path = join(directory, summaryNameOf(name));
    const summary: FileSummary = JSON.parse(readFileSync(path, "utf8"));
    const { '"tool":"cut-off"': _, ...terms } = summary.terms;
    writeFileSync(path, JSON.stringify({ ...summary, terms }));
    expect(await callsIn(directory, { tool: "cut-off" })).toEqual([]);
    const { problems, records, unknownOutcomes } = await verifyLedger({ directory });
    expect(problems).toMatchObject([{ file: name, kind: "wrong-summary" }]);
    expect(records).toBe(2 * calls + 7);
    expect(unknownOutcomes.map(({ tool }) => tool)).toContain("cut-off");
  });

  it("a summary is not made of a file that a process still writes", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    for (let n = 0; n < 2500; n += 1) appendWrite(ledger, { time: at(n) });
    ledger.flush();
    const [name = ""] = readdirSync(directory);
    expect(parseFileName(name)).toBeDefined();
    expect(await callsIn(directory, { tool: "nope" })).toEqual([]);
    expect(readdirSync(directory)).toEqual([name]);
    await ledger.close();
    expect(await callsIn(directory, { tool: "nope" })).toEqual([]);
    expect(readdirSync(directory)).toHaveLength(2);
    appendFileSync(join(directory, name), "{");
    expect(await callsIn(directory)).toHaveLength(2500);
  });
});
