/** The end of a call to which the client's user said no. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { failedResult } from "../own-result.js";
import type { CallingConnection } from "../served.js";

const note = "the client's user said no";

/**
 * Denies the request, so that a model which repeats the call causes no further question.
 *
 * @param id id of the request
 */
export async function denyCall(
  { client, served }: CallingConnection,
  id: string,
  channel: string,
): Promise<CallToolResult> {
  const { subject } = client.caller;
  try {
    if (subject !== undefined) await served.runtime.deny(id, { subject, channel, note });
  } catch (error) {
    // The request has expired, or somebody decided it meanwhile. This call is not made anyway.
    if (!(error instanceof TypeError)) served.onError(error);
  }
  return failedResult(
    "AUTH.APPROVAL_REQUIRED",
    `a person denied this call: ${note}; do not repeat the call`,
  );
}
