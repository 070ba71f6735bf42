import { UnusableUrl } from "../../../runtime/connection/errors.js";
import {
  type Attempt,
  ToolError,
  type ToolFailure,
  type WriteOutcome,
} from "../../../runtime/executor.js";

/**
 * The broker could not be reached, was lost, or can't take messages now. Another attempt may
 * succeed.
 */
export class LostBroker extends Error {
  override readonly name = "LostBroker";
  /** The system's or the broker's name of the problem: `ECONNREFUSED`, `NOT_ENOUGH_REPLICAS`. */
  readonly reason: string;
  /** States whether the broker may still have the message. */
  readonly outcome: WriteOutcome;

  constructor(reason: string, outcome: WriteOutcome = "unknown") {
    super(reason);
    this.reason = reason;
    this.outcome = outcome;
  }
}

/** Returns the same problem for a message that was never sent. */
export function unsent<Problem>(problem: Problem): Problem | LostBroker {
  return problem instanceof LostBroker ? new LostBroker(problem.reason, "not-done") : problem;
}

/**
 * The broker rejects this message, and would reject it again. The error's text contains no value of
 * a message or a credential.
 */
export class RejectedMessage extends Error {
  override readonly name = "RejectedMessage";
}

/**
 * The broker's answer is invalid, so nobody knows whether it has the message. The error's text
 * states the expected answer and quotes nothing.
 */
export class UnknownAnswer extends Error {
  override readonly name = "UnknownAnswer";
}

/**
 * Makes the error of a call whose message no broker confirmed. It contains nothing of the message
 * or of a credential.
 *
 * @param connection name of the credential, as `${NAME}`
 */
export function failureOf(attempt: Attempt, connection: string, error: unknown): unknown {
  if (error instanceof UnusableUrl) return unusable(attempt, `\`${connection}\` ${error.message}`);
  if (error instanceof RejectedMessage) return unusable(attempt, error.message);
  if (error instanceof UnknownAnswer) return unconfirmed(attempt, connection, error.message);
  if (!(error instanceof LostBroker)) return error;
  const { outcome, reason } = error;
  const message = `\`${attempt.tool}\` got no confirmation from ${connection}: ${reason}`;
  return toolError(attempt, { code: "PROVIDER.UNAVAILABLE", reason }, message, outcome);
}

/** Makes the error for a broker that certainly doesn't have the message. */
function unusable(attempt: Attempt, reason: string): ToolError {
  const message = `\`${attempt.tool}\` could not publish: ${reason}`;
  return toolError(attempt, { code: "PROVIDER.PROTOCOL", reason }, message, "not-done");
}

/** Makes the error for a broker whose answer doesn't confirm the message. */
function unconfirmed(attempt: Attempt, connection: string, reason: string): ToolError {
  const message = `\`${attempt.tool}\` got no confirmation from ${connection}: ${reason}`;
  return toolError(attempt, { code: "PROVIDER.PROTOCOL", reason }, message, "unknown");
}

function toolError(
  attempt: Attempt,
  failure: ToolFailure,
  message: string,
  outcome: WriteOutcome,
): ToolError {
  return new ToolError(attempt.tool, failure, message, { attempts: attempt.number, outcome });
}
