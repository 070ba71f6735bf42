import type { Governor } from "../../governance/governor.js";
import { refused } from "../../governance/governor.js";
import type { ToolStates } from "../../governance/tool-states.js";
import type { Call, Step } from "../call.js";

/**
 * Checks that the policy knows the tool in its current version, and that the tool is not paused.
 */
export function discover({ policy }: Governor, states: ToolStates): Step {
  return (call) => {
    call.decision = {
      policy: policy.hash,
      decidedBy: [],
      obligations: [],
      spent: {},
    };
    const known = Object.hasOwn(policy.tools, call.toolId) ? policy.tools[call.toolId] : undefined;
    if (known?.manifest !== call.tool.version.manifest)
      throw notOfThisPolicy(call, call.toolId, known !== undefined);
    const waiting = states.fresh(call);
    if (waiting === undefined) return requireEnabled(call, states);
    return waiting.then(() => requireEnabled(call, states));
  };
}

/**
 * Checks that a tool is not paused: the tool of the call, or that of a plan's step.
 *
 * @throws ToolError `POLICY.DENY_TOOL`
 */
export function requireEnabled(
  call: Call,
  states: ToolStates,
  toolId: string = call.toolId,
): undefined {
  const state = states.of(toolId, call.caller?.tenant);
  if (state?.state !== "paused") return undefined;
  const why = state.because === undefined ? "" : `: ${state.because}`;
  throw refused(
    call,
    { code: "POLICY.DENY_TOOL", missing: [{ kind: "tools", name: toolId }] },
    `\`${toolId}\` is paused${why}`,
    ["paused"],
  );
}

/**
 * Makes the denial of a tool that was generated with another policy, which could otherwise avoid
 * its policy.
 */
export function notOfThisPolicy(call: Call, toolId: string, isKnown: boolean) {
  return refused(
    call,
    { code: "POLICY.DENY_TOOL", missing: [{ kind: "tools", name: toolId }] },
    isKnown
      ? `\`${toolId}\` and the policy were generated from different versions of its skill: run \`skillc generate\`, and load both anew`
      : `the policy does not know \`${toolId}\`: run \`skillc generate\`, and load policy and tools of one project`,
    ["unknown-tool"],
  );
}
