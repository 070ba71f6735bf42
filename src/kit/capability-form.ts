import type { Capability } from "@skillc/runtime";
import type { ToolModel } from "../core/skill-model.js";
import type { BindingKind } from "./binding.js";

/** Form of the capabilities of one purpose. */
export interface CapabilityForm {
  /** Text before the colon: `net.http`. */
  readonly purpose: string;
  /** Form of a whole capability: `net.http:<method> <origin>/<path>`. */
  readonly form: string;
  /**
   * Describes what is wrong with a capability, without the subject of the sentence; undefined if it
   * is valid.
   *
   * @param act text behind the colon
   * @param place text behind the first space; empty if there is none
   */
  problem(act: string, place: string): string | undefined;
}

/**
 * Returns what a tool's binding reaches; only for an analyzed and linked tool.
 *
 * @param toolId id of the tool: `skill/tool`
 */
export function capabilitiesByKind(
  kind: Pick<BindingKind, "capabilities"> | undefined,
  { binding }: ToolModel,
  toolId: string,
): readonly Capability[] {
  const credentials = [...new Set(binding.credentials.map(({ name }) => name))].toSorted();
  return (
    kind?.capabilities?.(binding.config, credentials, toolId) ?? [
      { capability: `${binding.type}:call`, credentials },
    ]
  );
}
