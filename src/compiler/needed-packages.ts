import type { KindRegistry } from "../bindings/registry.js";
import type { LoweredSkill } from "../core/lowered-skill.js";
import type { EmittedGovernance } from "./emit/emitter.js";

/**
 * Packages that the tools' code loads: for each need the names that satisfy it, best first. Empty
 * if there is no tool.
 */
export function neededPackages(
  lowered: readonly LoweredSkill[],
  kinds: KindRegistry,
  governance: EmittedGovernance | undefined,
): readonly (readonly string[])[] {
  const tools = lowered.flatMap((each) => each.tools);
  if (tools.length === 0) return [];
  // The runtime decides by policies with it.
  const cedar = governance?.cedar ? [["@cedar-policy/cedar-wasm"]] : [];
  const needs = tools.flatMap(
    ({ tool: { binding } }) => kinds.find(binding.type)?.packages?.(binding.config) ?? [],
  );
  const all = [["@skillc/runtime"], ...cedar, ...needs];
  return [...new Map(all.map((names) => [names.join(" "), names])).values()];
}
