import { beforeAll, expect, test } from "vitest";
import { type JudgedPlan, judgePlans } from "../../bench/planner/judge.js";
import { sumOf, tokensOf } from "../../bench/planner/usage.js";

let plans: readonly JudgedPlan[] = [];

beforeAll(async () => {
  plans = await judgePlans();
});

test("decisions without a model are right in all plans that were bound by hand", () => {
  expect(plans.flatMap(({ decisions }) => decisions.wrong)).toEqual([]);
});

test("each call gets the parameters that were bound by hand, if the model answers rightly", () => {
  expect(plans.flatMap(({ wrongCalls }) => wrongCalls)).toEqual([]);
});

test("no plan costs more tokens than with one call that binds everything", () => {
  const dear = plans.filter(({ ours, wholePlan }) => tokensOf(ours) > tokensOf(wholePlan));
  expect(dear.map(({ name }) => name)).toEqual([]);
});

test("all plans together cost half of one call for all, and 15 % of a call for each step", () => {
  const total = (way: "eachStep" | "ours" | "wholePlan") =>
    tokensOf(sumOf(plans.map((plan) => plan[way])));
  expect(total("ours") / total("wholePlan")).toBeLessThanOrEqual(0.5);
  expect(total("ours") / total("eachStep")).toBeLessThanOrEqual(0.15);
});
