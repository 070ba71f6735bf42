import type { Client, ClientConfig, Pool, PoolConfig } from "pg";
import type * as Pg from "pg";
import { UnusableUrl } from "./faults.js";
import { orHangUp } from "./hang-up.js";
import { makeReady, watchSettings } from "./session-state.js";
import { settingsFor } from "./settings.js";

/** Connections to one server unless the URL says `pool_max`. */
const defaultMost = 10;

/** A server that doesn't answer within that is unavailable, however long the attempt may take: to the login, then to what the session is set to. */
const connectMs = 10_000;

/**
 * A pool that connects when it is first asked to. Idle connections are closed after ten seconds and never keep the process alive.
 *
 * @throws UnusableUrl for a URL that can't be read
 */
export function createPool(pg: typeof Pg, url: string, searchPath: readonly string[]): Pool {
  const config: ClientConfig = {
    connectionString: url,
    keepAlive: true,
    fallback_application_name: "skillc",
    connectionTimeoutMillis: connectMs,
  };
  requireReadable(pg, config);
  const pool = new pg.Pool({
    max: poolMax(url),
    allowExitOnIdle: true,
    Client: clientsWith(pg, config, settingsFor(url, searchPath)),
    // The pool waits for what it returns, and hands over what the class below made; the types don't say so.
    onConnect: (client) => preparing(client as Client) as unknown as void,
  });
  // An idle connection that is lost has left the pool; one in use tells its call.
  pool.on("error", ignore);
  pool.on("connect", (client) => void client.on("error", ignore));
  return pool;
}

function preparing(client: Client): Promise<void> {
  return orHangUp(client, connectMs, makeReady(client));
}

function ignore(): void {}

/** The limit on connecting is the client's: the pool's would also cut short the wait for a free connection. */
function clientsWith(
  pg: typeof Pg,
  config: ClientConfig,
  settings: readonly string[],
): NonNullable<PoolConfig["Client"]> {
  return class extends pg.Client {
    constructor() {
      super(config);
      watchSettings(this, settings);
    }
  };
}

/** What the parser throws may quote the URL, password included. */
function requireReadable(pg: typeof Pg, config: ClientConfig): Client {
  try {
    return new pg.Client(config);
  } catch {
    throw new UnusableUrl("is no URL that can be read, or names a file that can't");
  }
}

function poolMax(url: string): number {
  const [, text] = /[?&]pool_max=([^&#]*)/.exec(url) ?? [];
  if (text === undefined) return defaultMost;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UnusableUrl("has a `pool_max` that is no number from 1 to 9999");
}
