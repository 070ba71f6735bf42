/** Judges what types and names decide, by the bindings that were written by hand. */
import { getOwn } from "../../src/core/json.js";
import type { ParameterBinding } from "../../src/planner/index.js";
import { readPlan } from "../../src/planner/plan.js";
import { solve } from "../../src/planner/solve.js";
import { PlannerTools } from "../../src/planner/tools.js";
import type { RightBinding } from "./bound-plan.js";
import { catalogOf } from "./catalog.js";
import type { PlanWithTools } from "./read-bound-plans.js";

/** Decisions about one plan. */
export interface JudgedDecisions {
  /** Number of parameters that have a right source, value or default that the plan does not give. */
  readonly bound: number;
  /** Number of parameters that types and names decided. */
  readonly decided: number;
  /** Number of parameters that a model is asked for. */
  readonly asked: number;
  /** Wrong decisions, each with its place. */
  readonly wrong: readonly string[];
}

/** Runs the solver alone. */
export function judgeDecisions({ plan, tools }: PlanWithTools): JudgedDecisions {
  const read = readPlan(plan.plan, new PlannerTools(catalogOf(tools)));
  if ("problems" in read) throw new Error(`${plan.name}: ${JSON.stringify(read.problems)}`);
  const { bindings, open } = solve(read.plan, { inputs: plan.inputs, goal: plan.goal });
  const decisions = [...bindings].flatMap(([step, own]) =>
    [...own].flatMap(([name, binding]) =>
      binding.rule === "open" || binding.rule === "given" ? [] : [{ step, name, binding }],
    ),
  );
  const wrong = decisions.filter(
    ({ binding, name, step }) => !isRight(binding, getOwn(plan.bound[step] ?? {}, name)),
  );
  return {
    bound: read.plan.steps.reduce((sum, { bindings: given = {}, id }) => {
      const own = Object.entries(plan.bound[id] ?? {});
      return (
        sum +
        own.filter(([name, right]) => !Object.hasOwn(given, name) && !("generate" in right)).length
      );
    }, 0),
    decided: decisions.length,
    asked: open.length,
    wrong: wrong.map(({ binding, name, step }) => {
      const { default_value: value, rule, source } = binding;
      return `${plan.name}, step ${step}, ${name}: ${source || JSON.stringify(value)} (${rule})`;
    }),
  };
}

/** Checks if a decision is a right one. A parameter without a right binding must not be decided. */
function isRight(
  { rule, source, source_type: type }: ParameterBinding,
  right: RightBinding | undefined,
): boolean {
  if (right === undefined || "generate" in right) return false;
  if ("default" in right) return rule === "default";
  if (type === "literal") return false;
  const sources = "source" in right ? [right.source] : [];
  return sources.concat(right.also ?? []).includes(source);
}
