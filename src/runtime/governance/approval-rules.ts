/** Rules about approvals that calls and approvers share. */
import type { GovernedTool, ProjectPolicy } from "./policy.js";

/** Form of ids of approvals. Other ids are rejected without asking the store. */
export const approvalIdForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/**
 * Marks a withdrawn approval, in place of the id of the call that used it. No call has such an id.
 */
export const withdrawnBy = "withdrawn by ";
/** Lifetime of an approval if its tool sets none, in milliseconds. */
export const dayMs = 24 * 60 * 60 * 1000;

/** Returns whether a caller may confirm its own calls of a tool on a channel. */
export function mayConfirm(
  { approvalChannels = usualChannels }: Pick<ProjectPolicy, "approvalChannels">,
  { approval }: Pick<GovernedTool, "approval">,
  { channel }: { readonly channel?: string | undefined },
): boolean {
  return approval?.by === "person" && channel !== undefined && approvalChannels.includes(channel);
}

/** Channels on which callers may confirm their own calls, if skillc.yaml lists none. */
export const usualChannels: readonly string[] = ["terminal", "elicitation"];
