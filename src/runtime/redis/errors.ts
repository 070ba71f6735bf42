/*
 * What Redis answers, by its code: the first word of an error. Most of what has no code of its own
 * comes as `ERR`; then what was asked says what is wrong. The few cases that only Redis' words tell
 * apart are below by the beginnings that its source has for them, and other words count as an
 * unknown error.
 */
import { LostConnection } from "../connection/errors.js";

/** Errors that another attempt may not meet: Redis' state, its resources, a failover. */
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

/** In our words: Redis' own may quote what they refuse. */
const meanings: ReadonlyMap<string, string> = new Map([
  ["MOVED", "the key is on another node, and clusters are not supported"],
  ["ASK", "the key is on another node, and clusters are not supported"],
  ["NOAUTH", "it wants a password"],
  ["NOPERM", "the user may not do that"],
  ["WRONGPASS", "the user or the password is wrong"],
  ["WRONGTYPE", "the key holds something else"],
]);

/** Redis serves as many clients as it may. No code says so, and it passes. */
const tooManyClients = "ERR max number of clients";

/** What Redis says to a password though it has none, before version 6 and since. */
const noPassword = [
  "ERR Client sent AUTH, but no password is set",
  "ERR AUTH <password> called without any password",
];

/** What a server says before version 7 of a command that the user may not give in a script. */
const forbiddenInScript = ["ERR The user executing the script", "ERR ACL failure in script"];

/** What Redis was asked to take. */
export interface RedisRequest {
  /** In a word: `message`. */
  readonly what: string;
  /** What a refusal means there, where that says more than its code. */
  readonly meaningOf?: (code: string, reply: string) => string | undefined;
  /** What one means that nothing is known of. */
  readonly otherwise?: string;
}

export const login: RedisRequest = { what: "login", otherwise: "it doesn't take such a login" };
export const database: RedisRequest = { what: "database", otherwise: "there is no such database" };

/** Redis refused what it was asked to take, and would again. */
export class RedisRefusal extends Error {
  override readonly name = "RedisRefusal";
  /** `NOPERM`; `ERR` where Redis has none. Undefined for an answer that Redis would not give. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/**
 * What Redis answered, or why it didn't, without its words: the client's errors hold the command,
 * password or message included, and go no further.
 */
export function errorOfRedis(error: unknown, asked: RedisRequest): LostConnection | RedisRefusal {
  if (error instanceof LostConnection || error instanceof RedisRefusal) return error;
  if (!(error instanceof Error)) return new LostConnection("connection lost", "unknown");
  // The client's type for what Redis answers.
  if (error.name === "ReplyError") return refusalOf(error.message, asked);
  const code = "code" in error ? error.code : undefined;
  return new LostConnection(typeof code === "string" ? code : "connection lost", "unknown");
}

/** Whether Redis said that it has no password, and so none that is wrong. */
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
  return reply.startsWith("ERR unknown command") ? "it doesn't know the command" : "error";
}

function startsWithAny(text: string, starts: readonly string[]): boolean {
  return starts.some((start) => text.startsWith(start));
}
