import type { AnyResult } from "../result.js";
import type { Call } from "../call/call.js";
import { servingBinding } from "../call/steps/prepare.js";
import { sharedText } from "../equal.js";
import type { PreparedCall } from "../call/binding.js";
import type { Governor } from "./governor.js";

/**
 * Replaces the call's id, which differs for each call, because random parts don't affect what the
 * call does.
 */
const noId = "00000000-0000-0000-0000-000000000000";

/**
 * Returns a digest of what a call would do: its prepared request, with names of credentials, and
 * its tool's manifest, and the real paths of the files that it uses. It is the same for the same call, whoever makes it. For a handler, it covers
 * what the handler receives. It is also needed before the step `prepare`.
 */
export function fingerprintOf({ digest }: Pick<Governor, "digest">, call: Call): string {
  const { tool, toolId } = call;
  const prepared = unidentified(call);
  const request = prepared.fingerprint?.() ?? prepared.describe();
  const paths = call.paths?.used.map(({ name }) => name) ?? [];
  const identity = [toolId, tool.version.manifest, request, ...paths];
  return digest(tool, "request", sharedText(identity));
}

/** Prepares a call without its id. It is also possible before the step `prepare`. */
export function unidentified(call: Call): PreparedCall<AnyResult> {
  const { args, caller, toolId } = call;
  // The tool's validator accepted these arguments.
  return servingBinding(call).prepare(args as never, { id: noId, toolId, caller });
}
