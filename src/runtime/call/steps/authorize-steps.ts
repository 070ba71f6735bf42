import { changedError, isToolError } from "../../errors.js";
import type { CedarEngine } from "../../governance/cedar/engine.js";
import type { Governor } from "../../governance/governor.js";
import { judgeWithoutArguments } from "../../governance/judge.js";
import type { ToolStates } from "../../governance/tool-states.js";
import type { Call, Step } from "../call.js";
import { refusal } from "./authorize.js";
import { notOfThisPolicy, requireEnabled } from "./discover.js";
import { servingBinding } from "./prepare.js";

/**
 * Checks that the caller of a plan may call the tools of all its steps, as far as known without
 * arguments. So a plan is denied before its first step, rather than in the middle.
 *
 * @param engine undefined if the project has neither policies nor conditions
 */
export function authorizeSteps(
  { policy }: Governor,
  states: ToolStates,
  engine: (() => Promise<CedarEngine>) | undefined,
): Step {
  const authorizeTool = (call: Call, toolId: string, opened: CedarEngine | undefined): void => {
    const tool = Object.hasOwn(policy.tools, toolId) ? policy.tools[toolId] : undefined;
    if (tool === undefined) throw notOfThisPolicy(call, toolId, false);
    requireEnabled(call, states, toolId);
    const { caller } = call;
    const judgement = judgeWithoutArguments(policy, tool, { toolId, caller }, opened);
    if (judgement.kind === "refused") throw refusal(call, judgement);
  };
  return (call) => {
    if (call.tool.binding.plan === undefined) return undefined;
    // A handler or a fake may take the plan's place.
    const { plan } = servingBinding(call);
    if (plan === undefined) return undefined;
    const authorizeAll = (opened: CedarEngine | undefined): undefined => {
      for (const { id, toolId } of plan.steps)
        try {
          authorizeTool(call, toolId, opened);
        } catch (error) {
          throw isToolError(error) ? ofStep(error, call, id) : error;
        }
    };
    // The step `authorize` has opened it.
    return engine === undefined ? authorizeAll(undefined) : engine().then(authorizeAll);
  };
}

function ofStep(error: ReturnType<typeof refusal>, { toolId }: Call, step: string) {
  const message = `\`${toolId}\` was not called, because of its step \`${step}\`: ${error.message}`;
  return changedError(error, { message, step });
}
