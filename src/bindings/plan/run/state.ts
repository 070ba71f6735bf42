/** The values of a plan, as a planner sees them. */
import type { DataPath } from "../../../runtime/json/data-path.js";
import type { JsonValue } from "../../../runtime/json/json.js";
import type { PlanState, StepState } from "../../../runtime/planner.js";
import type { PlanStep } from "./contract.js";
import type { End } from "./ends.js";

/**
 * Returns the state of a plan. What an obligation masked is null, so that no model takes a mask for
 * a value.
 */
export function stateOf(
  steps: readonly PlanStep<never>[],
  inputs: unknown,
  ends: ReadonlyMap<string, End>,
  control: PlanState["control"],
): PlanState {
  const outputs = steps.flatMap(({ id, toolId }): readonly (readonly [string, StepState])[] => {
    const end = ends.get(id);
    if (end?.type !== "output") return [];
    // The answer of a tool that a plan may call is JSON.
    return [[id, { tool: toolId, output: withoutMasks(end.data, end.changed) as JsonValue }]];
  });
  // The plan's validator has checked them.
  return { inputs: inputs as PlanState["inputs"], control, steps: Object.fromEntries(outputs) };
}

/** Returns data with null at these paths. Parts without them are shared. */
function withoutMasks(data: unknown, paths: readonly DataPath[]): unknown {
  if (paths.length === 0) return data;
  if (paths.some((path) => path.length === 0)) return null;
  const below = (step: string | number): readonly DataPath[] =>
    paths.filter(([first]) => first === step).map((path) => path.slice(1));
  if (Array.isArray(data)) return data.map((item, index) => withoutMasks(item, below(index)));
  if (typeof data !== "object" || data === null) return data;
  const entries = Object.entries(data);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, withoutMasks(value, below(name))]),
  );
}
