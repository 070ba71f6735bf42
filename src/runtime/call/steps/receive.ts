import { abortedError } from "../call-error.js";
import type { Call } from "../call.js";
import { copyParameters } from "../copy-parameters.js";

/**
 * Takes a copy of the parameters, before anything is waited for: what the caller does to its own
 * object from now on shows nowhere.
 *
 * @throws RefusedValue for what can't be copied
 * @throws ToolError when the caller has aborted
 */
export function receive(call: Call): undefined {
  call.params = copyParameters(call.given, call.tool.files, call);
  if (call.options.signal?.aborted) throw abortedError(call);
}
