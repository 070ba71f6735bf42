/** Steps of a call that undoes an earlier call of the same tool. */
import { abortedError } from "../call-error.js";
import type { Call } from "../call.js";
import { withDefaults } from "../defaults.js";
import type { OwnUndoing } from "../undoing.js";
import { isShadowed } from "./shadow.js";

/** Takes the parameters of the undone call from its record, in place of the caller's. */
export function recall(call: Call): undefined {
  const { parameters } = ownUndoing(call);
  const { defaults } = call.tool;
  call.params = parameters;
  call.recordedParams = JSON.stringify(parameters);
  call.args = defaults ? withDefaults(parameters, defaults) : parameters;
  if (call.options.signal?.aborted) throw abortedError(call);
}

/** Ends a call that only decides, because a call of another tool undoes the earlier one. */
export function handOver(call: Call): undefined {
  if (ownUndoing(call).restore === undefined) call.result = { status: "decided" };
}

/** Restores what the earlier call changed. It is not repeated, and no time limit stops it. */
export async function undo(call: Call): Promise<void> {
  const { restore } = ownUndoing(call);
  const isDry = isShadowed(call);
  if (!isDry) call.attempts = 1;
  const restored = await restore?.({ id: call.id, isDry });
  call.answered = restored?.answer;
  call.result = restored?.answer;
  call.wayBack = restored?.wayBack;
  call.request = restored?.request;
}

function ownUndoing({ undoing }: Call): OwnUndoing {
  if (undoing?.own === undefined) throw new Error("the call undoes no other call");
  return undoing.own;
}
