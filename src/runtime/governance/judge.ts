/**
 * Whether a caller may make a call: by its scopes, by the project's policies. What the step of a
 * call and the tests of policies both ask.
 */
import type { Caller } from "../caller.js";
import type { CedarEngine, CedarRequest } from "./cedar/engine.js";
import { cedarRequest, type JudgedCall } from "./cedar/request.js";
import type { GovernedTool, ProjectPolicy } from "./policy.js";
import { heldScopes } from "./scopes.js";

/** What stands for a policy where none spoke, and the project has the implicit permit. */
const implicitPermit = "implicit-permit";

export type Judgement =
  | {
      readonly kind: "permitted";
      readonly decidedBy: readonly string[];
      readonly needsApproval: boolean;
    }
  | {
      readonly kind: "refused";
      readonly reason: "scopes" | "policy" | "engine";
      /** Those that the caller doesn't hold. */
      readonly scopes: readonly string[];
      /** Ids of policies. */
      readonly policies: readonly string[];
      /** With what stands for a policy where none decided. */
      readonly decidedBy: readonly string[];
      readonly message: string;
    };

/**
 * Whatever nobody can decide is refused.
 *
 * @param engine undefined for a project that has neither policies nor conditions
 */
export function judge(
  policy: ProjectPolicy,
  tool: GovernedTool,
  call: JudgedCall,
  engine: CedarEngine | undefined,
): Judgement {
  const held = heldScopes(policy, call.caller, call.toolId);
  const missing = tool.scopes.filter((each) => !held.has(each));
  if (missing.length > 0)
    return {
      kind: "refused",
      reason: "scopes",
      scopes: missing,
      policies: [],
      decidedBy: ["scopes"],
      message: `\`${call.toolId}\` takes ${named(missing)}, which its caller doesn't hold`,
    };
  const request = engine && cedarRequest(call, tool, held);
  const decided = request && engine.decide(request);
  if (decided?.decision === "failed") return undecided(call, decided.policies, decided.why);
  // Cedar denies what nothing permits, and names no policy then.
  if (decided?.decision === "deny" && decided.policies.length > 0)
    return forbidden(
      decided.policies,
      `${named(decided.policies)} ${decided.policies.length === 1 ? "forbids" : "forbid"} \`${call.toolId}\` here`,
    );
  const isPermitted = decided?.decision === "allow";
  if (!isPermitted && !hasImplicitPermit(policy, call.caller))
    return forbidden([], `no policy permits \`${call.toolId}\` here`);
  return {
    kind: "permitted",
    decidedBy: isPermitted ? decided.policies : [implicitPermit],
    needsApproval: needsApproval(tool, engine, request),
  };
}

/** What is refused where the engine can't be had. */
export function undecided(
  { toolId }: Pick<JudgedCall, "toolId">,
  policies: readonly string[],
  why: string,
): Extract<Judgement, { readonly kind: "refused" }> {
  return {
    kind: "refused",
    reason: "engine",
    scopes: [],
    policies,
    decidedBy: policies.length === 0 ? ["engine"] : policies,
    message: `nobody could decide about \`${toolId}\`: ${why}`,
  };
}

function forbidden(policies: readonly string[], message: string): Judgement {
  const decidedBy = policies.length === 0 ? ["no-permit"] : policies;
  return { kind: "refused", reason: "policy", scopes: [], policies, decidedBy, message };
}

function hasImplicitPermit({ strict }: ProjectPolicy, caller: Caller | undefined): boolean {
  return !strict || (caller?.origin !== undefined && caller.origin !== "llm");
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

function named(names: readonly string[]): string {
  return names.map((each) => `\`${each}\``).join(", ");
}
