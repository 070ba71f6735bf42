import type { KindRegistry } from "../bindings/registry.js";
import type { LoweredSkill } from "../core/lowered-skill.js";
import type { EmittedGovernance } from "./emit/emitter.js";

/**
 * Packages that the tools' code loads. Each requirement has the packages that satisfy it, best
 * first. Empty without tools.
 */
export function neededPackages(
  lowered: readonly LoweredSkill[],
  kinds: KindRegistry,
  governance: EmittedGovernance | undefined,
): readonly (readonly string[])[] {
  const tools = lowered.flatMap((each) => each.tools);
  if (tools.length === 0) return [];
  // The runtime evaluates policies with Cedar.
  const cedar = governance?.cedar ? [["@cedar-policy/cedar-wasm"]] : [];
  const needs = tools.flatMap(
    ({ tool: { binding } }) => kinds.find(binding.type)?.packages?.(binding.config) ?? [],
  );
  const all = [["@skillc/runtime"], ...cedar, ...needs];
  return [...new Map(all.map((names) => [names.join(" "), names])).values()];
}
