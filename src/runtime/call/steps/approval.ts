import { findTrial, spendApproval } from "../../governance/approvals.js";
import { type Governor, whenKnown } from "../../governance/governor.js";
import type { Call, Step } from "../call.js";
import { isShadowed } from "./shadow.js";

/**
 * Uses up the approval that `authorize` checked, after all other checks. A call that is denied, or
 * answered from the store, uses none. If several calls have the same approval, only the first is
 * made. A call without an approval that can be tried is tried here.
 */
export function approval(governor: Governor): Step {
  return (call) => {
    if (isShadowed(call)) return undefined;
    return typeof call.trial === "function"
      ? call.trial().then(() => useApproval(governor, call))
      : useApproval(governor, call);
  };
}

function useApproval(governor: Governor, call: Call): undefined | Promise<void> {
  const id = call.decision?.approval;
  if (id === undefined) return undefined;
  return whenKnown(findTrial(governor, call, id), () => spendApproval(governor, call, id));
}
