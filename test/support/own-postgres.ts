import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { globSync } from "tinyglobby";
import { freePort, until } from "../bindings/queue/support/server-process.js";

/** A PostgreSQL server for one test file, which may kill it. */
export interface OwnPostgres {
  readonly url: string;
  /** Stops the server at once, like a crash. */
  kill(): Promise<void>;
  /** Starts the server again, on the same port and with all confirmed data. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const run = promisify(execFile);

/** Folder of the newest installed version. */
const bin = globSync("/usr/lib/postgresql/*/bin/initdb", { absolute: true })
  .toSorted((a, b) => a.localeCompare(b, undefined, { numeric: true }))
  .at(-1)
  ?.replace(/\/initdb$/, "");

export const absenceOfPostgres =
  bin === undefined
    ? "there is no PostgreSQL below /usr/lib/postgresql; on Debian: `apt-get install postgresql`"
    : undefined;

/** Runs a command as another user if this user is root, because PostgreSQL rejects root. */
function asPostgres(command: string, args: readonly string[]): Promise<unknown> {
  if (userInfo().uid !== 0) return run(command, args);
  return run("runuser", ["-u", "postgres", "--", command, ...args]);
}

export async function startPostgres(): Promise<OwnPostgres> {
  const port = await freePort();
  const home = mkdtempSync(join(tmpdir(), "skillc-postgres-"));
  if (userInfo().uid === 0) await run("chown", ["postgres", home]);
  const data = join(home, "data");
  const initdb = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"];
  await asPostgres(`${bin}/initdb`, initdb);
  const control = (...args: readonly string[]) =>
    asPostgres(`${bin}/pg_ctl`, ["-D", data, "-l", join(home, "log"), ...args]);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const start = async () => {
    await control("-o", `-p ${port} -k ${home}`, "-w", "start");
    await until("PostgreSQL", () => isReady(url));
  };
  const kill = async () => void (await control("-m", "immediate", "stop").catch(() => {}));
  await start();
  return {
    url,
    kill,
    start,
    async close() {
      await kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on("error", () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
