import type { GovernanceStore } from "./store.js";

/**
 * Returns whether a store keeps budgets, keys, leases and states of tools in the memory of this
 * process. It then forgets them when the process ends, and no other process reads them. A folder
 * holds only approvals.
 */
export function isInProcess({ kind }: Pick<GovernanceStore, "kind">): boolean {
  return kind === "memory" || kind === "folder";
}
