import { callError } from "../call/call-error.js";
import type { ToolError, ToolFailure } from "../errors.js";

type Refusal = Extract<ToolFailure, { readonly code: "ROLLBACK.REFUSED" }>;

/** Makes the error of a call that can't be undone. */
export function refuseRollback(
  { id, toolId }: { readonly id: string; readonly toolId: string },
  failure: Omit<Refusal, "call" | "code">,
  message: string,
): ToolError {
  return callError(
    { toolId, attempts: 0 },
    { code: "ROLLBACK.REFUSED", call: id, ...failure },
    message,
    { outcome: "not-done" },
  );
}
