import { isToolError, type ToolError } from "../errors.js";
import type { LedgerCall } from "../ledger/ledger-call.js";
import { queryStore } from "../ledger/query.js";
import type { ToolMap } from "../model/dispatch.js";
import { belongsTo, earlierRollback, obstacleOf, requireUnchanged } from "./find-undoable.js";
import { rollBack } from "./rollback-call.js";
import {
  type OwnRollbackOptions,
  ownRollbackOptions,
  type TraceRollbackOptions,
} from "./rollback-options.js";
import type { RollbackResult, TraceRollback } from "./rollback-result.js";

/**
 * Undoes the calls of a trace, in the opposite order in which they ended. It leaves out calls that changed nothing, calls
 * that are undone already, and rollbacks. If a call has a way back, the calls that it made itself
 * are undone with it. It stops at the first call that can't be undone.
 *
 * @param tools `tools` of generated/index.ts
 * @param trace trace of the calls in the ledger
 * @throws ToolError `ROLLBACK.REFUSED` if the ledger was changed
 * @throws TypeError if an option is not valid
 */
export async function rollbackTrace(
  tools: ToolMap,
  trace: string,
  options: TraceRollbackOptions = {},
): Promise<TraceRollback> {
  const own = ownRollbackOptions(options);
  if (own.forced === undefined) await requireUnchanged(own.runtime, trace);
  const left = [...(await undoableCalls(own, trace))];
  const results: RollbackResult[] = [];
  const listed = () => left.map(({ id, skill, tool }) => ({ call: id, tool: `${skill}/${tool}` }));
  for (let next = left[0]; next !== undefined; next = left[0]) {
    const found = await attempt(tools, next.id, own);
    if ("result" in found) results.push(found.result);
    const isUndone =
      "result" in found &&
      (found.result.status === "rolled_back" ||
        (found.result.status === "would_roll_back" && found.result.allow));
    if (!isUndone) {
      const stopped = {
        call: next.id,
        tool: `${next.skill}/${next.tool}`,
        ...("error" in found && { error: found.error }),
      };
      return { status: "stopped", results, stopped, left: listed() };
    }
    left.shift();
  }
  return { status: own.isDry ? "would_roll_back" : "rolled_back", results, left: [] };
}

async function attempt(
  tools: ToolMap,
  id: string,
  options: OwnRollbackOptions,
): Promise<{ readonly result: RollbackResult } | { readonly error: ToolError }> {
  try {
    return { result: await rollBack(tools, id, options) };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return { error };
  }
}

/** Returns the calls that must be undone: first the one that ended last. */
async function undoableCalls(
  { caller, runtime }: OwnRollbackOptions,
  trace: string,
): Promise<readonly LedgerCall[]> {
  const calls: LedgerCall[] = [];
  for await (const call of queryStore(runtime.ledger, { trace }))
    if (call.rollbackOf === undefined && belongsTo(call, runtime, caller)) calls.push(call);
  const byId = new Map(calls.map((each) => [each.id, each]));
  const parents = new Set(calls.flatMap(({ parent }) => parent ?? []));
  const found: LedgerCall[] = [];
  for (const call of calls) {
    if (obstacleOf(call)?.reason === "not-made" || isInside(call, byId)) continue;
    // A plan without a way back made its changes by the calls of its steps.
    if (obstacleOf(call) !== undefined && parents.has(call.id)) continue;
    if ((await earlierRollback(runtime, call.id))?.isDone !== true) found.push(call);
  }
  return found;
}

/** Returns whether a call was made by another one that has a way back of its own. */
function isInside({ parent }: LedgerCall, byId: ReadonlyMap<string, LedgerCall>): boolean {
  const seen = new Set<string>();
  for (let id = parent; id !== undefined && !seen.has(id); id = byId.get(id)?.parent) {
    seen.add(id);
    const { strategy = "none" } = byId.get(id)?.rollback ?? {};
    if (strategy !== "none" && strategy !== "unchanged") return true;
  }
  return false;
}
