/**
 * Writes down how a call can be undone. A compensation needs parameters that the ledger may mask or
 * cut, so they are kept beside the end record: as they are if the record may show them, otherwise
 * encrypted with governance's `key`.
 */
import type { AnyTool, Call, Ending } from "../call/call.js";
import { boundCaller } from "../caller.js";
import { masked } from "../call/mask.js";
import { isShadowed } from "../call/steps/shadow.js";
import { masks, withoutParameters } from "../ledger/recorded-values.js";
import { keepSealed, sealedType } from "../ledger/sealed-attachment.js";
import type { AnyResult } from "../result.js";
import type { CompensatedBy, ToolRollback } from "./tool-rollback.js";
import type { DeclaredWayBack, WayBack, WayBackParameters } from "./way-back.js";

/** Purpose of the key of sealed parameters. */
export const wayBackPurpose = "rollback parameters";

/** Maximum size of parameters in the record itself, in characters of JSON. */
export const maxInlineParameters = 4096;

/** Maximum size of sealed parameters, in bytes of JSON. */
const maxSealedBytes = 1024 * 1024;

/**
 * Returns the way back of a call that has ended; undefined if it changed nothing, or its tool has
 * none. Only a success can be compensated, because its answer has the parameters.
 */
export function wayBackOf(call: Call): WayBack | undefined {
  const { answered, attempts, tool, wayBack } = call;
  const { effect, rollback } = tool;
  if (wayBack !== undefined) return wayBack;
  if (rollback === undefined || effect !== "write" || attempts === 0) return undefined;
  if (isShadowed(call) || answered === undefined) return undefined;
  if (keepsBeforeChanges(rollback)) return { strategy: "unchanged" };
  // Only a success carries data.
  if (!("data" in answered)) return undefined;
  if (rollback.strategy === "none") return { strategy: "none", reason: rollback.reason };
  if (rollback.strategy !== "compensate") return undefined;
  const parameters = keptParameters(call, rollback, answered);
  return { strategy: "compensate", tool: rollback.tool, parameters };
}

/** Returns whether a call that has kept nothing has changed nothing. */
function keepsBeforeChanges(rollback: ToolRollback<never>): boolean {
  return rollback.strategy === "effects" || (rollback.strategy === "backup" && !rollback.paths);
}

/** Returns the way back that a call of a tool will have; undefined if the tool declares none. */
export function declaredWayBack({ rollback }: AnyTool): DeclaredWayBack | undefined {
  if (rollback === undefined) return undefined;
  const { strategy } = rollback;
  if (strategy === "compensate") return { strategy, tool: rollback.tool };
  return strategy === "none" ? { strategy, reason: rollback.reason } : { strategy };
}

/** Returns whether a call has undone the call that it is about, as a whole. */
export function hasUndone(call: Call, ending: Ending): boolean {
  const { answered, attempts, undoing } = call;
  if (undoing === undefined || undoing.isPart === true || attempts === 0) return false;
  // An obligation may withhold the answer of a call that was made.
  const answer = "result" in ending || call.result !== undefined ? answered : undefined;
  return !isShadowed(call) && answer !== undefined && "data" in answer;
}

function keptParameters(
  call: Call,
  rollback: CompensatedBy<never>,
  answer: AnyResult,
): WayBackParameters {
  const parameters = builtParameters(rollback, call.args, answer, call);
  if (parameters === undefined) return { omitted: "not-built" };
  const json = JSON.stringify(parameters);
  if (json.length <= maxInlineParameters && mayBeShown(call, rollback, answer, json))
    return { json };
  const { governance, ledger } = call.runtime;
  const text = { text: json, context: call.id, maxBytes: maxSealedBytes };
  const kept = keepSealed(ledger, governance?.wayBackSeal, text);
  if (typeof kept === "string") return { omitted: kept };
  // The end record of the call refers to it, so that the ledger verifies and prunes it.
  call.sealed = { name: "rollback parameters", type: sealedType, ...kept };
  return { sealed: kept };
}

/**
 * Builds the parameters. An answer that doesn't fit its schema may lack what they need.
 *
 * @returns undefined if they can't be built
 */
function builtParameters(
  { parameters }: CompensatedBy<never>,
  args: unknown,
  answer: AnyResult,
  call: Call,
): object | undefined {
  try {
    // The arguments are those that the tool's validator accepted.
    const built: unknown = parameters?.(args as never, answer, boundCaller(call));
    return typeof built === "object" && built !== null ? built : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether parameters hold no credential, and nothing that comes from a masked value. */
function mayBeShown(
  call: Call,
  rollback: CompensatedBy<never>,
  answer: AnyResult,
  json: string,
): boolean {
  const parameters: unknown = JSON.parse(json);
  if (withoutParameters(call, parameters as object) !== json) return false;
  const { maskedParams } = call.tool;
  const hidden = masks(call, answer);
  if (maskedParams === undefined && hidden === answer) return true;
  const shown = builtParameters(rollback, masked(call.args, maskedParams), hidden, call);
  return JSON.stringify(shown) === json;
}
