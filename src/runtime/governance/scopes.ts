import type { Caller } from "../caller.js";
import type { Grant, ProjectPolicy } from "./policy.js";

/**
 * Returns the scopes that a caller holds for a tool: its own scopes that are also granted to its
 * subject, one of its roles or its tenant.
 */
export function heldScopes(
  policy: Pick<ProjectPolicy, "grants">,
  caller: Caller | undefined,
  toolId: string,
): ReadonlySet<string> {
  const own = caller?.scopes ?? [];
  const { grants } = policy;
  if (grants === undefined || caller === undefined) return new Set(own);
  const granted = new Set<string>();
  for (const grant of grants)
    if (isFor(grant, caller, toolId)) for (const scope of grant.scopes) granted.add(scope);
  const held = new Set<string>();
  for (const scope of own) if (granted.has(scope)) held.add(scope);
  return held;
}

function isFor({ to, tools }: Grant, caller: Caller, toolId: string): boolean {
  if (tools !== undefined && !tools.includes(toolId)) return false;
  if (to.subject !== undefined) return to.subject === caller.subject;
  if (to.tenant !== undefined) return to.tenant === caller.tenant;
  return to.role !== undefined && caller.roles?.includes(to.role) === true;
}
