/**
 * The ledgers of the runtime behind one interface for tests. All of them keep the promises of
 * `LedgerStore`.
 */
import { randomBytes } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import type { AttachmentPolicy } from "../../../src/runtime/ledger/attachments.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import type { LedgerCall } from "../../../src/runtime/ledger/ledger-call.js";
import {
  createPostgresLedger,
  migratePostgresLedger,
} from "../../../src/runtime/ledger/postgres/index.js";
import { columnsOf } from "../../../src/runtime/ledger/postgres/batch.js";
import { quoteName } from "../../../src/runtime/ledger/postgres/tables.js";
import type { EndRecord } from "../../../src/runtime/ledger/record.js";
import { entryOf, type LedgerStore } from "../../../src/runtime/ledger/store.js";
import { type LedgerQuery, queryLedger } from "../../../src/runtime/runtime.js";
import { createDatabase, type OwnDatabase, postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { beginRecord, endRecord, temporaryDirectory } from "./fixtures.js";

export interface LedgerKind {
  /** Creates an empty ledger. */
  place(): Promise<TestPlace>;
}

/** An existing ledger, and the changes that an attacker could make to its first chain. */
export interface TestPlace {
  /** Opens the ledger for one more writer, which closes when the test ends. */
  open(options?: { readonly attachments?: AttachmentPolicy }): LedgerStore;
  /** Arguments with which a process writes this ledger. */
  readonly processArguments: readonly string[];
  /** Returns the lines of the first chain, by number. */
  lines(): Promise<readonly string[]>;
  change(seq: number, line: string): Promise<void>;
  remove(seq: number): Promise<void>;
  /** Swaps two lines. */
  swap(seq: number, other: number): Promise<void>;
  /** Inserts a line at a number without removing the existing one. */
  insert(seq: number, line: string): Promise<void>;
}

/** Runs the same tests against every ledger. */
export async function describeEachLedger(tests: (kind: LedgerKind) => void): Promise<void> {
  describe("in files", () => {
    tests({ place: () => Promise.resolve(filePlace()) });
  });
  await describeWithService(postgresService, () => {
    const database = ownDatabase();
    tests({ place: () => postgresPlace(database()) });
  });
}

/** Creates a database for the tests of one `describe`. */
export function ownDatabase(): () => OwnDatabase {
  let database: OwnDatabase | undefined;
  beforeAll(async () => {
    database = await createDatabase("");
  });
  afterAll(() => database?.drop());
  return () => {
    if (database === undefined) throw new Error("there is no database yet");
    return database;
  };
}

function filePlace(): TestPlace {
  const directory = temporaryDirectory();
  const path = () => {
    const names = readdirSync(directory)
      .toSorted()
      .filter((each) => each.endsWith(".jsonl"));
    // Two files may have begun in the same millisecond. The first one saw no other.
    const isFirst = (each: string) =>
      readFileSync(join(directory, each), "utf8").includes('"seen":[]');
    const name = names.find(isFirst) ?? names[0];
    if (name === undefined) throw new Error("nobody has written yet");
    return join(directory, name);
  };
  const lines = () => readFileSync(path(), "utf8").split("\n").slice(0, -1);
  const edit = (change: (lines: readonly string[]) => readonly string[]) => {
    writeFileSync(
      path(),
      change(lines())
        .map((each) => `${each}\n`)
        .join(""),
    );
    return Promise.resolve();
  };
  return {
    open: (options) => opened(createFileLedger({ directory, ...options })),
    // Makes each process write several files.
    processArguments: ["files", directory, "300000"],
    lines: () => Promise.resolve(lines()),
    change: (seq, line) => edit((all) => all.with(seq, line)),
    remove: (seq) => edit((all) => all.toSpliced(seq, 1)),
    swap: (a, b) => edit((all) => all.with(a, all[b] ?? "").with(b, all[a] ?? "")),
    insert: (seq, line) => edit((all) => all.toSpliced(seq, 0, line)),
  };
}

/** Makes a place in a new schema of the database. */
export async function postgresPlace(database: OwnDatabase): Promise<TestPlace & PostgresParts> {
  const schema = `ledger "${randomBytes(4).toString("hex")}"`;
  await migratePostgresLedger({ connectionString: database.url, schema });
  const table = (name: string) => `${quoteName(schema)}.${name}`;
  const records = table("records");
  const ofFirst = `writer = (SELECT writer FROM ${table("writers")} ORDER BY opened, writer LIMIT 1)`;
  const literal = (text: string) => `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = async () =>
    (await database.run(`SELECT line FROM ${records} WHERE ${ofFirst} ORDER BY seq`)).map(
      ({ line }) => String(line),
    );
  const change = async (seq: number, line: string) => {
    await database.run(
      `UPDATE ${records} SET line = ${literal(line)} WHERE ${ofFirst} AND seq = ${seq}`,
    );
  };
  return {
    schema,
    table,
    open: (options) =>
      opened(createPostgresLedger({ connectionString: database.url, schema, ...options })),
    processArguments: ["postgres", database.url, schema],
    lines,
    change,
    remove: async (seq) => {
      await database.run(`DELETE FROM ${records} WHERE ${ofFirst} AND seq = ${seq}`);
    },
    swap: async (a, b) => {
      const all = await lines();
      await change(a, all[b] ?? "");
      await change(b, all[a] ?? "");
    },
    insert: async (seq, line) => {
      // Another month has another index, so no unique index rejects the repeated number.
      const columns = columnsOf({ type: "end", ...parsed(line) });
      const values = Object.values(columns).map((each) => (each === null ? "NULL" : literal(each)));
      await database.run(
        `INSERT INTO ${records} (writer, seq, at, line, ${Object.keys(columns).join(", ")})
         SELECT writer, ${seq}, '2200-01-01Z', ${literal(line)}, ${values.join(", ")}
         FROM ${table("writers")} WHERE ${ofFirst}`,
      );
    },
  };
}

export interface PostgresParts {
  readonly schema: string;
  table(name: string): string;
}

function parsed(line: string): object {
  try {
    return Object(JSON.parse(line)) as object;
  } catch {
    return {};
  }
}

function opened<Store extends LedgerStore>(store: Store): Store {
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

export async function callsOf(
  ledger: LedgerStore,
  query: LedgerQuery = {},
): Promise<readonly LedgerCall[]> {
  const calls: LedgerCall[] = [];
  for await (const call of queryLedger({ ledger, ...query })) calls.push(call);
  return calls;
}

/** Records both records of a write. */
export async function recordWrite(
  ledger: LedgerStore,
  changes: Partial<EndRecord> = {},
): Promise<string> {
  const end = endRecord(changes);
  const { caller, id, mode, parameters, parent, skill, step, time, tool, trace } = end;
  const begin = beginRecord({
    id,
    time,
    skill,
    tool,
    mode,
    parameters,
    ...(caller !== undefined && { caller }),
    ...(trace !== undefined && { trace }),
    ...(parent !== undefined && { parent }),
    ...(step !== undefined && { step }),
  });
  await Promise.all([ledger.append(entryOf(begin)), ledger.append(entryOf(end))]);
  return id;
}
