import { contractOf } from "../call/preflight.js";
import type { ToolMap } from "../model/dispatch.js";
import { loadTool } from "../model/load-tool.js";
import { compensation } from "./compensation.js";
import {
  earlierRollback,
  findUndoable,
  requireUnchanged,
  type UndoableCall,
} from "./find-undoable.js";
import { whileAlone } from "./one-rollback.js";
import { refuseRollback } from "./refuse-rollback.js";
import { restoration } from "./restoration.js";
import {
  type OwnRollbackOptions,
  ownRollbackOptions,
  type RollbackOptions,
} from "./rollback-options.js";
import type { RollbackResult } from "./rollback-result.js";
import type { Undo, UndoRequest } from "./undo.js";

/**
 * Undoes a call of the runtime's ledger. The caller needs the tenant of the call. Governance checks
 * the scopes and policies of the call's tool again, with the recorded parameters, and asks for no
 * second approval. If another tool undoes the call, that call may need an approval. The ledger
 * records the rollback as a call of its own.
 *
 * @param tools `tools` of generated/index.ts
 * @param id id of the call in the ledger
 * @returns what was undone; with `dryRun`, what would be
 * @throws ToolError `ROLLBACK.REFUSED` if the call can't be undone; any error of governance, and of
 * the tool that undoes the call
 * @throws TypeError if an option is not valid
 */
export async function rollbackCall(
  tools: ToolMap,
  id: string,
  options: RollbackOptions = {},
): Promise<RollbackResult> {
  const own = ownRollbackOptions(options);
  if (own.forced === undefined) await requireUnchanged(own.runtime, id);
  return rollBack(tools, id, own);
}

/** Undoes a call of a ledger that has been verified. */
export async function rollBack(
  tools: ToolMap,
  id: string,
  options: OwnRollbackOptions,
): Promise<RollbackResult> {
  const { caller, isDry, runtime } = options;
  const call = await findUndoable(runtime, id, caller);
  if (isDry) return (await undoOf(tools, call, options)).preview();
  return whileAlone(runtime, call, async () => (await undoOf(tools, call, options)).make());
}

/** Chooses how a call is undone, after all checks that need no tool. */
async function undoOf(
  tools: ToolMap,
  call: UndoableCall,
  options: OwnRollbackOptions,
): Promise<Undo> {
  const { runtime } = options;
  const earlier = await earlierRollback(runtime, call.id);
  if (earlier?.isDone === true) throw isUndone(call, earlier.by);
  const run = await loadTool(tools, call.toolId);
  const contract = await contractOf(run, { runtime });
  if (contract === undefined)
    throw new TypeError(`\`${call.toolId}\` of \`tools\` is not a generated tool`);
  const request: UndoRequest = { call, contract, options, run };
  requireSameTool(request);
  const { wayBack } = call;
  const strategy = wayBack?.strategy ?? contract.rollback?.strategy;
  if (strategy === "backup" || strategy === "effects") return restoration(request, strategy);
  if (wayBack?.strategy !== "compensate") throw isUnrecorded(call);
  if (earlier !== undefined && options.forced === undefined) throw isUnknown(call, earlier.by);
  return compensation(request, wayBack);
}

function requireSameTool({ call, contract, options }: UndoRequest): void {
  const { manifest } = call.record.version;
  if (manifest === contract.version.manifest || options.forced !== undefined) return;
  throw refuseRollback(
    call,
    { reason: "changed-tool" },
    `the call \`${call.id}\` was not rolled back: \`${call.toolId}\` has changed since`,
  );
}

function isUndone(call: UndoableCall, by: string) {
  return refuseRollback(
    call,
    { reason: "rolled-back", by },
    `the call \`${call.id}\` of \`${call.toolId}\` was rolled back before, by the call \`${by}\``,
  );
}

/** The process of the call did not record its end, so nobody knows the data of its answer. */
function isUnrecorded(call: UndoableCall) {
  const lead = `the call \`${call.id}\` of \`${call.toolId}\` can't be rolled back`;
  return call.record.outcome === "settled"
    ? refuseRollback(
        call,
        { reason: "no-way-back" },
        `${lead}: somebody settled it as done, so its record has no way back`,
      )
    : refuseRollback(
        call,
        { reason: "unknown-outcome" },
        `${lead}: nobody knows whether it was made`,
      );
}

function isUnknown(call: UndoableCall, by: string) {
  return refuseRollback(
    call,
    { reason: "unknown-outcome", by },
    `the call \`${call.id}\` of \`${call.toolId}\` can't be rolled back: nobody knows whether its earlier rollback \`${by}\` was made`,
  );
}
