/*
 * Redis' answers by their code, which is the first word of an error. Most errors without their own
 * code begin with `ERR`; the request then determines the meaning. A few cases can only be told
 * apart by Redis' text; they are listed below by the beginning of the text in Redis' source. Any
 * other text counts as an unknown error.
 */
import { LostConnection } from "../connection/errors.js";

/** Temporary errors: Redis' state, its resources, a failover. */
const passing: ReadonlySet<string> = new Set([
  "BUSY",
  "CLUSTERDOWN",
  "LOADING",
  "MASTERDOWN",
  "MISCONF",
  "NOREPLICAS",
  "OOM",
  "READONLY",
  "TRYAGAIN",
]);

/** Meanings in skillc's words, because Redis' own text may quote data. */
const meanings: ReadonlyMap<string, string> = new Map([
  ["MOVED", "the key is on another node, but skillc doesn't support Redis clusters"],
  ["ASK", "the key is on another node, but skillc doesn't support Redis clusters"],
  ["NOAUTH", "a password is required"],
  ["NOPERM", "the user lacks the permission"],
  ["WRONGPASS", "the user or the password is wrong"],
  ["WRONGTYPE", "the key holds another type of value"],
]);

/** Redis has reached its limit of clients. The error has no code and is temporary. */
const tooManyClients = "ERR max number of clients";

/** Redis' answers to a password if it has none, before version 6 and since. */
const noPassword = [
  "ERR Client sent AUTH, but no password is set",
  "ERR AUTH <password> called without any password",
];

/** Answers before version 7 to a command in a script that the user may not run. */
const forbiddenInScript = ["ERR The user executing the script", "ERR ACL failure in script"];

/** A request to Redis. */
export interface RedisRequest {
  /** The request in one word: `message`. */
  readonly what: string;
  /** Returns the meaning of an error in this request, if it says more than the code. */
  readonly meaningOf?: (code: string, reply: string) => string | undefined;
  /** Meaning of an unknown error. */
  readonly otherwise?: string;
}

export const login: RedisRequest = {
  what: "login",
  otherwise: "it doesn't support this kind of login",
};
export const database: RedisRequest = {
  what: "database",
  otherwise: "the database does not exist",
};

/** The error of a request that Redis rejected and would reject again. */
export class RedisRefusal extends Error {
  override readonly name = "RedisRefusal";
  /**
   * `NOPERM` or another code; `ERR` if Redis has none. Undefined for an answer that Redis would not
   * give.
   */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Converts an error without its text, because the client's errors contain the command with its
 * password or message.
 */
export function errorOfRedis(error: unknown, asked: RedisRequest): LostConnection | RedisRefusal {
  if (error instanceof LostConnection || error instanceof RedisRefusal) return error;
  if (!(error instanceof Error)) return new LostConnection("connection lost", "unknown");
  // ioredis' class for errors that Redis returned.
  if (error.name === "ReplyError") return refusalOf(error.message, asked);
  const code = "code" in error ? error.code : undefined;
  return new LostConnection(typeof code === "string" ? code : "connection lost", "unknown");
}

/** Returns whether Redis has no password, so that none can be wrong. */
export function hasNoPassword(error: unknown): boolean {
  return error instanceof Error && startsWithAny(error.message, noPassword);
}

function refusalOf(reply: string, asked: RedisRequest): LostConnection | RedisRefusal {
  const [code = "ERR"] = startsWithAny(reply, forbiddenInScript)
    ? ["NOPERM"]
    : (/^[A-Z]+(?= |$)/.exec(reply) ?? []);
  if (passing.has(code)) return new LostConnection(code, "not-done");
  if (reply.startsWith(tooManyClients)) return new LostConnection("maxclients", "not-done");
  const meaning =
    asked.meaningOf?.(code, reply) ?? meanings.get(code) ?? asked.otherwise ?? uncoded(reply);
  return new RedisRefusal(`Redis refused the ${asked.what}: ${meaning} (${code})`, code);
}

function uncoded(reply: string): string {
  return reply.startsWith("ERR unknown command") ? "the server doesn't know the command" : "error";
}

function startsWithAny(text: string, starts: readonly string[]): boolean {
  return starts.some((start) => text.startsWith(start));
}
