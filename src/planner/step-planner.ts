/** Adds facts about the step to each request for parameters. */
import type { ParameterPlanner, PlanState } from "@skillc/runtime";
import { getOwn } from "../core/json.js";
import type { BindingPlan } from "./binding-plan.js";
import type { KnownPlan } from "./plan.js";

/**
 * Returns a planner that adds the purpose of the step to each request. If the bindings name the
 * inputs and outputs that the values need, the request has only these.
 */
export function stepPlanner(
  planner: ParameterPlanner,
  { steps }: KnownPlan,
  bindings: BindingPlan,
): ParameterPlanner {
  return {
    inferParameters(asked) {
      const purpose = steps.find(({ id }) => id === asked.step)?.description;
      const own = bindings.steps.find(({ step_id: id }) => id === asked.step)?.bindings ?? {};
      const uses = asked.parameters.map((name) => getOwn(own, name)?.uses);
      const state = uses.includes(undefined)
        ? asked.state
        : narrowed(asked.state, new Set(uses.flatMap((names = []) => names)));
      return planner.inferParameters({
        ...asked,
        state,
        ...(purpose !== undefined && { purpose }),
      });
    },
  };
}

function narrowed({ control, inputs, steps }: PlanState, uses: ReadonlySet<string>): PlanState {
  const keep = <Value>(values: { readonly [name: string]: Value }, prefix: string) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => uses.has(`${prefix}${name}`)));
  return { control, inputs: keep(inputs, ""), steps: keep(steps, "step_") };
}
