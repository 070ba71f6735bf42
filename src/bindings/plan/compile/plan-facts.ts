/** Sums up what a plan may need and do, from the tools of its steps. */
import { type RiskLevel, riskLevels, type ToolModel } from "../../../core/skill-model.js";
import { quote } from "../../../core/names.js";
import type { CapabilityForm } from "../../../kit/capability-form.js";
import { plannerReach, stepDefaults } from "@skillc/runtime/internal/plan";
import type { KnownStep } from "./linking.js";
import type { LinkedPlan, PlanConfig } from "./model.js";

/**
 * Tells if a write with an unknown outcome may be made again with the same key. `keyed`: only if
 * governance, in a durable store, recognizes the repeat.
 */
export function isRepeatable({ binding, governance }: ToolModel): boolean | "keyed" {
  if (binding.effect === "read" || binding.idempotent) return true;
  return governance?.idempotency === undefined ? false : "keyed";
}

/** Steps of the plans among the steps, with the ids of their tools. */
export function innerSteps(known: readonly KnownStep[]): LinkedPlan["innerSteps"] {
  return known.flatMap(({ found, step }) => {
    // Only plans have this key.
    const { linked } = found.tool.binding.config as PlanConfig;
    if (found.tool.binding.type !== "plan" || linked === undefined) return [];
    return [...linked.steps, ...linked.innerSteps].map(({ id, toolId }) => ({
      id: `${step.id}.${id}`,
      toolId,
    }));
  });
}

export function factsOf(
  known: readonly KnownStep[],
  capabilities: LinkedPlan["capabilities"],
): LinkedPlan["facts"] {
  const inner = known.flatMap(({ found }) => {
    // A plan's kind is this one.
    const { linked } = found.tool.binding.config as PlanConfig;
    return found.tool.binding.type === "plan" && linked ? [linked.facts] : [];
  });
  const scopes = known.flatMap(
    ({ found }) => found.tool.governance?.scopes.map(({ value }) => value) ?? [],
  );
  return {
    capabilities: sorted(capabilities.map(({ capability }) => capability)),
    credentials: sorted(capabilities.flatMap(({ credentials }) => credentials ?? [])),
    scopes: sorted([...scopes, ...inner.flatMap((each) => each.scopes)]),
    approvals: known.flatMap(({ found, step }) => approvalsOf(found.tool, step.id)),
    maxWrites: known.reduce((sum, each) => sum + writesOf(each), 0),
  };
}

/** Capabilities of a plan's steps, and that of asking a model if a planner is needed. */
export function capabilitiesOfPlan(
  { asks, capabilities }: LinkedPlan,
  toolId: string,
): LinkedPlan["capabilities"] {
  const own = plannerReach(toolId).capabilities;
  const asked = asks ? own.map((capability) => ({ capability, credentials: [] })) : [];
  return [...capabilities, ...asked];
}

/** Facts for a dry run. */
export function factsOfPlan(linked: LinkedPlan, toolId: string): LinkedPlan["facts"] {
  const capabilities = capabilitiesOfPlan(linked, toolId).map(({ capability }) => capability);
  return { ...linked.facts, capabilities: sorted(capabilities) };
}

/** Form of the capability that lets a plan ask a model for parameters. */
export const plannerCapabilityForm: CapabilityForm = {
  purpose: "planner",
  form: "planner:ask desk/refund-order",
  problem(act, place) {
    if (act !== "ask" && act !== "*")
      return `has ${quote(act)} after \`planner:\`, which must be \`ask\``;
    return /\s/.test(place) ? "has more than the id of one plan" : undefined;
  },
};

export function maySuspend({ found, step }: KnownStep): boolean {
  const { binding, governance, requiresConfirmation } = found.tool;
  // Only plans have this key.
  const { linked } = binding.config as PlanConfig;
  const isInner = found.tool.binding.type === "plan" && linked?.maySuspend === true;
  return step.suspends || requiresConfirmation || governance?.approval !== undefined || isInner;
}

function approvalsOf(tool: ToolModel, id: string): readonly string[] {
  const { approval } = tool.governance ?? {};
  const isAlways =
    tool.requiresConfirmation || (approval !== undefined && approval.when === undefined);
  // Only plans have this key.
  const { linked } = tool.binding.config as PlanConfig;
  const inner = tool.binding.type === "plan" ? (linked?.facts.approvals ?? []) : [];
  return [...(isAlways ? [id] : []), ...inner.map((each) => `${id}.${each}`)];
}

function writesOf({ found, step }: KnownStep): number {
  if (found.tool.binding.effect === "read") return 0;
  const { linked } = found.tool.binding.config as PlanConfig;
  const each = found.tool.binding.type === "plan" ? (linked?.facts.maxWrites ?? 1) : 1;
  return each * (step.list === undefined ? 1 : (step.maxItems ?? stepDefaults.maxItems));
}

export function highestRisk(risks: readonly RiskLevel[]): RiskLevel {
  return riskLevels.findLast((level) => risks.includes(level)) ?? "low";
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}
