import { heldScopes } from "../../governance/scopes.js";
import { oblige, TooDeep } from "../../governance/oblige.js";
import { decisionOf, type Governor } from "../../governance/governor.js";
import type { Obligation } from "../../governance/policy.js";
import type { AnyResult } from "../../result.js";
import type { Call, Step } from "../call.js";
import { requireFitting } from "../misfits.js";
import { unfit } from "../withheld.js";

/**
 * Changes what comes back as the project's obligations say, for callers who don't hold a scope that
 * frees them.
 */
export function obligations({ policy }: Governor): Step {
  const byTool = new Map<string, typeof policy.obligations>();
  for (const each of policy.obligations)
    for (const tool of each.tools) byTool.set(tool, [...(byTool.get(tool) ?? []), each]);
  const dueOf = (all: typeof policy.obligations, call: Call) => {
    const held = heldScopes(policy, call.caller, call.toolId);
    return all.filter(({ unless }) => !unless.some((each) => held.has(each)));
  };
  return (call: Call) => {
    const all = byTool.get(call.toolId);
    const { preflight, result } = call;
    const isAnswer = result !== undefined && "data" in result;
    if (all === undefined || !(isAnswer || preflight !== undefined)) return undefined;
    const due = all.some(({ unless }) => unless.length > 0) ? dueOf(all, call) : all;
    if (due.length === 0) return undefined;
    decisionOf(call).obligations = due.map(({ name }) => name);
    // What is to be hidden is said by its place in what the schema says.
    if (isAnswer && due.some(({ action }) => action.do !== "watermark")) requireFitting(call);
    if (isAnswer)
      call.result = due.reduce<AnyResult>(
        (each, { action }) => byItem(call, each, action) ?? obliged(call, each, action),
        result,
      );
    return undefined;
  };
}

/** What is said of the data of a stream is said of each item; undefined for what is beside the data. */
function byItem(
  call: Call,
  result: AnyResult,
  action: Obligation["action"],
): AnyResult | undefined {
  if (call.stream === undefined || action.do === "watermark") return undefined;
  call.stream.through((data) => {
    const item = obliged(call, { status: result.status, data } as AnyResult, action);
    return "data" in item ? item.data : undefined;
  });
  return result;
}

function obliged(call: Call, result: AnyResult, action: Obligation["action"]): AnyResult {
  try {
    return oblige(result, action);
  } catch (cause) {
    if (!(cause instanceof TooDeep)) throw cause;
    throw unfit(call, "depth", "is nested too deeply: an obligation can't be met");
  }
}
