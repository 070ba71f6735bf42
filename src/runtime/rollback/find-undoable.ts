/** Finds the call that is to be undone in the ledger, and says why it can't be. */
import type { Caller } from "../caller.js";
import type { LedgerCall } from "../ledger/ledger-call.js";
import { queryStore } from "../ledger/query.js";
import type { LedgerProblemKind } from "../ledger/verification.js";
import type { Runtime } from "../runtime.js";
import { refuseRollback } from "./refuse-rollback.js";
import type { WayBack } from "./way-back.js";

/** A call that may be undone, as far as the ledger knows. */
export interface UndoableCall {
  readonly id: string;
  /** Id of its tool: `skill/tool`. */
  readonly toolId: string;
  readonly record: LedgerCall;
  /**
   * How to undo it. Undefined if its record does not say: its process died, or its outcome is
   * unknown. It may have copies.
   */
  readonly wayBack: Exclude<WayBack, { readonly strategy: "none" | "unchanged" }> | undefined;
}

/** Problems of a ledger whose records are unchanged. A sealed attachment proves itself. */
const harmless: ReadonlySet<LedgerProblemKind> = new Set([
  "missing-attachment",
  "changed-attachment",
]);

/**
 * Checks that nobody changed the ledger, which says what a rollback does.
 *
 * @throws ToolError `ROLLBACK.REFUSED`
 */
export async function requireUnchanged({ ledger }: Runtime, id: string): Promise<void> {
  const { problems } = await ledger.verify();
  const problem = problems.find(({ kind }) => !harmless.has(kind));
  if (problem === undefined) return;
  throw refuseRollback(
    { id, toolId: "" },
    { reason: "changed-ledger" },
    `\`${id}\` was not rolled back: the ledger was changed, as \`skillc ledger verify\` shows (${problem.message})`,
  );
}

/**
 * Finds a call that can be undone.
 *
 * @param caller who wants to undo it; its tenant must be that of the call
 * @throws ToolError `ROLLBACK.REFUSED`
 */
export async function findUndoable(
  runtime: Runtime,
  id: string,
  caller: Caller | undefined,
): Promise<UndoableCall> {
  const record = await callWithId(runtime, id);
  if (record === undefined || !belongsTo(record, runtime, caller))
    throw refuseRollback(
      { id, toolId: "" },
      { reason: "unknown-call" },
      `the ledger has no call \`${id}\`${caller?.tenant === undefined ? "" : " of this tenant"}`,
    );
  const toolId = `${record.skill}/${record.tool}`;
  const obstacle = obstacleOf(record);
  if (obstacle !== undefined)
    throw refuseRollback(
      { id, toolId },
      { reason: obstacle.reason },
      `the call \`${id}\` of \`${toolId}\` can't be rolled back: ${obstacle.words}`,
    );
  return { id, toolId, record, wayBack: usable(record.rollback) };
}

/** `obstacleOf` refuses the calls that nothing undoes. */
function usable(wayBack: WayBack | undefined): UndoableCall["wayBack"] {
  const isUsable = wayBack?.strategy !== "none" && wayBack?.strategy !== "unchanged";
  return isUsable ? wayBack : undefined;
}

/** Without governance, records name no tenant. */
export function belongsTo(
  { caller, decision }: LedgerCall,
  { governance }: Runtime,
  asking: Caller | undefined,
): boolean {
  if (decision === undefined && governance === undefined) return true;
  return caller?.tenant === asking?.tenant;
}

async function callWithId({ ledger }: Runtime, id: string): Promise<LedgerCall | undefined> {
  // The filter also finds ids that only begin with this text.
  for await (const call of queryStore(ledger, { id })) if (call.id === id) return call;
  return undefined;
}

interface Obstacle {
  readonly reason: "not-made" | "no-way-back";
  readonly words: string;
}

/** Returns why the record of a call shows that the call can't be undone. */
export function obstacleOf(call: LedgerCall): Obstacle | undefined {
  const { decision, effect, mode, rollback } = call;
  if (effect === "read") return notMade("it is a read, which changed nothing");
  if (mode === "shadow") return notMade("it was recorded in shadow mode, and not made");
  if (decision?.replayOf !== undefined)
    return notMade(`it got the answer of the call \`${decision.replayOf}\``);
  if (call.attempts === 0) return notMade("it was not sent");
  if (call.outcome === "settled" && call.settlement.as === "not-done")
    return notMade("somebody has settled it as not done");
  if (rollback?.strategy === "unchanged") return notMade("it changed no file");
  if (rollback?.strategy === "none")
    return { reason: "no-way-back", words: `nothing undoes it: ${rollback.reason}` };
  if (rollback !== undefined || call.outcome !== "ended") return undefined;
  if (call.status === "failed") return notMade("it failed, and changed nothing");
  return { reason: "no-way-back", words: "its record has no way back" };
}

function notMade(words: string): Obstacle {
  return { reason: "not-made", words };
}

/** An earlier rollback of a call, and what is known about it. */
export interface EarlierRollback {
  /** Id of the call that undid it, or may have. */
  readonly by: string;
  readonly isDone: boolean;
}

/**
 * Finds the call that undid a call, or one of which nobody knows whether it did. Undefined if there
 * is none.
 */
export async function earlierRollback(
  { ledger }: Pick<Runtime, "ledger">,
  id: string,
): Promise<EarlierRollback | undefined> {
  let unknown: EarlierRollback | undefined;
  for await (const call of queryStore(ledger, { parent: id })) {
    if (call.rollbackOf !== id || call.mode === "shadow") continue;
    const isSettled = call.outcome === "settled" && call.settlement.as === "done";
    if (isSettled || (call.outcome === "ended" && call.undone === true))
      return { by: call.id, isDone: true };
    if (call.outcome === "unknown") unknown ??= { by: call.id, isDone: false };
  }
  return unknown;
}
