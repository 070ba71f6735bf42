/**
 * Clients of Redis, for one connection each: how they are set up, connect and log in. `url.ts` says
 * where to, `errors.ts` what Redis answers, `ioredis-internals.ts` what of the library is private.
 */
import { Redis, type RedisOptions } from "ioredis";
import { LostConnection } from "../connection/errors.js";
import { database, errorOfRedis, hasNoPassword, login, RedisRefusal } from "./errors.js";
import { hideArguments } from "./ioredis-internals.js";
import type { RedisSettings } from "./url.js";

/**
 * A client that connects once. It queues nothing for a server that is away and repeats nothing: what
 * becomes of a command whose connection is lost is unknown, and so whether to send it again is for
 * whoever gave it to say.
 */
const once = {
  lazyConnect: true,
  retryStrategy: () => null,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // Whoever connects has a limit of its own.
  connectTimeout: 0,
  disconnectTimeout: 0,
  // Redis says that it is still loading when it is asked for something, too.
  enableReadyCheck: false,
  disableClientInfo: true,
  // Every server that has streams speaks it, and knows `AUTH`.
  protocol: 2,
} satisfies RedisOptions;

/** To be connected with `connect`. Prints no argument of a command, whatever `DEBUG` says. */
export function createClient({ host, port, tls }: RedisSettings): Redis {
  return hideArguments(new Redis({ host, port, ...(tls && { tls }), ...once }));
}

/**
 * Connects, logs in and selects the database; else the client is closed.
 *
 * @returns how many bytes a value may have: a larger one would end the connection, with all that is
 *   on it
 * @throws LostConnection | RedisRefusal
 */
export async function connect(redis: Redis, identity: Identity): Promise<number> {
  let problem: unknown;
  // Stays, for the client would print what nobody listens to.
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

/** Redis' own default, in bytes. Servers that don't tell have it. */
const usualBulkBytes = 536_870_912;

/**
 * Logs in and selects the database, in one round trip. The client could do both, but tells of a
 * password that isn't needed on the console, and goes on with database 0 when it can't select the
 * right one.
 */
async function logIn(redis: Redis, { username, password, db }: Identity): Promise<number> {
  const [loggedIn, selected, limit] = await Promise.allSettled([
    password === undefined ? undefined : auth(redis, username, password),
    db === 0 ? undefined : redis.select(db),
    redis.config("GET", "proto-max-bulk-len"),
    redis.client("SETNAME", "skillc"),
  ]);
  // A password for a server that has none is no problem: what it protects is elsewhere.
  if (loggedIn.status === "rejected" && !hasNoPassword(loggedIn.reason))
    throw errorOfRedis(loggedIn.reason, login);
  if (selected.status === "rejected") throw errorOfRedis(selected.reason, database);
  requireOk("AUTH", loggedIn);
  requireOk("SELECT", selected);
  if (limit.status === "rejected") return limitUnknown(limit.reason);
  const [, text]: readonly unknown[] = Array.isArray(limit.value) ? limit.value : [];
  return typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : usualBulkBytes;
}

/** Whoever answers something else may have done anything, or be no Redis. @throws RedisRefusal */
function requireOk(command: string, answer: PromiseSettledResult<unknown>): void {
  if (answer.status === "rejected" || answer.value === undefined || answer.value === "OK") return;
  throw new RedisRefusal(`what Redis answered to ${command} is not OK`);
}

function auth(redis: Redis, username: string | undefined, password: string): Promise<unknown> {
  return username === undefined ? redis.auth(password) : redis.auth(username, password);
}

/** Many don't let their users ask. */
function limitUnknown(error: unknown): number {
  const problem = errorOfRedis(error, login);
  if (problem instanceof LostConnection || problem.code === "NOAUTH") throw problem;
  return usualBulkBytes;
}
