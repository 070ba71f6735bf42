/**
 * Connections to a PostgreSQL server: connecting, session settings, changed settings, and closing.
 */
import type * as Pg from "pg";
import type { Client, ClientConfig, Pool, PoolClient, PoolConfig } from "pg";
import { UnusableUrl } from "../connection/errors.js";
import { cancelOnServer, closeSocket, onceClosed, onSetting } from "./pg-internals.js";

export interface PoolOptions {
  /** Statements that set up each session. */
  readonly settings: readonly string[];
  /** Application name for the server, unless the URL sets one. */
  readonly name: string;
  /** Maximum number of connections, unless the URL sets `pool_max`; 10 by default. */
  readonly most?: number;
}

const usualMost = 10;

/**
 * Time limit for the login, and again for the session settings, in milliseconds. It doesn't depend
 * on the time limit of the attempt.
 */
const connectMs = 10_000;

/**
 * Creates a pool that connects on first use. Idle connections close after ten seconds and never
 * keep the process alive.
 *
 * @throws UnusableUrl if the URL is not valid
 */
export function createPool(
  pg: typeof Pg,
  url: string,
  { most, name, settings }: PoolOptions,
): Pool {
  const config: ClientConfig = {
    connectionString: url,
    keepAlive: true,
    fallback_application_name: name,
    connectionTimeoutMillis: connectMs,
  };
  requireReadable(pg, config);
  const connecting = new Set<Client>();
  const pool = new pg.Pool({
    max: poolMax(url, most),
    allowExitOnIdle: true,
    Client: clientsWith(pg, config, settings, (client) => {
      connecting.add(client);
      onceClosed(client, () => connecting.delete(client));
    }),
    // The pool waits for the returned promise and passes a client of the class below; its types
    // don't show that.
    onConnect: (client) => preparing(client as Client) as unknown as void,
  });
  // A lost idle connection has already left the pool; one in use reports the error to its call.
  pool.on("error", ignore);
  pool.on("connect", (client) => {
    connecting.delete(client);
    client.on("error", ignore);
  });
  connectingOf.set(pool, connecting);
  return pool;
}

/** Clients that are connecting or setting up their session. */
const connectingOf = new WeakMap<object, ReadonlySet<Client>>();

/** Closes connections that are still being made. Whoever waits for one gets an error. */
export function cutConnecting(pool: object): void {
  for (const client of connectingOf.get(pool) ?? []) closeSocket(client);
}

/** Closes a pool that nobody waits for. */
export async function endPool(pool: Pick<Pool, "end">): Promise<void> {
  const ended = pool.end();
  cutConnecting(pool);
  await ended;
}

function preparing(client: Client): Promise<void> {
  return orDisconnect(client, connectMs, makeReady(client));
}

function ignore(): void {}

/**
 * Sets the time limit of connecting on the client, because the pool's limit would also cover the
 * wait for a free connection.
 */
function clientsWith(
  pg: typeof Pg,
  config: ClientConfig,
  settings: readonly string[],
  made: (client: Client) => void,
): NonNullable<PoolConfig["Client"]> {
  return class extends pg.Client {
    constructor() {
      super(config);
      watchSettings(this, settings);
      made(this);
    }
  };
}

/** Creates a client to check the URL. The parser's errors may quote the URL with its password. */
function requireReadable(pg: typeof Pg, config: ClientConfig): Client {
  try {
    return new pg.Client(config);
  } catch {
    throw new UnusableUrl("is not a valid URL, or names an unreadable file");
  }
}

function poolMax(url: string, most = usualMost): number {
  const [, text] = /[?&]pool_max=([^&#]*)/.exec(url) ?? [];
  if (text === undefined) return most;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UnusableUrl("has a `pool_max` that is not a number from 1 to 9999");
}

interface ReportedSettings {
  /** Statements with this session's settings. */
  readonly ours: readonly string[];
  /** Values when the session was set up. */
  readonly own: Map<string, string>;
  readonly changed: Set<string>;
  isReady: boolean;
}

const reported = new WeakMap<Client, ReportedSettings>();

/**
 * Tracks the settings whose changes the server reports (`DateStyle`, `TimeZone`…), at no cost. Call
 * it before the login.
 *
 * @param ours statements with the session's settings
 */
function watchSettings(client: Client, ours: readonly string[]): void {
  const own = new Map<string, string>();
  const changed = new Set<string>();
  const settings: ReportedSettings = { ours, own, changed, isReady: false };
  reported.set(client, settings);
  onSetting(client, (name, value) => {
    if (!settings.isReady) own.set(name, value);
    else if (own.get(name) === value) changed.delete(name);
    else changed.add(name);
  });
}

/** Applies the session's settings. */
async function makeReady(client: Client): Promise<void> {
  const settings = reported.get(client);
  const ours = settingsOf(client);
  if (ours.length > 0) await client.query(ours.join("; "));
  if (settings !== undefined) settings.isReady = true;
}

/** Returns the statements that set up a session. */
export function settingsOf(client: Client): readonly string[] {
  return reported.get(client)?.ours ?? [];
}

/** Returns whether a statement has changed a setting. */
export function hasChanged(client: Client): boolean {
  return (reported.get(client)?.changed.size ?? 0) > 0;
}

/** Time limit for cheap answers, in milliseconds: a ROLLBACK, a request to cancel, a close. */
export const graceMs = 2_000;

/** Waits for the work, and closes the connection at the time limit, so that the work rejects. */
export async function orDisconnect<Result>(
  client: Client,
  ms: number,
  work: Promise<Result>,
): Promise<Result> {
  const timer = setTimeout(() => closeSocket(client), ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Closes a connection. The pool can replace it at once; calls that wait for its answer continue
 * when it is closed.
 */
export function discard(client: PoolClient): void {
  const timer = setTimeout(() => closeSocket(client), graceMs).unref();
  onceClosed(client, () => clearTimeout(timer));
  client.release(true);
}

/** Cancels what the connection runs, and closes the connection if that doesn't help. */
export async function stopClient(pg: typeof Pg, client: Client): Promise<void> {
  await cancelOnServer(pg, client, graceMs);
  const timer = setTimeout(() => closeSocket(client), graceMs);
  timer.unref();
  onceClosed(client, () => clearTimeout(timer));
}
