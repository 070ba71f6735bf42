import { abortedError } from "../call-error.js";
import type { Call } from "../call.js";
import { copyParameters } from "../copy-parameters.js";

/**
 * Copies the parameters before anything else, so that later changes by the caller have no effect.
 *
 * @throws RefusedValue if the parameters can't be copied
 * @throws ToolError if the caller has aborted
 */
export function receive(call: Call): undefined {
  const { given, options, tool } = call;
  const isRestricted = tool.files !== undefined && options.files === "content-only";
  const files = isRestricted ? { ...tool.files, contentOnly: true as const } : tool.files;
  call.params = copyParameters(given, files, call);
  if (call.options.signal?.aborted) throw abortedError(call);
}
