import pg from "pg";
import type { Described, Engine, SqlFault } from "./engine.js";
import { explain } from "./plan.js";
import { type Executed, openReadOnly, type ReadOnlySession } from "./read-only-session.js";
import { faultOfUrl, reasonWithoutPassword, UNREADABLE } from "./server-url.js";

export type OpenedServer =
  | { readonly kind: "open"; readonly engine: Engine }
  /** `message` holds nothing of the URL's password. */
  | { readonly kind: "unreachable"; readonly message: string };

/** For the connection and for each question, in milliseconds. */
const TIMEOUT = 10_000;

/** What the catalogues are asked is known of these. */
const OLDEST = 150_000;

/** From this version on a statement can be planned without values. */
const GENERIC_PLAN = 160_000;

/**
 * Connects to the server behind a `postgres://` URL, to describe statements and read its catalogues. All happens in one transaction that is read-only and
 * rolled back; nothing is executed but those questions. `plan` has nothing to say on a server older than 16.
 *
 * @param settings statements to begin with: `SET LOCAL …`
 */
export async function openServer(
  url: string,
  timeoutMs = TIMEOUT,
  settings: readonly string[] = [],
): Promise<OpenedServer> {
  const fault = faultOfUrl(url);
  if (fault !== undefined) return unreachable(fault);
  const client = createClient(url, timeoutMs);
  if (!(client instanceof pg.Client)) return client;
  try {
    await client.connect();
    const session = await openReadOnly(client, timeoutMs, settings);
    const version = await versionOf(session);
    if (version >= OLDEST) return { kind: "open", engine: createEngine(session, version) };
    await session.close();
    return unreachable(`it is PostgreSQL ${Math.floor(version / 10_000)}, and 15 is the oldest`);
  } catch (error) {
    client.connection.stream.destroy();
    return unreachable(reasonOf(url, error, timeoutMs));
  }
}

function unreachable(message: string): OpenedServer {
  return { kind: "unreachable", message };
}

function createClient(url: string, timeoutMs: number): pg.Client | OpenedServer {
  try {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: timeoutMs,
      fallback_application_name: "skillc",
      types: { getTypeParser: () => (value: string) => value },
    });
    // Without a listener, a server that goes away ends the process; the next question fails with it.
    client.on("error", () => {});
    return client;
  } catch (error) {
    const isUrl = error instanceof URIError || (error instanceof Error && "input" in error);
    return unreachable(isUrl ? UNREADABLE : reasonWithoutPassword(url, error));
  }
}

function reasonOf(url: string, error: unknown, timeoutMs: number): string {
  const isTimeout = error instanceof Error && error.message === "timeout expired";
  return isTimeout ? `no answer within ${timeoutMs} ms` : reasonWithoutPassword(url, error);
}

function createEngine(session: ReadOnlySession, version: number): Engine {
  const { close, describe, execute, silence } = session;
  return {
    describe,
    plan: async (sql) =>
      version < GENERIC_PLAN
        ? faultIn(await describe(sql))
        : explain(sql, describe, async (explained) => faultIn(await execute(explained))),
    rows: (sql) => rowsOf(session, sql),
    silence,
    close,
  };
}

async function rowsOf({ execute }: ReadOnlySession, sql: string) {
  const executed = await execute(sql);
  if (executed.kind === "rows") return executed.rows;
  throw Object.assign(new Error(executed.fault.message), executed.fault);
}

function faultIn(answer: Described | Executed): SqlFault | undefined {
  return answer.kind === "fault" ? answer.fault : undefined;
}

async function versionOf(session: ReadOnlySession): Promise<number> {
  const [row] = await rowsOf(session, "SHOW server_version_num");
  return Number(row?.["server_version_num"]);
}
