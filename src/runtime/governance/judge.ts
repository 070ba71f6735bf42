/**
 * Decides whether a caller may make a call, by its scopes and the project's policies. Calls and
 * policy tests both use it.
 */
import type { Caller } from "../caller.js";
import type { CedarDecision, CedarEngine, CedarRequest } from "./cedar/engine.js";
import { cedarRequest, type JudgedCall, requestWithoutArguments } from "./cedar/request.js";
import type { GovernedTool, ProjectPolicy } from "./policy.js";
import { heldScopes } from "./scopes.js";

/** Recorded in place of a policy if no policy decided, and the implicit permit applies. */
const implicitPermit = "implicit-permit";

export type Judgement = (Decided & { readonly needsApproval: boolean }) | Refused;

interface Decided {
  readonly kind: "permitted";
  readonly decidedBy: readonly string[];
}

interface Refused {
  readonly kind: "refused";
  readonly reason: "scopes" | "policy" | "engine";
  /** Scopes that the caller lacks. */
  readonly scopes: readonly string[];
  /** Ids of policies. */
  readonly policies: readonly string[];
  /** Ids of policies, or a fixed word if no policy decided. */
  readonly decidedBy: readonly string[];
  readonly message: string;
  /** Reasons that the policies give (`@message("…")`). */
  readonly messages: readonly string[];
}

/**
 * Decides about a call. If the decision fails, the call is denied.
 *
 * @param engine undefined if the project has neither policies nor conditions
 */
export function judge(
  policy: ProjectPolicy,
  tool: GovernedTool,
  call: JudgedCall,
  engine: CedarEngine | undefined,
): Judgement {
  const held = heldScopes(policy, call.caller, call.toolId);
  const request = engine && cedarRequest(call, tool, held);
  const judgement = judged(policy, tool, call, held, () => request && engine.decide(request));
  return judgement.kind === "refused"
    ? judgement
    : { ...judgement, needsApproval: needsApproval(tool, engine, request) };
}

/**
 * Decides about a tool as far as known without arguments. Each call of it is decided anew.
 *
 * @param engine undefined if the project has neither policies nor conditions
 */
export function judgeWithoutArguments(
  policy: ProjectPolicy,
  tool: GovernedTool,
  asked: Omit<JudgedCall, "args">,
  engine: CedarEngine | undefined,
): Decided | Refused {
  const held = heldScopes(policy, asked.caller, asked.toolId);
  return judged(policy, tool, asked, held, () =>
    engine?.mayPermit(requestWithoutArguments(asked.caller, asked.toolId, tool, held)),
  );
}

function judged(
  policy: ProjectPolicy,
  tool: GovernedTool,
  call: Omit<JudgedCall, "args">,
  held: ReadonlySet<string>,
  decide: () => CedarDecision | undefined,
): Decided | Refused {
  const missing = tool.scopes.filter((each) => !held.has(each));
  if (missing.length > 0)
    return {
      kind: "refused",
      reason: "scopes",
      scopes: missing,
      policies: [],
      decidedBy: ["scopes"],
      messages: [],
      message: `\`${call.toolId}\` requires ${named(missing)}, which its caller does not hold`,
    };
  const decided = decide();
  if (decided?.decision === "failed") return undecided(call, decided.policies, decided.why);
  // If no policy permits the call, Cedar denies it without naming a policy.
  if (decided?.decision === "deny" && decided.policies.length > 0)
    return forbidden(
      decided.policies,
      `${named(decided.policies)} ${decided.policies.length === 1 ? "forbids" : "forbid"} \`${call.toolId}\` here`,
      messagesOf(policy, decided.policies),
    );
  const isPermitted = decided?.decision === "allow";
  if (!isPermitted && !hasImplicitPermit(policy, call.caller))
    return forbidden([], `no policy permits \`${call.toolId}\` here`);
  return {
    kind: "permitted",
    decidedBy: isPermitted ? decided.policies : [implicitPermit],
  };
}

/** Returns the denial of a call about which the engine could not decide. */
export function undecided(
  { toolId }: Pick<JudgedCall, "toolId">,
  policies: readonly string[],
  why: string,
): Refused {
  return {
    kind: "refused",
    reason: "engine",
    scopes: [],
    policies,
    decidedBy: policies.length === 0 ? ["engine"] : policies,
    messages: [],
    message: `the policy engine could not decide about \`${toolId}\`: ${why}`,
  };
}

function forbidden(
  policies: readonly string[],
  message: string,
  messages: readonly string[] = [],
): Refused {
  const decidedBy = policies.length === 0 ? ["no-permit"] : policies;
  const whole = messages.length === 0 ? message : `${message}: ${messages.join("; ")}`;
  return {
    kind: "refused",
    reason: "policy",
    scopes: [],
    policies,
    decidedBy,
    messages,
    message: whole,
  };
}

function messagesOf({ cedar }: ProjectPolicy, policies: readonly string[]): readonly string[] {
  const messages = new Map(Object.entries(cedar?.messages ?? {}));
  return [...new Set(policies.flatMap((id) => messages.get(id) ?? []))];
}

function hasImplicitPermit({ strict }: ProjectPolicy, caller: Caller | undefined): boolean {
  return !strict || (caller?.origin !== undefined && caller.origin !== "llm");
}

/** Returns whether a call needs approval. If the condition fails, it does. */
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
