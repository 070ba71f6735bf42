import type { ObligationAction } from "@skillc/runtime/internal";

/** Effect of an obligation on a tool's results, in the runtime's form. */
export interface LoweredObligation {
  readonly name: string;
  readonly action: ObligationAction;
  /** Callers with one of these scopes get the data unchanged. */
  readonly unless: readonly string[];
  /** True if the type of the tool's data has the path, so that the type can show the change. */
  readonly isTyped: boolean;
}

/**
 * The obligations that the type of a tool's answer shows, in their order. If several have the same
 * effect on the type, only the last one is listed.
 */
export function typedObligations(
  obligations: readonly LoweredObligation[],
): readonly LoweredObligation[] {
  const typed = obligations.filter(({ isTyped }) => isTyped);
  const lasts = new Map(typed.map((each, index) => [effectOnType(each), index]));
  return typed.filter((each, index) => lasts.get(effectOnType(each)) === index);
}

function effectOnType({ action, unless }: LoweredObligation): string {
  return JSON.stringify([action.do, "at" in action ? action.at : [], unless.length > 0]);
}
