import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { entryOf } from "../../../src/runtime/ledger/store.js";

import type { LedgerCall } from "../../../src/runtime/ledger/ledger-call.js";
import type { FileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { type LedgerQuery, queryLedger } from "../../../src/runtime/runtime.js";
import type { BeginRecord, EndRecord } from "../../../src/runtime/ledger/record.js";

/** Creates a directory that is removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "skillc-ledger-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const facts = {
  skill: "order-desk",
  tool: "create-order",
  kind: "http",
  mode: "active",
  effect: "write",
  parameters: { customer_id: "c-1", lines: [{ sku: "a", quantity: 2 }] },
  version: { skill: "5k1ll", binding: "b1nd1ng", manifest: "t1" },
} as const;

export function beginRecord(changes: Partial<BeginRecord> = {}): BeginRecord {
  return { type: "begin", id: randomUUID(), time: new Date().toISOString(), ...facts, ...changes };
}

export function endRecord(changes: Partial<EndRecord> = {}): EndRecord {
  return {
    type: "end",
    id: randomUUID(),
    time: new Date().toISOString(),
    ...facts,
    status: "success",
    result: '{"id":"o-1"}',
    error: null,
    attempts: 1,
    durationMs: 12.5,
    ...changes,
  };
}

/** Appends both records of a write. */
export function appendWrite(ledger: FileLedger, changes: Partial<EndRecord> = {}): string {
  const end = endRecord(changes);
  const { id, time, skill, tool, mode, parameters, parent, trace } = end;
  const begin = {
    id,
    time,
    skill,
    tool,
    mode,
    parameters,
    ...(trace !== undefined && { trace }),
    ...(parent !== undefined && { parent }),
  };
  void ledger.append(entryOf(beginRecord(begin)));
  void ledger.append(entryOf(end));
  return end.id;
}

export async function callsIn(
  directory: string,
  query: LedgerQuery = {},
): Promise<readonly LedgerCall[]> {
  const calls: LedgerCall[] = [];
  for await (const call of queryLedger({ directory, ...query })) calls.push(call);
  return calls;
}

export function filesIn(directory: string): readonly string[] {
  return readdirSync(directory).toSorted();
}

/** Returns the path of a ledger file by its index in the directory. */
export function fileIn(directory: string, index = 0): string {
  const name = filesIn(directory)[index];
  if (name === undefined) throw new Error("no such file");
  return join(directory, name);
}

export function linesIn(path: string): readonly string[] {
  return readFileSync(path, "utf8").split("\n").slice(0, -1);
}

export function writeLines(path: string, lines: readonly string[]): void {
  writeFileSync(path, lines.map((each) => `${each}\n`).join(""));
}
