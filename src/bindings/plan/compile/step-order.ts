/** Finds the steps that must have ended before a step begins. */
import { forward, isAbove, type KnownStep, type Linking, noStep } from "./linking.js";
import type { StepModel } from "./model.js";
import type { ReadValue } from "./read-value.js";

/** Steps that `after` names, without those that are reported. */
export function orderedAfter(step: StepModel, linking: Linking): readonly string[] {
  const { config, report, steps } = linking;
  return step.after.flatMap(({ name, span }) => {
    if (steps.has(name)) return [name];
    const isThere = config.steps.some(({ id }) => id === name);
    if (!isThere) report.add(noStep(name, span, config));
    else if (!isAbove(name, { step, linking })) report.add(forward(name, span));
    return [];
  });
}

export function markUsed(id: string, { steps }: Linking): void {
  const known = steps.get(id);
  if (known !== undefined) known.isUsed = true;
}

/**
 * Steps that must have ended: those whose outputs are read, those in `after`, and writes above. A
 * write is a barrier: it waits for every step above, and every step below waits for it. A step that
 * asks a planner waits for every step above too, because the planner sees their outputs.
 */
export function afterOf(
  step: StepModel,
  index: number,
  {
    asks,
    sources,
  }: { readonly asks: boolean; readonly sources: readonly Pick<ReadValue, "steps">[] },
  linking: Linking,
): readonly string[] {
  const above = [...linking.steps.values()].filter((each) => each.index < index);
  const barrier = above.findLast(isBarrier);
  const own = linking.tools.find(step.tool.name);
  const isOwnBarrier = own?.tool.binding.effect === "write" && !step.parallel;
  const waits =
    isOwnBarrier || asks
      ? above.filter((each) => barrier === undefined || each.index >= barrier.index)
      : above.filter((each) => each === barrier);
  const named = new Set([
    ...sources.flatMap((each) => each.steps),
    ...step.after.map(({ name }) => name),
  ]);
  const direct = above.filter((each) => named.has(each.step.id));
  return [...new Set([...waits, ...direct])]
    .toSorted((one, other) => one.index - other.index)
    .map((each) => each.step.id);
}

function isBarrier({ found, step }: KnownStep): boolean {
  return found.tool.binding.effect === "write" && !step.parallel;
}
