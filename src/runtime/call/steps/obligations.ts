import { heldScopes } from "../../governance/scopes.js";
import { oblige, TooDeep } from "../../governance/oblige.js";
import {
  type ObligationAction,
  obligationKinds,
} from "../../governance/obligations/obligation-action.js";
import type { ObligedCall } from "../../governance/obligations/obligation-kind.js";
import { decisionOf, type Governor } from "../../governance/governor.js";
import { changedPaths } from "../../json/data-path.js";
import type { AnyResult } from "../../result.js";
import type { Call, Step } from "../call.js";
import { innerCallOf } from "../inner-call.js";
import { requireFitting } from "../misfits.js";
import { unfit } from "../withheld.js";

/**
 * Applies the project's obligations to the answer, except those from which the caller's scopes
 * exempt it.
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
    // Obligations use places in the schema, so the answer must match the schema.
    if (isAnswer && due.some(({ action }) => changesData(action))) requireFitting(call);
    const of = { key, tenant: call.caller?.tenant };
    if (isAnswer) {
      call.result = due.reduce<AnyResult>(
        (each, { action }) => byItem(call, each, action, of) ?? obliged(call, each, action, of),
        result,
      );
      tellPlan(call, result);
    }
    return undefined;
  };
}

/** Tells a plan that made the call which places of the data have changed. */
function tellPlan({ options, result, stream }: Call, before: AnyResult & { data: unknown }): void {
  const inner = innerCallOf(options);
  if (inner === undefined || stream !== undefined) return;
  const after = result !== undefined && "data" in result ? result.data : undefined;
  inner.changed.push(...changedPaths(before.data, after));
}

/**
 * Applies an obligation to each item of a stream; undefined if the obligation doesn't change data.
 */
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
    throw unfit(call, "depth", "is nested too deeply for an obligation");
  }
}
