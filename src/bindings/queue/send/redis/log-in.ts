import type { Redis } from "ioredis";
import { LostBroker, RefusedMessage } from "../faults.js";
import type { RedisSettings } from "./redis-url.js";
import { faultOf } from "./refusals.js";

/** Redis' own default, in bytes. Servers that don't tell have it. */
const usualBulkBytes = 536_870_912;

/**
 * Logs in and selects the database, in one round trip. The client could do both, but tells of a password that isn't needed on the console, and goes on
 * with database 0 when it can't select the right one.
 *
 * @returns how many bytes a value may have: a larger one would end the connection, with all that is on it
 * @throws LostBroker | RefusedMessage
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
  if (login.status === "rejected" && !needsNone(login.reason)) throw faultOf(login.reason, "login");
  if (database.status === "rejected") throw faultOf(database.reason, "database");
  requireOk("AUTH", login);
  requireOk("SELECT", database);
  if (limit.status === "rejected") return limitUnknown(limit.reason);
  const [, text]: readonly unknown[] = Array.isArray(limit.value) ? limit.value : [];
  return typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : usualBulkBytes;
}

/** Whoever answers something else may have done anything, or be no Redis. @throws RefusedMessage */
function requireOk(command: string, answer: PromiseSettledResult<unknown>): void {
  if (answer.status === "rejected" || answer.value === undefined || answer.value === "OK") return;
  throw new RefusedMessage(`what Redis answered to ${command} is not OK`);
}

function auth(redis: Redis, username: string | undefined, password: string): Promise<unknown> {
  return username === undefined ? redis.auth(password) : redis.auth(username, password);
}

/** A password for a server that has none is no fault: what it protects is elsewhere. */
function needsNone(error: unknown): boolean {
  return error instanceof Error && /without any password|no password is set/.test(error.message);
}

/** Many don't let their users ask. */
function limitUnknown(error: unknown): number {
  const fault = faultOf(error, "login");
  if (fault instanceof LostBroker || fault.message.includes("NOAUTH")) throw fault;
  return usualBulkBytes;
}
