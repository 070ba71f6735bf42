/**
 * The databases to which calls are sent. The first call opens each.
 *
 * - `server.ts`: a server and its connections; `server-session.ts`: a connection while one call
 *   uses it
 * - `src/runtime/postgres`: the pool, driver errors, and undocumented parts of pg
 * - `embedded.ts`: PostgreSQL in this process; `extensions.ts`: its extensions
 * - `session.ts`: the interface of both, and transactions; `wire.ts`: protocol messages for both
 * - `settings.ts`: the settings of every session
 * - `formats.ts`: conversion between JSON and PostgreSQL's text form
 * - `rows.ts`: conversion of a reply to a tool's result; `failures.ts`: errors without a result
 * - `reach.ts`: capabilities of a call
 */
import { resolve as resolvePath } from "node:path";
import { onShutdown } from "../../../runtime/executor.js";
import { Embedded, inMemory, realFolder } from "./embedded.js";
import { UnusableUrl } from "../../../runtime/connection/errors.js";
import { openServer } from "./server.js";
import type { Database } from "./session.js";

/** Servers by URL and search path. Calls of all tools share their connections. */
const servers = new Map<string, Promise<Database>>();
/** Embedded databases by folder. Two engines on one folder would destroy its data. */
const embedded = new Map<string, Promise<Embedded>>();
/** Real folders by the requested path. */
const folders = new Map<string, Promise<string>>();

const serverUrl = /^postgres(?:ql)?:\/\//i;
const embeddedUrl = /^pglite:\/\/(.+)$/is;

/**
 * Finds the database behind a URL, and opens it if no call has used it yet.
 *
 * @param directory base of relative paths
 * @param searchPath search path of a server's sessions; an embedded PostgreSQL gets it with each
 * statement
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
 * The part of PGlite's interface that an application gets. PGlite's own declarations fail the type
 * check of projects without `skipLibCheck`.
 */
export interface EmbeddedPostgres {
  /** Runs statements separated by semicolons, and returns the result of each. */
  exec(sql: string): Promise<readonly { readonly rows: readonly object[] }[]>;
  /** Runs one statement with the values of `$1`, `$2`…, which PGlite converts. */
  query(sql: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/**
 * Opens the embedded PostgreSQL behind a `pglite://` URL, for example to load a schema or sample
 * data. Tools with that URL use the same engine. Don't close it; `shutdown` does. It has the
 * extensions that skillc compiles with, except `pg_stat_statements`. Rejects while another process
 * uses the folder.
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

/** Shares one opening among calls. If it fails, the next call tries again. */
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

/** Waits for running calls and closes all connections. A later call opens new ones. */
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
