/** Places where runs are kept, as tests meet them: what the interface promises holds for all of them. */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { folderRuns } from "../../../src/runtime/runs/index.js";
import {
  migrateRuns,
  postgresRuns,
  type PostgresRunsOptions,
} from "../../../src/runtime/runs/postgres/index.js";
import { digestOfRun } from "../../../src/runtime/runs/sealed-run.js";
import type { RunId, RunStore } from "../../../src/runtime/runs/store.js";
import type { OwnDatabase } from "../../support/postgres.js";
import { temporaryDirectory } from "../ledger/fixtures.js";

export const testKey = Buffer.alloc(32, 7);

/** An entry as it is stored: the beginning of a run, or an event. */
export interface StoredEntry {
  readonly header: string;
  /** In base64. */
  readonly sealed: string;
}

/** A place where nobody has kept a run, and what somebody who may write there can do. */
export interface RunsPlace {
  /** Opens a store; closed when the test ends. */
  open(key?: Uint8Array): RunStore;
  /** Arguments with which a process opens the place. */
  readonly processArguments: readonly string[];
  /** Lets the time pass after which a process that has crashed holds no run. */
  outliveCrash(): Promise<void>;
  /** Takes a run from its holder, which still runs. */
  takeAway(run: RunId): Promise<void>;
  /** Everything that is stored, as text. */
  content(): Promise<string>;
  /** The entries of a run: its beginning, then its events. */
  entries(run: RunId): Promise<readonly StoredEntry[]>;
  setEntries(run: RunId, entries: readonly StoredEntry[]): Promise<void>;
}

export type FolderPlace = RunsPlace & {
  readonly directory: string;
  /** Path of a run's events. */
  eventsOf(run: RunId): string;
};

export function folderPlace(): FolderPlace {
  const directory = join(temporaryDirectory(), "runs");
  const pathOf = (run: RunId, name: string) => join(directory, digestOfRun(run), name);
  const linesIn = (path: string) => readFileSync(path, "utf8").split("\n").slice(0, -1);
  const entryOf = (line: string): StoredEntry => {
    const [sealed = "", header = ""] = line.split("\t");
    return { header, sealed };
  };
  const lineOf = ({ header, sealed }: StoredEntry) => `${sealed}\t${header}\n`;
  return {
    directory,
    open: (key = testKey) => opened(folderRuns({ directory, key })),
    processArguments: ["folder", directory],
    outliveCrash: () => Promise.resolve(),
    async takeAway(run) {
      rmSync(`${join(directory, digestOfRun(run))}.lock`);
    },
    content: () =>
      Promise.resolve(
        readdirSync(directory, { recursive: true, withFileTypes: true })
          .filter((each) => each.isFile())
          .map((each) => readFileSync(join(each.parentPath, each.name), "utf8"))
          .join("\n"),
      ),
    entries: (run) =>
      Promise.resolve(
        ["beginning", "events"].flatMap((name) => linesIn(pathOf(run, name)).map(entryOf)),
      ),
    async setEntries(run, [beginning, ...events]) {
      writeFileSync(pathOf(run, "beginning"), beginning === undefined ? "" : lineOf(beginning));
      writeFileSync(pathOf(run, "events"), events.map(lineOf).join(""));
    },
    eventsOf: (run) => pathOf(run, "events"),
  };
}

export type PostgresPlace = RunsPlace & {
  readonly schema: string;
  /** Lets time pass for the leases. */
  advance(ms: number): Promise<void>;
};

/** Makes a place in a new schema of the database. */
export async function postgresPlace(
  database: OwnDatabase,
  times: Pick<PostgresRunsOptions, "answerWithinMs" | "leaseMs"> = {},
): Promise<PostgresPlace> {
  const schema = `runs_${randomBytes(4).toString("hex")}`;
  await migrateRuns({ url: database.url, schema });
  await database.run(
    `CREATE TABLE ${schema}.test_clock (ahead bigint NOT NULL);
     INSERT INTO ${schema}.test_clock VALUES (0);
     CREATE OR REPLACE FUNCTION ${schema}.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
       'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + (SELECT ahead FROM ${schema}.test_clock)'`,
  );
  const advance = async (ms: number) => {
    await database.run(`UPDATE ${schema}.test_clock SET ahead = ahead + ${ms}`);
  };
  const literal = (text: string) => `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const columns = "header, encode(sealed, 'base64') AS sealed";
  const entriesOf = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    rows.map(({ header, sealed }) => ({
      header: String(header),
      sealed: String(sealed).replaceAll("\n", ""),
    }));
  const outlive = () => advance((times.leaseMs ?? 10_000) + 1000);
  return {
    schema,
    advance,
    open: (key = testKey) => opened(postgresRuns({ url: database.url, schema, key, ...times })),
    processArguments: ["postgres", database.url, schema],
    outliveCrash: outlive,
    takeAway: outlive,
    async content() {
      const rows = await database.run(
        `SELECT r::text || coalesce(string_agg(e::text, ' '), '') AS text
         FROM ${schema}.run r LEFT JOIN ${schema}.event e ON e.run = r.key GROUP BY r`,
      );
      const texts = rows.map(({ text }) => String(text));
      // Bytes are shown in hexadecimal.
      return [
        ...texts,
        ...texts.map((each) => Buffer.from(each.replace(/.*\\x/, ""), "hex")),
      ].join();
    },
    async entries(run) {
      const key = literal(digestOfRun(run));
      return entriesOf([
        ...(await database.run(`SELECT ${columns} FROM ${schema}.run WHERE key = ${key}`)),
        ...(await database.run(
          `SELECT ${columns} FROM ${schema}.event WHERE run = ${key} ORDER BY n`,
        )),
      ]);
    },
    async setEntries(run, [beginning, ...events]) {
      const key = literal(digestOfRun(run));
      const values = ({ header, sealed }: StoredEntry) =>
        `${literal(header)}, decode(${literal(sealed)}, 'base64')`;
      await database.run(`DELETE FROM ${schema}.event WHERE run = ${key}`);
      for (const [n, each] of events.entries())
        await database.run(`INSERT INTO ${schema}.event VALUES (${key}, ${n}, ${values(each)})`);
      if (beginning === undefined) throw new Error("a run without a beginning");
      await database.run(
        `UPDATE ${schema}.run SET (header, sealed, events) = (${values(beginning)}, ${events.length})
         WHERE key = ${key}`,
      );
    },
  };
}

function opened(store: RunStore): RunStore {
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}
