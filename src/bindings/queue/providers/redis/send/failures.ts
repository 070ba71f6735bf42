/*
 * What Redis answers, by its code: the first word of an error. Most of what has no code of its own
 * comes as `ERR`; then what was asked says what is wrong. The few cases that only Redis' words tell
 * apart are below by the beginnings that its source has for them, and other words count as an
 * unknown error.
 */
import { LostBroker, RejectedMessage } from "../../../send/failures.js";

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
  ["MOVED", "the stream is on another node, and clusters are not supported"],
  ["ASK", "the stream is on another node, and clusters are not supported"],
  ["NOAUTH", "it wants a password"],
  ["NOPERM", "the user may not do that"],
  ["WRONGPASS", "the user or the password is wrong"],
  ["WRONGTYPE", "the stream's key holds something else"],
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

/** Of messages. */
const uncodedMeanings: readonly (readonly [start: string, meaning: string])[] = [
  ["ERR unknown command", "it doesn't know the command"],
  [
    "ERR The stream has exhausted the last possible ID",
    "the stream's last id is the last possible",
  ],
];

/** What the script that adds entries puts behind an error about the key that remembers them. */
export const ofKey = " (idempotency key)";

/** What Redis was asked to take. */
type Asked = "message" | "login" | "database";

/**
 * What Redis answered, or why it didn't.
 *
 * @param what was refused, if anything was
 */
export function classifyError(
  error: unknown,
  what: Asked = "message",
): LostBroker | RejectedMessage {
  if (error instanceof LostBroker || error instanceof RejectedMessage) return error;
  if (!(error instanceof Error)) return new LostBroker("connection lost");
  // The client's type for what Redis answers. It holds the command, password or message included,
  // and goes no further.
  if (error.name === "ReplyError") return rejectionOf(error.message, what);
  const code = "code" in error ? error.code : undefined;
  return new LostBroker(typeof code === "string" ? code : "connection lost");
}

/** Whether Redis said that it has no password, and so none that is wrong. */
export function hasNoPassword(error: unknown): boolean {
  return error instanceof Error && startsWithAny(error.message, noPassword);
}

function rejectionOf(reply: string, what: Asked): LostBroker | RejectedMessage {
  const [code = "ERR"] = startsWithAny(reply, forbiddenInScript)
    ? ["NOPERM"]
    : (/^[A-Z]+(?= |$)/.exec(reply) ?? []);
  if (passing.has(code)) return new LostBroker(code, "not-done");
  if (reply.startsWith(tooManyClients)) return new LostBroker("maxclients", "not-done");
  const meaning = meaningOfKey(code, reply) ?? meanings.get(code) ?? meaningOfUncoded(reply, what);
  return new RejectedMessage(`Redis refused the ${what}: ${meaning} (${code})`);
}

function meaningOfKey(code: string, reply: string): string | undefined {
  if (code !== "WRONGTYPE" || !reply.endsWith(ofKey)) return undefined;
  return "the key `skillc:idempotency:{<stream>}:<key>` of its idempotency key holds something else";
}

function meaningOfUncoded(reply: string, what: Asked): string {
  if (what === "database") return "there is no such database";
  if (what === "login") return "it doesn't take such a login";
  return uncodedMeanings.find(([start]) => reply.startsWith(start))?.[1] ?? "error";
}

function startsWithAny(text: string, starts: readonly string[]): boolean {
  return starts.some((start) => text.startsWith(start));
}

/** @param what was too large: `the message` */
export function tooLarge(what: string, bytes: number, limit: number): RejectedMessage {
  return new RejectedMessage(
    `${what} has ${bytes} bytes, and Redis takes ${limit} at most (proto-max-bulk-len)`,
  );
}
