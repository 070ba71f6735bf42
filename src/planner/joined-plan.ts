/** Joins the answered steps of a plan that failed with the steps that are still to do. */
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.js";
import { PlanError } from "./binding-planner.js";
import type { DynamicPlan, DynamicStep } from "./plan.js";
import type { PlannerTools } from "./tools.js";

interface Known {
  readonly tools: PlannerTools;
  /** Ids of the steps of all plans before. */
  readonly used: ReadonlySet<string>;
}

/**
 * Makes the next plan. A step of the new plan that names an answered step and its tool is that step.
 * Any other step with an id that was used gets a new one: a run keeps answers, values and keys of
 * writes by ids of steps, and another call must not take them.
 *
 * @throws PlanError if the new plan has no steps to do
 */
export function joinedPlan(
  answered: readonly DynamicStep[],
  task: unknown,
  { tools, used }: Known,
): DynamicPlan {
  const given = isJsonObject(task as JsonValue) ? (task as JsonObject) : {};
  const { output, steps: list } = given;
  const ids = new Map<string, string>();
  const added: JsonValue[] = [];
  for (const step of Array.isArray(list) ? (list as readonly JsonValue[]) : []) {
    if (!isJsonObject(step)) throw new PlanError([{ at: "steps", message: "a step is an object" }]);
    const id = String(step["id"]);
    const own = answered.find((each) => String(each.id) === id);
    if (own !== undefined && tools.find(own.tool) === tools.find(String(step["tool"]))) continue;
    const next = used.has(id) ? freeId(id, new Set([...used, ...ids.values()])) : step["id"];
    const renamed = withBindings(step, (path) => renamedPath(path, ids));
    added.push(next === undefined ? renamed : { ...renamed, id: next });
    if (used.has(id)) ids.set(id, String(next));
  }
  if (added.length === 0)
    throw new PlanError([
      { at: "steps", message: "the new plan has no steps that are still to do" },
    ]);
  const before: readonly unknown[] = answered;
  const joined: unknown = {
    ...given,
    steps: before.concat(added),
    ...(output !== undefined && { output: pathIn(output, ids) }),
  };
  // `readPlan` checks all of it.
  return joined as DynamicPlan;
}

function freeId(id: string, used: ReadonlySet<string>): string {
  for (let count = 2; ; count += 1) if (!used.has(`${id}_${count}`)) return `${id}_${count}`;
}

function pathIn(path: JsonValue, ids: ReadonlyMap<string, string>): JsonValue {
  return typeof path === "string" ? renamedPath(path, ids) : path;
}

function renamedPath(path: string, ids: ReadonlyMap<string, string>): string {
  return path.replace(/^step_(\w+)/, (all, id: string) => {
    const next = ids.get(id);
    return next === undefined ? all : `step_${next}`;
  });
}

/** Returns a step with other paths. */
function withBindings(step: JsonObject, rename: (path: string) => string): JsonObject {
  const { bindings } = step;
  if (!isJsonObject(bindings)) return step;
  const entries = Object.entries(bindings).map(([name, binding]) => [
    name,
    withPaths(binding, rename),
  ]);
  return { ...step, bindings: Object.fromEntries(entries) as JsonObject };
}

function withPaths(binding: JsonValue, rename: (path: string) => string): JsonValue {
  if (typeof binding === "string") return rename(binding);
  if (!isJsonObject(binding)) return binding;
  const { source, uses } = binding;
  return {
    ...binding,
    ...(typeof source === "string" && { source: rename(source) }),
    ...(Array.isArray(uses) && {
      uses: uses.map((each: JsonValue) => (typeof each === "string" ? rename(each) : each)),
    }),
  };
}
