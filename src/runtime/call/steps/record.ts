import { beginCall } from "../../ledger/record-call.js";
import type { Call } from "../call.js";
import { beginInnerCall, requireRepeatable } from "../inner-call.js";
import { isShadowed } from "./shadow.js";

/**
 * Records a write before it is sent, and in a plan's run every call. The ledger comes first, so that
 * it knows each call that a run names.
 *
 * @throws ToolError if the call can't be recorded; it must then not be sent
 */
export function record(call: Call): undefined | Promise<void> {
  // Only a plan gets here in shadow mode. Its writes are recorded one by one.
  if (isShadowed(call)) return undefined;
  requireRepeatable(call);
  const recorded = call.tool.effect === "write" ? beginCall(call) : undefined;
  return recorded === undefined ? beginInnerCall(call) : recorded.then(() => beginInnerCall(call));
}
