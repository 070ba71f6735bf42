/**
 * Errors for answers that are withheld from the caller. The call itself was made (`call-end.ts`).
 */
import type { ToolError, ToolFailure, WriteOutcome } from "../errors.js";
import type { Call } from "./call.js";
import { callError } from "./call-error.js";

export function withheld(call: Call, failure: ToolFailure, message: string): ToolError {
  return callError(call, failure, `${message}; the call was made`, { outcome: outcomeOf(call) });
}

/**
 * Returns what the caller should assume about the write: it may have happened, unless the answer
 * says that it didn't.
 */
function outcomeOf({ answered, answerOutcome, tool }: Call): WriteOutcome {
  if (tool.effect === "read") return "not-done";
  return answered?.status === "error" ? answerOutcome : "unknown";
}

/**
 * Makes the error for data that governance can't process.
 *
 * @param keyword the problem in one word that is not a keyword of JSON Schema
 * @param message the rest of a sentence that begins with the place
 */
export function unfit(call: Call, keyword: string, message: string): ToolError {
  const problems = [{ pointer: "", keyword, message }];
  return withheld(
    call,
    { code: "SCHEMA.VALIDATION_FAILED", subject: "result", problems },
    `the answer of \`${call.toolId}\` ${message}`,
  );
}
