/*
 * Redis' client: `open-redis` reads the URL, logs in and shares one `connection`, which adds an
 * `entry` for each message. `failures` makes the errors of calls, `ioredis-internals` what of the
 * library is private.
 */
import { Redis, type RedisOptions } from "ioredis";
import type { Broker } from "../../../send/broker.js";
import { LostBroker, RejectedMessage, UnusableUrl } from "../../../send/failures.js";
import { type BrokerUrl, readBrokerUrl } from "../../../send/link/broker-url.js";
import { shareLink } from "../../../send/link/shared-link.js";
import { tlsOptionNames, type TlsOptions, tlsOptionsOf } from "../../../send/link/tls-options.js";
import type { RedisPlace, RedisReceipt } from "../contract.js";
import { classifyError, hasNoPassword } from "./failures.js";
import { hideArguments } from "./ioredis-internals.js";
import { RedisLink } from "./connection.js";

/**
 * A client of the Redis behind a URL, over one connection.
 *
 * @param url `redis://user:password@host:port/database`, or `rediss`, which may have the options of
 *   `tlsOptionsOf`
 * @param directory what relative paths in the URL start from; the files are read with each
 *   connection
 * @param onIdle called when it holds no connection and no call
 * @throws UnusableUrl
 */
export function openRedis(
  url: string,
  directory = process.cwd(),
  onIdle: () => void = () => {},
): Broker<RedisPlace, RedisReceipt> {
  // Whatever can be said of it is said at once.
  readRedisUrl(url, directory);
  return shareLink(
    (abortController) => connectRedis(readRedisUrl(url, directory), abortController),
    onIdle,
  );
}

/** Where a connection goes, and as whom. Secret. */
export interface RedisSettings {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  /** A number from 0. */
  readonly db: number;
  readonly tls?: TlsOptions;
}

/** @throws UnusableUrl */
export function readRedisUrl(text: string, directory: string): RedisSettings {
  const url = readBrokerUrl(text, { scheme: "redis", options: tlsOptionNames });
  const { host, port, user, password } = url;
  if (user !== undefined && password === undefined)
    throw new UnusableUrl("has a user and no password; a password alone is written `:password@`");
  const tls = tlsOptionsOf(url, directory);
  return {
    host,
    port: port ?? 6379,
    ...(user !== undefined && { username: user }),
    ...(password !== undefined && { password }),
    db: databaseOf(url),
    ...(tls !== undefined && { tls }),
  };
}

function databaseOf({ path }: BrokerUrl): number {
  if (path === "") return 0;
  if (/^\d{1,5}$/.test(path)) return Number(path);
  throw new UnusableUrl("has a path that is no number of a database");
}

/**
 * A client that connects once. It queues nothing and repeats nothing: what becomes of a command
 * whose connection is lost is unknown, and so whether to send it again is for the tool's retry
 * policy to say.
 */
const once = {
  lazyConnect: true,
  retryStrategy: () => null,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // Whoever opens a link has a limit of its own.
  connectTimeout: 0,
  disconnectTimeout: 0,
  // Redis says that it is still loading when it is asked for something, too.
  enableReadyCheck: false,
  disableClientInfo: true,
  // Every server that has streams speaks it, and knows `AUTH`.
  protocol: 2,
} satisfies RedisOptions;

/**
 * Connects, logs in and selects the database.
 *
 * @throws LostBroker | RejectedMessage
 */
export async function connectRedis(
  { host, port, tls, ...identity }: RedisSettings,
  abortController: AbortController,
): Promise<RedisLink> {
  const redis = hideArguments(new Redis({ host, port, ...(tls && { tls }), ...once }));
  abortController.signal.addEventListener("abort", () => redis.disconnect(), { once: true });
  let problem: unknown;
  redis.on("error", (error) => {
    problem ??= error;
  });
  try {
    await redis.connect();
    return new RedisLink(redis, abortController, await logIn(redis, identity));
  } catch (error) {
    redis.disconnect();
    if (error instanceof RejectedMessage) throw error;
    throw classifyError(problem ?? error);
  }
}

/** Redis' own default, in bytes. Servers that don't tell have it. */
const usualBulkBytes = 536_870_912;

/**
 * Logs in and selects the database, in one round trip. The client could do both, but tells of a
 * password that isn't needed on the console, and goes on with database 0 when it can't select the
 * right one.
 *
 * @returns how many bytes a value may have: a larger one would end the connection, with all that is
 *   on it
 * @throws LostBroker | RejectedMessage
 */
export async function logIn(
  redis: Redis,
  { username, password, db }: Pick<RedisSettings, "username" | "password" | "db">,
): Promise<number> {
  const [login, database, limit] = await Promise.allSettled([
    password === undefined ? undefined : auth(redis, username, password),
    db === 0 ? undefined : redis.select(db),
    redis.config("GET", "proto-max-bulk-len"),
    redis.client("SETNAME", "skillc"),
  ]);
  // A password for a server that has none is no problem: what it protects is elsewhere.
  if (login.status === "rejected" && !hasNoPassword(login.reason))
    throw classifyError(login.reason, "login");
  if (database.status === "rejected") throw classifyError(database.reason, "database");
  requireOk("AUTH", login);
  requireOk("SELECT", database);
  if (limit.status === "rejected") return limitUnknown(limit.reason);
  const [, text]: readonly unknown[] = Array.isArray(limit.value) ? limit.value : [];
  return typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : usualBulkBytes;
}

/**
 * Whoever answers something else may have done anything, or be no Redis. @throws RejectedMessage
 */
function requireOk(command: string, answer: PromiseSettledResult<unknown>): void {
  if (answer.status === "rejected" || answer.value === undefined || answer.value === "OK") return;
  throw new RejectedMessage(`what Redis answered to ${command} is not OK`);
}

function auth(redis: Redis, username: string | undefined, password: string): Promise<unknown> {
  return username === undefined ? redis.auth(password) : redis.auth(username, password);
}

/** Many don't let their users ask. */
function limitUnknown(error: unknown): number {
  const problem = classifyError(error, "login");
  if (problem instanceof LostBroker || problem.message.endsWith("(NOAUTH)")) throw problem;
  return usualBulkBytes;
}
