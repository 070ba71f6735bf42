import { JetStreamApiError, JetStreamError } from "@nats-io/jetstream";
import { errors } from "@nats-io/transport-node";
import { LostBroker, RejectedMessage, UnknownAnswer } from "../../../send/failures.js";

/** Returns the error for a connection that could not be opened. */
export function connectError(error: unknown): LostBroker | RejectedMessage {
  if (
    error instanceof errors.AuthorizationError ||
    error instanceof errors.UserAuthenticationExpiredError
  )
    return new RejectedMessage("NATS refused the login");
  return new LostBroker(reasonOf(error), "not-done");
}

/** Our texts for JetStream's error numbers. The server's own texts may quote names. */
const meanings: ReadonlyMap<number, string> = new Map([
  [10_039, "JetStream is off for the account"],
  [10_054, "the message is larger than the stream allows"],
  [10_076, "JetStream is off"],
  [10_109, "the stream is sealed"],
]);

/** Returns the error for a message that was not acknowledged. */
export function publishError(error: unknown): Error {
  // The server answers at once if nobody listens to the subject.
  if (hasNoResponders(error))
    return new RejectedMessage("no JetStream stream accepts this subject (503, no responders)");
  if (error instanceof JetStreamApiError) return rejectionOf(error);
  if (error instanceof UnknownAnswer) return error;
  if (error instanceof JetStreamError || error instanceof SyntaxError) return strangeAnswer();
  const cause = error instanceof errors.RequestError ? error.cause : error;
  if (cause instanceof errors.PermissionViolationError && cause.operation === "publish")
    return new RejectedMessage("the NATS user may not publish to this subject");
  // The client validates its input before it sends any of it.
  if (error instanceof errors.InvalidArgumentError)
    return new RejectedMessage("the message contains data that NATS can't carry, or is too large");
  if (error instanceof errors.TimeoutError) return new LostBroker("ETIMEDOUT");
  return new LostBroker(reasonOf(error));
}

/** The client doesn't export its own class of this error; the request's error is its cause. */
function hasNoResponders(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof errors.RequestError && cause.isNoResponders();
}

/** Returns the error if the stream has not stored the message, either temporarily or for good. */
function rejectionOf({ code, status }: JetStreamApiError): LostBroker | RejectedMessage {
  const isPassing = status >= 500 && !meanings.has(code);
  if (isPassing) return new LostBroker(`JetStream ${code}`, "not-done");
  return new RejectedMessage(
    `NATS refused the message: ${meanings.get(code) ?? "error"} (${code})`,
  );
}

/**
 * Returns the error for an answer that is not JetStream's. Another subscriber of the subject sent
 * it, and a stream may have the message too.
 */
export function strangeAnswer(): UnknownAnswer {
  return new UnknownAnswer("the response of NATS is not the acknowledgement of a stream");
}

/** Returns the system's code, from the error or its cause. */
function reasonOf(error: unknown): string {
  for (let each = error, depth = 0; each instanceof Error && depth < 4; depth += 1) {
    if ("code" in each && typeof each.code === "string") return each.code;
    each = each.cause;
  }
  return error instanceof errors.TimeoutError ? "ETIMEDOUT" : "connection lost";
}
