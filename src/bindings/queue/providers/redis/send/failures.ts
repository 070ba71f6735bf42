import { LostBroker, RefusedMessage } from "../../../send/errors.js";

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

/** What the script that adds entries puts behind an error about the key that remembers them. */
export const ofKey = " (idempotency key)";

/**
 * What Redis answered, or why it didn't.
 *
 * @param what was refused, if anything was
 */
export function classifyError(
  error: unknown,
  what: "message" | "login" | "database" = "message",
): LostBroker | RefusedMessage {
  if (error instanceof LostBroker || error instanceof RefusedMessage) return error;
  if (!(error instanceof Error)) return new LostBroker("connection lost");
  // The client's type for what Redis answers; what it says holds the command, password or message included, and goes no further.
  if (error.name === "ReplyError") return refusalOf(error.message, what);
  const code = "code" in error ? error.code : undefined;
  return new LostBroker(typeof code === "string" ? code : "connection lost");
}

/** An error's first word is its code. */
function refusalOf(reply: string, what: string): LostBroker | RefusedMessage {
  const [code = "ERR"] = isForbidden(reply) ? ["NOPERM"] : (/^[A-Z]+(?= |$)/.exec(reply) ?? []);
  if (passing.has(code)) return new LostBroker(code, "not-done");
  if (reply.startsWith("ERR max number of clients"))
    return new LostBroker("maxclients", "not-done");
  const meaning = meaningOfKey(code, reply) ?? meanings.get(code) ?? meaningOf(reply);
  return new RefusedMessage(`Redis refused the ${what}: ${meaning} (${code})`);
}

/** Of a command in a script: other servers, other words. */
function isForbidden(reply: string): boolean {
  return /^ERR (?:The user executing the script|ACL failure in script)/.test(reply);
}

function meaningOfKey(code: string, reply: string): string | undefined {
  if (code !== "WRONGTYPE" || !reply.endsWith(ofKey)) return undefined;
  return "the key `skillc:idempotency:{<stream>}:<key>` of its idempotency key holds something else";
}

/** What Redis has no code for. */
function meaningOf(reply: string): string {
  if (reply.includes("unknown command")) return "it doesn't know the command";
  if (reply.includes("DB index")) return "there is no such database";
  if (reply.includes("last possible ID")) return "the stream's last id is the last possible";
  if (reply.includes("wrong number of arguments for 'auth'")) return "it takes no user's name";
  if (reply.includes("invalid username-password")) return "the user or the password is wrong";
  return "error";
}

/** @param what was too large: `the message` */
export function tooLarge(what: string, bytes: number, limit: number): RefusedMessage {
  return new RefusedMessage(
    `${what} has ${bytes} bytes, and Redis takes ${limit} at most (proto-max-bulk-len)`,
  );
}
