import {
  callerPart,
  digestOf,
  envelope,
  type EventSink,
  type ToolEvent,
  type ToolInvokeBegin,
  type ToolInvokeEnd,
} from "../../governance/events.js";
import type { Governor } from "../../governance/governor.js";
import { keptResult, paramsOf, wholeResult } from "../../ledger/record-call.js";
import type { Call, Ending, Step } from "../call.js";
import { callEnd } from "../call-end.js";
import { callError } from "../call-error.js";
import { placesOf } from "../places.js";
import { isOnlyDecided } from "../undoing.js";
import { isShadowed } from "./shadow.js";

/**
 * Announces that a call is about to be sent.
 *
 * @throws ToolError if an outbox can't store the event; the call must then not be sent
 */
export function announce(governor: Governor, tell: EventSink): Step {
  return (call) => {
    if (isShadowed(call)) return undefined;
    const event: ToolInvokeBegin = { type: "ToolInvokeBegin", ...partOf(governor, call) };
    if (tell.isWaitedFor) return keepEvent(tell, event, call);
    tellEvent(tell, event);
    return undefined;
  };
}

function keepEvent(tell: EventSink, event: ToolInvokeBegin, call: Call): undefined | Promise<void> {
  return tell(event)?.catch((cause: unknown) => {
    const what = { code: "UNKNOWN.INTERNAL", reason: "ledger-unavailable" } as const;
    const message = `\`${call.toolId}\` was not sent: the ledger could not keep its event`;
    throw callError(call, what, message, { cause });
  });
}

/**
 * Announces the end of every call, after all its other endings. A call that only lets another tool
 * undo an earlier call is announced if it is denied.
 */
export function announceEnd(governor: Governor, tell: EventSink): Step {
  return (call) => {
    (call.endings ??= []).unshift((ending) => {
      if (!isOnlyDecided(call) || "error" in ending) tellEvent(tell, endOf(governor, call, ending));
      return undefined;
    });
    return undefined;
  };
}

function partOf({ policy }: Governor, call: Call) {
  const { effect, version } = call.tool;
  const tool = Object.hasOwn(policy.tools, call.toolId) ? policy.tools[call.toolId] : undefined;
  return {
    ...envelope(call.toolId, policy.hash),
    call_id: call.id,
    ...callerPart(call),
    manifest_hash: version.manifest,
    risk: tool?.risk ?? "critical",
    effect,
    args_digest: digestOf(paramsOf(call)),
    ...(call.undoing !== undefined && { rollback_of: call.undoing.of }),
  } as const;
}

function endOf(governor: Governor, call: Call, ending: Ending): ToolInvokeEnd {
  const { attempts, decision, tool } = call;
  const { answer, error, state } = callEnd(call, ending);
  // Leave out masked parameters: a digest of few possible values can be reversed by trying them.
  const sent = attempts === 0 ? [] : placesOf(call, tool.maskedParams ?? []);
  return {
    type: "ToolInvokeEnd",
    ...partOf(governor, call),
    state,
    ...(answer !== undefined && { status: answer.status }),
    ...(error !== undefined && { error_code: error.code }),
    decided_by: decision?.decidedBy ?? [],
    obligations: decision?.obligations ?? [],
    budget_used: decision?.spent ?? {},
    ...(sent.length > 0 && { side_effects_digest: digestOf(JSON.stringify(sent.flat())) }),
    ...(answer !== undefined && {
      output_digest: digestOf(wholeResult(call, keptResult(call) ?? answer)),
    }),
    ...(decision?.approval !== undefined && { approval: decision.approval }),
    ...(decision?.replayOf !== undefined && { replay_of: decision.replayOf }),
  };
}

/** Sends an event to the sink. If the sink fails, it only warns. */
export function tellEvent(tell: EventSink, event: ToolEvent): void {
  const failed = (cause: unknown): void => {
    process.emitWarning(`an event sink failed to take an event of governance: ${String(cause)}`, {
      type: "SkillcEventWarning",
    });
  };
  try {
    const taken = tell(event);
    if (taken instanceof Promise) void taken.catch(failed);
  } catch (cause) {
    failed(cause);
  }
}
