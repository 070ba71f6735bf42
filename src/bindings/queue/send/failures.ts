import { UnusableUrl } from "../../../runtime/connection/errors.js";
import {
  type Attempt,
  ToolError,
  type ToolFailure,
  type WriteOutcome,
} from "../../../runtime/executor.js";

/**
 * The broker could not be reached, was lost, or can take no message now: another attempt may
 * succeed.
 */
export class LostBroker extends Error {
  override readonly name = "LostBroker";
  /** The system's or the broker's name for it: `ECONNREFUSED`, `NOT_ENOUGH_REPLICAS`. */
  readonly reason: string;
  /** Whether the broker may have the message all the same. */
  readonly outcome: WriteOutcome;

  constructor(reason: string, outcome: WriteOutcome = "unknown") {
    super(reason);
    this.reason = reason;
    this.outcome = outcome;
  }
}

/** The same problem, of a message that never left. */
export function unsent<Problem>(problem: Problem): Problem | LostBroker {
  return problem instanceof LostBroker ? new LostBroker(problem.reason, "not-done") : problem;
}

/**
 * The broker does not take this message, and would not take it again. The message holds no value of
 * a message or a credential.
 */
export class RejectedMessage extends Error {
  override readonly name = "RejectedMessage";
}

/**
 * The broker's answer is none: whether it has the message nobody knows. The message says what was
 * expected, and nothing of the answer.
 */
export class UnknownAnswer extends Error {
  override readonly name = "UnknownAnswer";
}

/**
 * What is thrown for a message that no broker confirmed. Holds nothing of the message or of a
 * credential.
 *
 * @param connection `${NAME}`
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

/** The broker does not have the message. */
function unusable(attempt: Attempt, reason: string): ToolError {
  const message = `\`${attempt.tool}\` could not publish: ${reason}`;
  return toolError(attempt, { code: "PROVIDER.PROTOCOL", reason }, message, "not-done");
}

/** The broker answered, and not as one that has the message does. */
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
