import { requireApproval } from "../../governance/approvals.js";
import type { CedarDecision, CedarEngine, CedarRequest } from "../../governance/cedar/engine.js";
import { cedarRequest } from "../../governance/cedar/request.js";
import { decisionOf, governedTool, type Governor, refused } from "../../governance/governor.js";
import type { GovernedTool } from "../../governance/policy.js";
import { heldScopes } from "../../governance/scopes.js";
import type { Call, Step } from "../call.js";
import { isToolError } from "../../errors.js";
import { orAborted } from "../or-aborted.js";

/** What stands for a policy where none spoke, and the project has the implicit permit. */
const implicitPermit = "implicit-permit";

/**
 * Looks whether the caller may make this call: by its scopes, by the project's policies, by an
 * approval of this very call. Whatever nobody can decide is denied.
 *
 * @param engine undefined for a project that has neither policies nor conditions
 */
export function authorize(
  governor: Governor,
  engine: (() => Promise<CedarEngine>) | undefined,
): Step {
  let opened: CedarEngine | undefined;
  const decide = (call: Call, tool: GovernedTool): undefined | Promise<void> => {
    const request =
      opened && cedarRequest(call, tool, heldScopes(governor.policy, call.caller, call.toolId));
    if (opened !== undefined && request !== undefined)
      requirePermit(governor, call, opened.decide(request));
    else requireImplicitPermit(governor, call);
    const needed = needsApproval(tool, opened, request);
    return needed ? requireApproval(governor, call, tool) : undefined;
  };
  return (call) => {
    const tool = governedTool(governor, call);
    requireScopes(governor, call, tool);
    if (engine === undefined || opened !== undefined) return decide(call, tool);
    return orAborted(call, engine()).then(
      (found) => {
        opened = found;
        return decide(call, tool);
      },
      (cause: unknown) => {
        if (isToolError(cause)) throw cause;
        throw undecided(call, [], cause instanceof Error ? cause.message : String(cause));
      },
    );
  };
}

function requireScopes({ policy }: Governor, call: Call, { scopes }: GovernedTool): void {
  if (scopes.length === 0) return;
  const held = heldScopes(policy, call.caller, call.toolId);
  const missing = scopes.filter((each) => !held.has(each));
  if (missing.length === 0) return;
  throw refused(
    call,
    { code: "AUTH.FORBIDDEN", reason: "scopes", scopes: missing, decidedBy: ["scopes"] },
    `\`${call.toolId}\` takes ${named(missing)}, which its caller doesn't hold`,
    ["scopes"],
  );
}

function requirePermit(governor: Governor, call: Call, decided: CedarDecision): void {
  const { policies } = decided;
  if (decided.decision === "failed") throw undecided(call, policies, decided.why);
  if (decided.decision === "allow") decisionOf(call).decidedBy = policies;
  // Cedar denies what nothing permits, and names no policy then.
  else if (policies.length === 0) requireImplicitPermit(governor, call);
  else
    throw forbidden(
      call,
      policies,
      `${named(policies)} ${forbid(policies)} \`${call.toolId}\` here`,
    );
}

function requireImplicitPermit({ policy }: Governor, call: Call): void {
  const origin = call.caller?.origin;
  if (policy.strict && (origin === "llm" || origin === undefined))
    throw forbidden(call, [], `no policy permits \`${call.toolId}\` here`);
  decisionOf(call).decidedBy = [implicitPermit];
}

/** A condition that nobody can decide asks for an approval. */
function needsApproval(
  { approval }: GovernedTool,
  engine: CedarEngine | undefined,
  request: CedarRequest | undefined,
): boolean {
  if (approval === undefined) return false;
  if (!approval.conditional || engine === undefined || request === undefined) return true;
  return engine.needsApproval(request).decision !== "deny";
}

function forbidden(call: Call, decidedBy: readonly string[], message: string) {
  return refused(
    call,
    { code: "AUTH.FORBIDDEN", reason: "policy", scopes: [], decidedBy },
    message,
    decidedBy.length === 0 ? ["no-permit"] : decidedBy,
  );
}

function undecided(call: Call, decidedBy: readonly string[], why: string) {
  return refused(
    call,
    { code: "AUTH.FORBIDDEN", reason: "engine", scopes: [], decidedBy },
    `nobody could decide about \`${call.toolId}\`: ${why}`,
    decidedBy.length === 0 ? ["engine"] : decidedBy,
  );
}

function named(names: readonly string[]): string {
  return names.map((each) => `\`${each}\``).join(", ");
}

function forbid(policies: readonly string[]): string {
  return policies.length === 1 ? "forbids" : "forbid";
}
