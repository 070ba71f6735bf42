/** What a call is told of what Redis answers to its message (`src/runtime/redis/errors.ts`). */
import { LostConnection } from "../../../../../runtime/connection/errors.js";
import { type RedisRequest, errorOfRedis } from "../../../../../runtime/redis/errors.js";
import { LostBroker, RejectedMessage } from "../../../send/failures.js";

/** What the script that adds entries puts behind an error about the key that remembers them. */
export const ofKey = " (idempotency key)";

const ofStream: ReadonlyMap<string, string> = new Map([
  ["MOVED", "the stream is on another node, and clusters are not supported"],
  ["ASK", "the stream is on another node, and clusters are not supported"],
  ["WRONGTYPE", "the stream's key holds something else"],
]);

const lastId = "ERR The stream has exhausted the last possible ID";

const message: RedisRequest = {
  what: "message",
  meaningOf(code, reply) {
    if (code === "WRONGTYPE" && reply.endsWith(ofKey))
      return "the key `skillc:idempotency:{<stream>}:<key>` of its idempotency key holds something else";
    return (
      ofStream.get(code) ??
      (reply.startsWith(lastId) ? "the stream's last id is the last possible" : undefined)
    );
  },
};

/** What Redis answered, or why it didn't. */
export function classifyError(error: unknown): LostBroker | RejectedMessage {
  const told = errorOfRedis(error, message);
  return told instanceof LostConnection
    ? new LostBroker(told.reason, told.outcome)
    : new RejectedMessage(told.message);
}

/** @param what was too large: `the message` */
export function tooLarge(what: string, bytes: number, limit: number): RejectedMessage {
  return new RejectedMessage(
    `${what} has ${bytes} bytes, and Redis takes ${limit} at most (proto-max-bulk-len)`,
  );
}
