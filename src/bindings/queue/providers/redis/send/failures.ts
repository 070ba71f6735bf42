/** Errors of calls for Redis' answers to a message (`src/runtime/redis/errors.ts`). */
import { LostConnection } from "../../../../../runtime/connection/errors.js";
import { type RedisRequest, errorOfRedis } from "../../../../../runtime/redis/errors.js";
import { LostBroker, RejectedMessage } from "../../../send/failures.js";

/** Suffix that the script adds to errors about the idempotency key. */
export const ofKey = " (idempotency key)";

const ofStream: ReadonlyMap<string, string> = new Map([
  ["MOVED", "the stream is on another node, but skillc doesn't support Redis clusters"],
  ["ASK", "the stream is on another node, but skillc doesn't support Redis clusters"],
  ["WRONGTYPE", "the key of the stream holds another type of value"],
]);

const lastId = "ERR The stream has exhausted the last possible ID";

const message: RedisRequest = {
  what: "message",
  meaningOf(code, reply) {
    if (code === "WRONGTYPE" && reply.endsWith(ofKey))
      return "the key `skillc:idempotency:{<stream>}:<key>` of the idempotency key holds another type of value";
    return (
      ofStream.get(code) ??
      (reply.startsWith(lastId) ? "the stream has used its last possible id" : undefined)
    );
  },
};

/** Returns the error for Redis' answer, or for a missing answer. */
export function classifyError(error: unknown): LostBroker | RejectedMessage {
  const classified = errorOfRedis(error, message);
  return classified instanceof LostConnection
    ? new LostBroker(classified.reason, classified.outcome)
    : new RejectedMessage(classified.message);
}

/** @param what subject of the error: `the message` */
export function tooLarge(what: string, bytes: number, limit: number): RejectedMessage {
  return new RejectedMessage(
    `${what} has ${bytes} bytes, but Redis accepts at most ${limit} (proto-max-bulk-len)`,
  );
}
