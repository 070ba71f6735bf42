/**
 * The databases that calls are sent to, each opened by the first call.
 *
 * - `server.ts`: a server; `pool.ts`: its connections; `server-session.ts`: one of them while a
 *   call has it; `src/runtime/postgres`: connections to servers, and what pg doesn't document
 * - `embedded.ts`: PostgreSQL in this process; `extensions.ts`: those that come with it
 * - `session.ts`: what both are to a call; `wire.ts`: the messages that both take; `settings.ts`:
 *   what both are set to
 * - `formats.ts`: values between JSON and PostgreSQL's text; `rows.ts`: what an answer means;
 *   `failures.ts`: what is thrown where there is none
 * - `reach.ts`: what a call may reach, as capabilities
 */
import { resolve as resolvePath } from "node:path";
import { onShutdown } from "../../../runtime/executor.js";
import { Embedded, inMemory, realFolder } from "./embedded.js";
import { UnusableUrl } from "../../../runtime/connection/errors.js";
import { openServer } from "./server.js";
import type { Database } from "./session.js";

/** What has connections, by URL and search path: calls of all tools share it. */
const servers = new Map<string, Promise<Database>>();
/** By folder: two engines on one would destroy it. */
const embedded = new Map<string, Promise<Embedded>>();
/** By the path that is asked for. */
const folders = new Map<string, Promise<string>>();

const serverUrl = /^postgres(?:ql)?:\/\//i;
const embeddedUrl = /^pglite:\/\/(.+)$/is;

/**
 * The database behind a URL, opened by the first call that asks for it.
 *
 * @param directory what a relative path starts from
 * @param searchPath of a server's sessions; the embedded PostgreSQL is told with each statement
 * @throws UnusableUrl | LostConnection
 */
export function databaseAt(
  url: string,
  directory: string,
  searchPath: readonly string[],
): Promise<Database> {
  if (!serverUrl.test(url)) return embeddedAt(url, directory);
  const key = JSON.stringify([url, searchPath]);
  const found = servers.get(key);
  if (found !== undefined) return found;
  const forget = () => {
    if (servers.get(key) === opening) servers.delete(key);
  };
  const opening = openServer(url, searchPath, forget);
  servers.set(key, opening);
  opening.catch(forget);
  return opening;
}

/**
 * What of PGlite an application is handed. Its own declarations don't type-check where libraries
 * are looked into.
 */
export interface EmbeddedPostgres {
  /** Runs statements, separated by semicolons; gives what each gave. */
  exec(sql: string): Promise<readonly { readonly rows: readonly object[] }[]>;
  /** Runs one statement with the values of `$1`, `$2`…, as PGlite converts them. */
  query(sql: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/**
 * The embedded PostgreSQL behind a `pglite://` URL, the same that tools use: to load a schema or
 * sample data into it. Don't close it; `shutdown` does. It has the extensions that skillc compiles
 * with, `pg_stat_statements` aside. Rejects while another process has the folder.
 *
 * @param url `pglite://path`, relative to the folder, or `pglite://:memory:`
 * @param directory the working directory by default, as for `createRuntime`
 */
export async function openPglite(
  url: string,
  directory = process.cwd(),
): Promise<EmbeddedPostgres> {
  return (await embeddedAt(url, directory)).engine;
}

async function embeddedAt(url: string, directory: string): Promise<Embedded> {
  const [, path] = embeddedUrl.exec(url) ?? [];
  if (path === undefined)
    throw new UnusableUrl("must be a postgres://, postgresql:// or pglite:// URL");
  const folder = path === inMemory ? path : await folderAt(resolvePath(directory, path));
  return opened(embedded, folder, () => Embedded.open(folder));
}

function folderAt(path: string): Promise<string> {
  return opened(folders, path, () => realFolder(path));
}

/** One that fails to open is tried again by the next call. */
function opened<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  open: () => Promise<Value>,
): Promise<Value> {
  const found = known.get(key);
  if (found !== undefined) return found;
  const opening = open();
  known.set(key, opening);
  opening.catch(() => known.delete(key));
  return opening;
}

/** Waits for calls under way and closes all connections. A later call opens new ones. */
export async function closeSql(): Promise<void> {
  const closing = [...servers.values(), ...embedded.values()];
  servers.clear();
  embedded.clear();
  folders.clear();
  const open = await Promise.allSettled(closing);
  const closed = open.map((each) => (each.status === "fulfilled" ? each.value.close() : undefined));
  await Promise.all(closed);
}

onShutdown(closeSql);
