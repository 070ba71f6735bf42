import { pointerStep } from "../../../../runtime/pointer.js";

/** Where the first value stands that a test finds, as a JSON pointer; empty when none is found. Keys are tested too. */
export function firstMisfit(message: unknown, isMisfit: (value: unknown) => boolean): string {
  return stepsTo(message, isMisfit)?.toReversed().map(pointerStep).join("") ?? "";
}

/** From the inside out. */
function stepsTo(value: unknown, isMisfit: (value: unknown) => boolean): string[] | undefined {
  if (isMisfit(value)) return [];
  if (typeof value !== "object" || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined && !isList) continue;
    const steps = !isList && isMisfit(key) ? [] : stepsTo(each, isMisfit);
    if (steps === undefined) continue;
    steps.push(key);
    return steps;
  }
  return undefined;
}
