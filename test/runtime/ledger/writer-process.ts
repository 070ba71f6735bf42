/**
 * A child process that writes begin and end records as fast as it can, with five calls in flight.
 * It prints `b? ID` before and `b! ID` after a begin record, and `e? ID` and `e! ID` for an end
 * record; standard output is a file. Arguments: number of calls, then `files`, a directory and the
 * maximum size of a file in bytes, or `postgres`, a URL and a schema.
 */
import { entryOf } from "../../../src/runtime/ledger/store.js";
import { writeSync } from "node:fs";

import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { createPostgresLedger } from "../../../src/runtime/ledger/postgres/index.js";
import type { BeginRecord } from "../../../src/runtime/ledger/record.js";

const [calls = "0", kind, where = "", how = "1000000"] = process.argv.slice(2);
const ledger =
  kind === "postgres"
    ? createPostgresLedger({ connectionString: where, schema: how })
    : createFileLedger({ directory: where, maxFileBytes: Number(how) });
const inFlight: BeginRecord[] = [];

function tell(what: string, id: string): void {
  writeSync(1, `${what} ${id}\n`);
}

async function begin(number: number): Promise<void> {
  const record: BeginRecord = {
    type: "begin",
    id: `${process.pid}-${number}`,
    time: new Date().toISOString(),
    skill: "load",
    tool: "write",
    kind: "http",
    mode: "active",
    effect: "write",
    parameters: { number, text: "x".repeat(number % 700) },
    version: { skill: "s", binding: "b", manifest: "t1" },
  };
  tell("b?", record.id);
  await ledger.append(entryOf(record));
  tell("b!", record.id);
  inFlight.push(record);
}

async function end(record: BeginRecord): Promise<void> {
  tell("e?", record.id);
  await ledger.append(
    entryOf({
      ...record,
      type: "end",
      status: "success",
      result: null,
      error: null,
      attempts: 1,
      durationMs: 1,
    }),
  );
  tell("e!", record.id);
}

for (let number = 0; number < Number(calls); number++) {
  const oldest = inFlight.length < 5 ? undefined : inFlight.shift();
  // Puts both records in one write.
  await Promise.all([begin(number), oldest && end(oldest)]);
  // Lets the group sync and the timers run, as real calls do.
  if (number % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await Promise.all(inFlight.map(end));
await ledger.close();
