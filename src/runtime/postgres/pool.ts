/**
 * Connections to a server: made, made ready, watched for what a statement leaves in them, and given
 * up.
 */
import type * as Pg from "pg";
import type { Client, ClientConfig, Pool, PoolClient, PoolConfig } from "pg";
import { UnusableUrl } from "../connection/errors.js";
import { cancelOnServer, closeSocket, onceClosed, onSetting } from "./pg-internals.js";

export interface PoolOptions {
  /** Statements that make each session ready. */
  readonly settings: readonly string[];
  /** What the server is told who connects, unless the URL says it. */
  readonly name: string;
  /** Connections, unless the URL says `pool_max`; 10 when not given. */
  readonly most?: number;
}

const usualMost = 10;

/**
 * A server that doesn't answer within that is unavailable, however long the attempt may take: to
 * the login, then to what the session is set to.
 */
const connectMs = 10_000;

/**
 * A pool that connects when it is first asked to. Idle connections are closed after ten seconds and
 * never keep the process alive.
 *
 * @throws UnusableUrl for a URL that can't be read
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
    // The pool waits for what it returns, and hands over what the class below made; the types don't
    // say so.
    onConnect: (client) => preparing(client as Client) as unknown as void,
  });
  // An idle connection that is lost has left the pool; one in use tells its call.
  pool.on("error", ignore);
  pool.on("connect", (client) => {
    connecting.delete(client);
    client.on("error", ignore);
  });
  connectingOf.set(pool, connecting);
  return pool;
}

/** Connections that are being made, and made ready. */
const connectingOf = new WeakMap<object, ReadonlySet<Client>>();

/** Gives connections up that are still being made: whoever waits for one is told that it is lost. */
export function cutConnecting(pool: object): void {
  for (const client of connectingOf.get(pool) ?? []) closeSocket(client);
}

/** Ends a pool that nobody waits for any more. */
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
 * The limit on connecting is the client's: the pool's would also cut short the wait for a free
 * connection.
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

/** What the parser throws may quote the URL, password included. */
function requireReadable(pg: typeof Pg, config: ClientConfig): Client {
  try {
    return new pg.Client(config);
  } catch {
    throw new UnusableUrl("is no URL that can be read, or names a file that can't");
  }
}

function poolMax(url: string, most = usualMost): number {
  const [, text] = /[?&]pool_max=([^&#]*)/.exec(url) ?? [];
  if (text === undefined) return most;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UnusableUrl("has a `pool_max` that is no number from 1 to 9999");
}

interface ReportedSettings {
  /** What sets those that are ours. */
  readonly ours: readonly string[];
  /** As they were when the session was made ready. */
  readonly own: Map<string, string>;
  readonly changed: Set<string>;
  isReady: boolean;
}

const reported = new WeakMap<Client, ReportedSettings>();

/**
 * Follows the settings of which the server reports every change (`DateStyle`, `TimeZone`…): that
 * costs nothing. To be called before the login.
 *
 * @param ours what the session is to be set to
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

/** Sets what every session is set to. */
async function makeReady(client: Client): Promise<void> {
  const settings = reported.get(client);
  const ours = settingsOf(client);
  if (ours.length > 0) await client.query(ours.join("; "));
  if (settings !== undefined) settings.isReady = true;
}

/** The statements that made a session ready. */
export function settingsOf(client: Client): readonly string[] {
  return reported.get(client)?.ours ?? [];
}

/** Whether a statement has left a setting as it wasn't. */
export function hasChanged(client: Client): boolean {
  return (reported.get(client)?.changed.size ?? 0) > 0;
}

/**
 * How long a server has to answer what costs it nothing: a ROLLBACK, a request to cancel, a
 * goodbye. In milliseconds.
 */
export const graceMs = 2_000;

/**
 * Waits for what the connection is to answer, and hangs up when it takes longer than that: then the
 * work rejects.
 */
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
 * Gives up a connection. The pool has its place back at once, and calls that wait for one as soon
 * as the connection is closed.
 */
export function discard(client: PoolClient): void {
  const timer = setTimeout(() => closeSocket(client), graceMs).unref();
  onceClosed(client, () => clearTimeout(timer));
  client.release(true);
}

/** Cancels what the connection runs; hangs up if it goes on all the same. */
export async function stopClient(pg: typeof Pg, client: Client): Promise<void> {
  await cancelOnServer(pg, client, graceMs);
  const timer = setTimeout(() => closeSocket(client), graceMs);
  timer.unref();
  onceClosed(client, () => clearTimeout(timer));
}
