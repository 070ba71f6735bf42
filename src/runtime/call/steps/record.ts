import { beginCall } from "../../ledger/record-call.js";
import type { Call } from "../call.js";

/**
 * Records a write before it is sent.
 *
 * @throws ToolError if the write can't be recorded; it must then not be sent
 */
export function record(call: Call): undefined | Promise<void> {
  return call.tool.effect === "write" ? beginCall(call) : undefined;
}
