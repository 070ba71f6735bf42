import type { Call } from "./call.js";
import { callError } from "./call-error.js";

/**
 * Rejects a key for a write of a tool that is not keyed, because the caller would consider a
 * repetition safe. A read may be repeated anyway.
 *
 * @param why reason why keys have no effect here
 * @throws ToolError `IDEMPOTENCY.REFUSED` for a write with a key
 */
export function refuseKey(call: Call, why: string): void {
  if (call.options.idempotencyKey == null || call.tool.effect === "read") return;
  if (call.decision !== undefined) call.decision.decidedBy = ["idempotency"];
  throw callError(
    call,
    { code: "IDEMPOTENCY.REFUSED", reason: "not-keyed" },
    `\`${call.toolId}\` was not called: it has an \`idempotencyKey\`, but a repeated call would run again, because ${why}`,
  );
}
