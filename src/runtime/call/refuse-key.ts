import type { Call } from "./call.js";
import { callError } from "./call-error.js";

/**
 * For a call of a tool that is not keyed: whoever gives a key takes a repeated write for safe. A
 * read may be repeated with or without.
 *
 * @param why nobody keeps keys here
 * @throws ToolError `IDEMPOTENCY.REFUSED` for a write with a key
 */
export function refuseKey(call: Call, why: string): void {
  if (call.options.idempotencyKey == null || call.tool.effect === "read") return;
  if (call.decision !== undefined) call.decision.decidedBy = ["idempotency"];
  throw callError(
    call,
    { code: "IDEMPOTENCY.REFUSED", reason: "not-keyed" },
    `\`${call.toolId}\` was not called: it was given an \`idempotencyKey\`, and a repeated call would be made again, since ${why}`,
  );
}
