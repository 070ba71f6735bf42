import type { Client, ClientConfig, Pool, PoolConfig } from "pg";
import type * as Pg from "pg";
import { UnusableUrl } from "./faults.js";
import { sessionSettings } from "./settings.js";

/** Connections to one server unless the URL says `pool_max`. */
const defaultMost = 10;

/** A server that doesn't answer within that is unavailable, however long the attempt may take. */
const connectMs = 10_000;

/**
 * A pool that connects when it is first asked to. Idle connections are closed after ten seconds and never keep the process alive.
 *
 * @throws UnusableUrl for a URL that can't be read
 */
export function createPool(pg: typeof Pg, url: string): Pool {
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
    Client: clientsWith(pg, config),
    // The pool waits for what it returns; the types don't say so.
    onConnect: (client) => client.query(sessionSettings.join("; ")) as unknown as void,
  });
  // An idle connection that is lost has left the pool; one in use tells its call.
  pool.on("error", ignore);
  pool.on("connect", (client) => void client.on("error", ignore));
  return pool;
}

function ignore(): void {}

/** The limit on connecting is the client's: the pool's would also cut short the wait for a free connection. */
function clientsWith(pg: typeof Pg, config: ClientConfig): NonNullable<PoolConfig["Client"]> {
  return class extends pg.Client {
    constructor() {
      super(config);
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
