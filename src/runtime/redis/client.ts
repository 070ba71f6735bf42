/**
 * Redis clients with one connection each: settings, connecting and login. `url.ts` reads the URL,
 * `errors.ts` interprets Redis' answers, and `ioredis-internals.ts` uses private parts of the
 * library.
 */
import { Redis, type RedisOptions } from "ioredis";
import { LostConnection } from "../connection/errors.js";
import { database, errorOfRedis, hasNoPassword, login, RedisRefusal } from "./errors.js";
import { hideArguments } from "./ioredis-internals.js";
import type { RedisSettings } from "./url.js";

/**
 * Options of a client that connects once. It queues nothing while disconnected, and repeats
 * nothing: if the connection is lost, the outcome of a command is unknown, and the caller decides
 * whether to send it again.
 */
const once = {
  lazyConnect: true,
  retryStrategy: () => null,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // Callers have their own time limit for connecting.
  connectTimeout: 0,
  disconnectTimeout: 0,
  // Redis also reports that it is loading in the answer to a command.
  enableReadyCheck: false,
  disableClientInfo: true,
  // Every server with streams supports this version, and `AUTH`.
  protocol: 2,
} satisfies RedisOptions;

/**
 * Creates a client; connect it with `connect`. It never prints arguments of commands, whatever
 * `DEBUG` is.
 */
export function createClient({ host, port, tls }: RedisSettings): Redis {
  return hideArguments(new Redis({ host, port, ...(tls && { tls }), ...once }));
}

/**
 * Connects, logs in and selects the database. Closes the client on failure.
 *
 * @returns maximum size of a value in bytes. A larger one would end the connection
 * @throws LostConnection | RedisRefusal
 */
export async function connect(redis: Redis, identity: Identity): Promise<number> {
  let problem: unknown;
  // Keep the listener, because the client prints errors that nobody listens to.
  redis.on("error", (error) => {
    problem ??= error;
  });
  try {
    await redis.connect();
    return await logIn(redis, identity);
  } catch (error) {
    redis.disconnect();
    if (error instanceof RedisRefusal) throw error;
    throw errorOfRedis(problem ?? error, login);
  }
}

type Identity = Pick<RedisSettings, "username" | "password" | "db">;

/** Redis' default, in bytes, for servers that don't report their limit. */
const usualBulkBytes = 536_870_912;

/**
 * Logs in and selects the database in one round trip. ioredis could do both, but it prints a
 * warning about an unneeded password, and uses database 0 if it can't select another one.
 */
async function logIn(redis: Redis, { username, password, db }: Identity): Promise<number> {
  const [loggedIn, selected, limit] = await Promise.allSettled([
    password === undefined ? undefined : auth(redis, username, password),
    db === 0 ? undefined : redis.select(db),
    redis.config("GET", "proto-max-bulk-len"),
    redis.client("SETNAME", "skillc"),
  ]);
  // A password for a server without one is accepted.
  if (loggedIn.status === "rejected" && !hasNoPassword(loggedIn.reason))
    throw errorOfRedis(loggedIn.reason, login);
  if (selected.status === "rejected") throw errorOfRedis(selected.reason, database);
  requireOk("AUTH", loggedIn);
  requireOk("SELECT", selected);
  if (limit.status === "rejected") return limitUnknown(limit.reason);
  const [, text]: readonly unknown[] = Array.isArray(limit.value) ? limit.value : [];
  return typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : usualBulkBytes;
}

/**
 * Checks that the answer is OK. Otherwise the server may be no Redis.
 *
 * @throws RedisRefusal
 */
function requireOk(command: string, answer: PromiseSettledResult<unknown>): void {
  if (answer.status === "rejected" || answer.value === undefined || answer.value === "OK") return;
  throw new RedisRefusal(`Redis did not answer OK to ${command}`);
}

function auth(redis: Redis, username: string | undefined, password: string): Promise<unknown> {
  return username === undefined ? redis.auth(password) : redis.auth(username, password);
}

/** Returns the default limit if the server doesn't allow the question, as many don't. */
function limitUnknown(error: unknown): number {
  const problem = errorOfRedis(error, login);
  if (problem instanceof LostConnection || problem.code === "NOAUTH") throw problem;
  return usualBulkBytes;
}
