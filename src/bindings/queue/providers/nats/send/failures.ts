import { JetStreamApiError, JetStreamError } from "@nats-io/jetstream";
import { errors } from "@nats-io/transport-node";
import { LostBroker, RejectedMessage, UnknownAnswer } from "../../../send/failures.js";

/** Why there is no connection. */
export function connectError(error: unknown): LostBroker | RejectedMessage {
  if (
    error instanceof errors.AuthorizationError ||
    error instanceof errors.UserAuthenticationExpiredError
  )
    return new RejectedMessage("NATS refused the login");
  return new LostBroker(reasonOf(error), "not-done");
}

/** JetStream's numbers of errors, in our words: its own may quote names. */
const meanings: ReadonlyMap<number, string> = new Map([
  [10_039, "JetStream is off for the account"],
  [10_054, "the message is larger than the stream allows"],
  [10_076, "JetStream is off"],
  [10_109, "the stream is sealed"],
]);

/** What became of a message that was not acknowledged. */
export function publishError(error: unknown): Error {
  // Whoever is asked answers at once when nobody listens to the subject.
  if (hasNoResponders(error))
    return new RejectedMessage("no JetStream stream accepts this subject (503, no responders)");
  if (error instanceof JetStreamApiError) return rejectionOf(error);
  if (error instanceof UnknownAnswer) return error;
  if (error instanceof JetStreamError || error instanceof SyntaxError) return strangeAnswer();
  const cause = error instanceof errors.RequestError ? error.cause : error;
  if (cause instanceof errors.PermissionViolationError && cause.operation === "publish")
    return new RejectedMessage("the NATS user may not publish to this subject");
  // The client looks at what it is given before it sends any of it.
  if (error instanceof errors.InvalidArgumentError)
    return new RejectedMessage("the message contains data that NATS can't carry, or is too large");
  if (error instanceof errors.TimeoutError) return new LostBroker("ETIMEDOUT");
  return new LostBroker(reasonOf(error));
}

/** The client's own error of it is not exported; the request's is its cause. */
function hasNoResponders(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof errors.RequestError && cause.isNoResponders();
}

/** The stream has not stored it: it can't now, or never. */
function rejectionOf({ code, status }: JetStreamApiError): LostBroker | RejectedMessage {
  const isPassing = status >= 500 && !meanings.has(code);
  if (isPassing) return new LostBroker(`JetStream ${code}`, "not-done");
  return new RejectedMessage(
    `NATS refused the message: ${meanings.get(code) ?? "error"} (${code})`,
  );
}

/** Whoever answers so has subscribed to the subject: a stream may have the message, too. */
export function strangeAnswer(): UnknownAnswer {
  return new UnknownAnswer("the response of NATS is not the acknowledgement of a stream");
}

/** The system's name for it, which stands in the error or in its cause. */
function reasonOf(error: unknown): string {
  for (let each = error, depth = 0; each instanceof Error && depth < 4; depth += 1) {
    if ("code" in each && typeof each.code === "string") return each.code;
    each = each.cause;
  }
  return error instanceof errors.TimeoutError ? "ETIMEDOUT" : "connection lost";
}
