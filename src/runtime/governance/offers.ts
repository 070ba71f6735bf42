/**
 * Selects the tools that a caller may call now, as far as known without arguments. It mirrors the
 * steps `discover` and `authorize`. Offering a tool doesn't authorize a call: each call is checked.
 */
import type { Caller } from "../caller.js";
import type { CedarEngine } from "./cedar/engine.js";
import { requestWithoutArguments } from "./cedar/request.js";
import type { Governor } from "./governor.js";
import type { GovernedTool } from "./policy.js";
import { heldScopes } from "./scopes.js";
import type { ToolStates } from "./tool-states.js";

/** Returns whether a tool is offered, by its id and the hash of its manifest. */
export type Offers = (toolId: string, manifest: string) => boolean;

/**
 * Returns the filter for the tools of a caller.
 *
 * @param engine undefined if the project has no policies
 */
export async function offersTo(
  { policy }: Governor,
  states: ToolStates,
  engine: (() => Promise<CedarEngine>) | undefined,
  caller: Caller,
): Promise<Offers> {
  await states.refresh();
  const asked = await engine?.();
  const isPermitted = (id: string, tool: GovernedTool, held: ReadonlySet<string>): boolean => {
    const decided = asked?.mayPermit(requestWithoutArguments(caller, id, tool, held));
    if (decided === undefined || (decided.decision === "deny" && decided.policies.length === 0))
      // A model makes the call, so the implicit permit applies only if the policy is not strict.
      return !policy.strict;
    return decided.decision === "allow";
  };
  return (id, manifest) => {
    const tool = Object.hasOwn(policy.tools, id) ? policy.tools[id] : undefined;
    if (tool === undefined || tool.manifest !== manifest || tool.deprecated) return false;
    const state = states.of(id, caller.tenant)?.state ?? "enabled";
    if (state !== "enabled") return false;
    const held = heldScopes(policy, caller, id);
    return tool.scopes.every((each) => held.has(each)) && isPermitted(id, tool, held);
  };
}
