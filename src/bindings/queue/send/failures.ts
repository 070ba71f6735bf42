import {
  type Attempt,
  ToolError,
  type ToolFailure,
  type WriteOutcome,
} from "../../../runtime/sink.js";
import { LostBroker, RefusedMessage, UnknownAnswer, UnusableUrl } from "./faults.js";

/**
 * What is thrown for a message that no broker confirmed. Holds nothing of the message or of a credential.
 *
 * @param connection `${NAME}`
 */
export function failureOf(attempt: Attempt, connection: string, error: unknown): unknown {
  if (error instanceof UnusableUrl) return unusable(attempt, `\`${connection}\` ${error.message}`);
  if (error instanceof RefusedMessage) return unusable(attempt, error.message);
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
