import { callForEachStep, callForWholePlan } from "./baselines.js";
import { type JudgedDecisions, judgeDecisions } from "./decisions.js";
import { runOurs } from "./our-planner.js";
import { type PlanWithTools, readBoundPlans } from "./read-bound-plans.js";
import type { Usage } from "./usage.js";

/** One plan: its decisions, and its tokens in three ways. */
export interface JudgedPlan {
  readonly name: string;
  readonly decisions: JudgedDecisions;
  /** A call for each step, with full schemas and state. */
  readonly eachStep: Usage;
  /** One call that binds everything, and calls for what must be written. */
  readonly wholePlan: Usage;
  /** skillc's planner. */
  readonly ours: Usage;
  /** Calls that got other parameters than the bound ones. */
  readonly wrongCalls: readonly string[];
}

/** Judges all plans that were bound by hand. */
export function judgePlans(): Promise<readonly JudgedPlan[]> {
  return Promise.all(readBoundPlans().map(judgePlan));
}

async function judgePlan(bound: PlanWithTools): Promise<JudgedPlan> {
  const { usage, wrongCalls } = await runOurs(bound);
  return {
    name: bound.plan.name,
    decisions: judgeDecisions(bound),
    eachStep: callForEachStep(bound),
    wholePlan: callForWholePlan(bound),
    ours: usage,
    wrongCalls,
  };
}
