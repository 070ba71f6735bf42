import { heldScopes } from "../../governance/scopes.js";
import { oblige, TooDeep } from "../../governance/oblige.js";
import {
  type ObligationAction,
  obligationKinds,
} from "../../governance/obligations/obligation-action.js";
import type { ObligedCall } from "../../governance/obligations/obligation-kind.js";
import { decisionOf, type Governor } from "../../governance/governor.js";
import type { AnyResult } from "../../result.js";
import type { Call, Step } from "../call.js";
import { requireFitting } from "../misfits.js";
import { unfit } from "../withheld.js";

/**
 * Changes what comes back as the project's obligations say, for callers who don't hold a scope that
 * frees them.
 */
export function obligations({ key, policy }: Governor): Step {
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
    if (isAnswer && due.some(({ action }) => changesData(action))) requireFitting(call);
    const of = { key, tenant: call.caller?.tenant };
    if (isAnswer)
      call.result = due.reduce<AnyResult>(
        (each, { action }) => byItem(call, each, action, of) ?? obliged(call, each, action, of),
        result,
      );
    return undefined;
  };
}

/** What is said of the data of a stream is said of each item; undefined for what is beside the data. */
function byItem(
  call: Call,
  result: AnyResult,
  action: ObligationAction,
  of: ObligedCall,
): AnyResult | undefined {
  if (call.stream === undefined || !changesData(action)) return undefined;
  call.stream.through((data) => {
    const item = obliged(call, { status: result.status, data } as AnyResult, action, of);
    return "data" in item ? item.data : undefined;
  });
  return result;
}

function changesData(action: ObligationAction): boolean {
  return obligationKinds[action.do].changes !== "answer";
}

function obliged(
  call: Call,
  result: AnyResult,
  action: ObligationAction,
  of: ObligedCall,
): AnyResult {
  try {
    return oblige(result, action, of);
  } catch (cause) {
    if (!(cause instanceof TooDeep)) throw cause;
    throw unfit(call, "depth", "is nested too deeply: an obligation can't be met");
  }
}
