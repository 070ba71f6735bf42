import type { ToolModel } from "../core/skill-model.js";
import type { BindingKind } from "./binding.js";
import type { GraphCall } from "./call-graph.js";
import type { WriteHints } from "./write-hints.js";

/** The hints about a tool, and whether it only reads. */
export interface ToolHints extends WriteHints {
  readonly readOnly: boolean;
}

/**
 * Derives the hints about a tool.
 *
 * @param kind kind of the tool's binding
 * @param hintsOf returns the hints about another tool, by its id
 */
export function toolHints(
  tool: ToolModel,
  kind: BindingKind,
  hintsOf: (id: string) => ToolHints | undefined,
): ToolHints {
  const { config, effect, idempotent } = tool.binding;
  if (effect === "read") return { readOnly: true, destructive: false, idempotent: true };
  const calls = kind.graph?.(config).calls;
  const own =
    calls === undefined
      ? { destructive: true, idempotent, ...kind.writeHints?.(tool, config) }
      : hintsOfCalls(calls, hintsOf);
  const isKeyed = tool.governance?.idempotency !== undefined;
  return { ...own, readOnly: false, idempotent: own.idempotent || isKeyed };
}

function hintsOfCalls(
  calls: readonly GraphCall[],
  hintsOf: (id: string) => ToolHints | undefined,
): WriteHints {
  const writes = calls.flatMap((call) => {
    const hints = hintsOf(call.tool);
    return hints?.readOnly === true ? [] : [{ call, hints }];
  });
  return {
    destructive: writes.some(({ hints }) => hints?.destructive !== false),
    // A value from another step may be a new one in the next call.
    idempotent: writes.every(
      ({ call, hints }) =>
        hints?.idempotent === true && call.takes.every(({ from }) => from === undefined),
    ),
  };
}
