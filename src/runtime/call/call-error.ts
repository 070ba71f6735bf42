import { ToolError, type ToolErrorOptions, type ToolFailure } from "../errors.js";
import type { Call } from "./call.js";

/** Why a call has no answer, with the attempts that were made until now. */
export function callError(
  call: Pick<Call, "attempts" | "toolId">,
  failure: ToolFailure,
  message: string,
  options: ToolErrorOptions = {},
): ToolError {
  return new ToolError(call.toolId, failure, message, { attempts: call.attempts, ...options });
}

/** The caller's signal aborted. */
export function abortedError(call: Pick<Call, "attempts" | "outcome" | "toolId">): ToolError {
  return callError(
    call,
    { code: "UNKNOWN.INTERNAL", reason: "aborted" },
    `\`${call.toolId}\` was aborted by its caller`,
    { outcome: call.outcome },
  );
}
