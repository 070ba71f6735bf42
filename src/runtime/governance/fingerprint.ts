import type { AnyResult } from "../result.js";
import type { Call } from "../call/call.js";
import { servingBinding } from "../call/steps/prepare.js";
import { sharedText } from "../equal.js";
import type { PreparedCall } from "../tool.js";
import type { Governor } from "./governor.js";

/**
 * In place of the call's id, which is another for each: what is random in a request says nothing of
 * what it does.
 */
const noId = "00000000-0000-0000-0000-000000000000";

/**
 * A digest of what a call would do: its prepared request, credentials by name, and
 * the manifest of its tool. The same for the same call, whoever makes it and whenever. Where a
 * handler serves the tool, it is of what the handler is given: that is asked before `prepare`, too.
 */
export function fingerprintOf({ digest }: Pick<Governor, "digest">, call: Call): string {
  const { args, caller, tool, toolId } = call;
  // The tool's validator accepted these arguments.
  const prepared: PreparedCall<AnyResult> = servingBinding(call).prepare(args as never, {
    id: noId,
    toolId,
    caller,
  });
  const request = prepared.fingerprint?.() ?? prepared.describe();
  return digest(tool, "request", sharedText([toolId, tool.version.manifest, request]));
}
