/**
 * Selects the tools that a caller may call now, as far as known without arguments. It mirrors the
 * steps `discover` and `authorize`. Offering a tool doesn't authorize a call: each call is checked.
 */
import { calledByModel, type Caller } from "../caller.js";
import type { CedarEngine } from "./cedar/engine.js";
import type { Governor } from "./governor.js";
import { judgeWithoutArguments } from "./judge.js";
import type { ToolStates } from "./tool-states.js";

/** Returns whether a tool is offered, by its id and the hash of its manifest. */
export type Offers = (toolId: string, manifest: string) => boolean;

/**
 * Returns the filter for the tools of a caller.
 *
 * @param engine undefined if the project has no policies
 */
export async function offersTo(
  { policy }: Governor,
  states: ToolStates,
  engine: (() => Promise<CedarEngine>) | undefined,
  caller: Caller,
): Promise<Offers> {
  await states.refresh();
  const opened = await engine?.();
  const asking = calledByModel(caller);
  return (id, manifest) => {
    const tool = Object.hasOwn(policy.tools, id) ? policy.tools[id] : undefined;
    if (tool === undefined || tool.manifest !== manifest || tool.deprecated) return false;
    const state = states.of(id, caller.tenant)?.state ?? "enabled";
    if (state !== "enabled") return false;
    const judgement = judgeWithoutArguments(policy, tool, { toolId: id, caller: asking }, opened);
    return judgement.kind === "permitted";
  };
}
