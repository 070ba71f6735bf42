import type { Call } from "./call.js";
import { callError } from "./call-error.js";

/**
 * Checks that the caller has the fields that the binding uses.
 *
 * @throws ToolError if a field is missing
 */
export function requireCaller(call: Call): void {
  const { caller, tool } = call;
  const missing = (tool.caller ?? []).filter((field) => caller?.[field] === undefined);
  if (missing.length === 0) return;
  const named = missing.map((each) => `\`${each}\``).join(", ");
  throw callError(
    call,
    { code: "AUTH.CALLER_MISSING", fields: missing },
    `\`${call.toolId}\` needs ${named} of its caller: call it within \`withCaller({ ${missing.join(", ")} }, …)\``,
  );
}
