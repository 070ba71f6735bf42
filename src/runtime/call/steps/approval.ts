import { spendApproval } from "../../governance/approvals.js";
import type { Governor } from "../../governance/governor.js";
import type { Step } from "../call.js";

/**
 * Uses up the approval that `authorize` found good, when nothing else speaks against the call: one
 * that is refused, or answered from the store, spends none. Of calls that come at once with the same
 * approval, the first is made.
 */
export function approval(governor: Governor): Step {
  return (call) => {
    const id = call.decision?.approval;
    return id === undefined ? undefined : spendApproval(governor, call, id);
  };
}
