/**
 * Counts what ten plans cost whose parameters a planner finds, and judges the decisions that need no
 * model. Tokens are those of `o200k_base`, of the prompts that are really built and of right answers.
 * Nothing is timed, and no model is asked, so each run gives the same numbers.
 *
 * Beside skillc's planner stand two others: a call for each step, with the tool's whole schema and
 * the whole state; and one call that binds all parameters of the plan, with calls for those that
 * must be written. A static plan asks no model.
 */
import Table from "cli-table3";
import type { Measurement } from "./measurement.js";
import { type JudgedPlan, judgePlans } from "./planner/judge.js";
import { sumOf, tokensOf, type Usage } from "./planner/usage.js";

/**
 * @throws Error if a decision is wrong, a call gets wrong parameters, or a plan costs more than with
 * one call that binds everything
 */
export async function measurePlanner(): Promise<readonly Measurement[]> {
  const plans = await judgePlans();
  console.log(tokenTable(plans));
  console.log(decisionTable(plans));
  const wrong = plans.flatMap(({ decisions, wrongCalls }) => decisions.wrong.concat(wrongCalls));
  const dear = plans.filter(({ ours, wholePlan }) => tokensOf(ours) > tokensOf(wholePlan));
  const faults = wrong.concat(dear.map(({ name }) => `${name} costs more than one call for all`));
  if (faults.length > 0) throw new Error(`the planner missed a bar:\n${faults.join("\n")}`);
  const { eachStep, ours, wholePlan } = totalsOf(plans);
  const count = (name: string, value: number, baseline: string) =>
    ({ name, value, unit: "count", baseline }) as const;
  const { bound, decided } = decisionTotals(plans);
  return [
    {
      name: "tokens of ten plans, against a call for each step",
      value: tokensOf(ours) / tokensOf(eachStep),
      unit: "×",
      baseline: `a call for each step (${tokensOf(eachStep)} tokens, ${eachStep.calls} calls)`,
    },
    {
      name: "tokens of ten plans, against one call for all",
      value: tokensOf(ours) / tokensOf(wholePlan),
      unit: "×",
      baseline: `one call that binds everything (${tokensOf(wholePlan)} tokens, ${wholePlan.calls} calls)`,
    },
    count("tokens of ten plans", tokensOf(ours), `${ours.calls} calls`),
    count("parameters decided without a model", decided, `${bound} with a source or a default`),
  ];
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(0)} %`;

function totalsOf(
  plans: readonly JudgedPlan[],
): Pick<JudgedPlan, "eachStep" | "ours" | "wholePlan"> {
  return {
    eachStep: sumOf(plans.map(({ eachStep }) => eachStep)),
    wholePlan: sumOf(plans.map(({ wholePlan }) => wholePlan)),
    ours: sumOf(plans.map(({ ours }) => ours)),
  };
}

function tokenTable(plans: readonly JudgedPlan[]): string {
  const table = new Table({
    head: ["tokens: in + out (calls)", "a: each step", "b: one for all", "c: skillc", "c/a", "c/b"],
    style: { head: [], border: [] },
  });
  const shown = ({ calls, input, output }: Usage) => `${input} + ${output} (${calls})`;
  for (const { eachStep, name, ours, wholePlan } of [...plans, { name: "all", ...totalsOf(plans) }])
    table.push([
      name,
      ...[eachStep, wholePlan, ours].map(shown),
      ...[eachStep, wholePlan].map((other) => percent(tokensOf(ours), tokensOf(other))),
    ]);
  return table.toString();
}

function decisionTotals(plans: readonly JudgedPlan[]) {
  const sum = (number: (plan: JudgedPlan) => number): number =>
    plans.reduce((total, plan) => total + number(plan), 0);
  return {
    bound: sum(({ decisions }) => decisions.bound),
    decided: sum(({ decisions }) => decisions.decided),
    asked: sum(({ decisions }) => decisions.asked),
    wrong: plans.flatMap(({ decisions }) => decisions.wrong),
  };
}

function decisionTable(plans: readonly JudgedPlan[]): string {
  const table = new Table({
    head: ["without a model", "bound", "decided", "wrong", "recall", "asked"],
    style: { head: [], border: [] },
  });
  const rows = plans.map(({ decisions, name }) => ({ name, ...decisions }));
  for (const { asked, bound, decided, name, wrong } of [
    ...rows,
    { name: "all", ...decisionTotals(plans) },
  ])
    table.push([name, bound, decided, wrong.length, percent(decided - wrong.length, bound), asked]);
  return table.toString();
}
