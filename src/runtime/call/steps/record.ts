import { beginCall } from "../../ledger/record-call.js";
import type { Call } from "../call.js";

/**
 * Records a write before it leaves.
 *
 * @throws ToolError when it can't be recorded: then it must not leave
 */
export function record(call: Call): undefined | Promise<void> {
  return call.tool.effect === "write" ? beginCall(call) : undefined;
}
