import { spendApproval } from "../../governance/approvals.js";
import type { Governor } from "../../governance/governor.js";
import type { Step } from "../call.js";
import { isShadowed } from "./shadow.js";

/**
 * Uses up the approval that `authorize` checked, after all other checks. A call that is denied, or
 * answered from the store, uses none. If several calls have the same approval, only the first is
 * made.
 */
export function approval(governor: Governor): Step {
  return (call) => {
    const id = call.decision?.approval;
    return id === undefined || isShadowed(call) ? undefined : spendApproval(governor, call, id);
  };
}
