/** Why an answer that has come is withheld from the caller. The call was made (`call-end.ts`). */
import type { ToolError, ToolFailure, WriteOutcome } from "../errors.js";
import type { Call } from "./call.js";
import { callError } from "./call-error.js";

export function withheld(call: Call, failure: ToolFailure, message: string): ToolError {
  return callError(call, failure, `${message}; the call was made`, { outcome: outcomeOf(call) });
}

/** What its caller is to think of a write: that it may have happened, unless the answer says not. */
function outcomeOf({ answered, answerOutcome, tool }: Call): WriteOutcome {
  if (tool.effect === "read") return "not-done";
  return answered?.status === "error" ? answerOutcome : "unknown";
}

/**
 * For data that governance can't work on.
 *
 * @param keyword what is wrong in one word, which is none of JSON Schema's
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
