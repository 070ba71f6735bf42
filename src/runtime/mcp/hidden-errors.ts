import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Served } from "./served.js";

/**
 * Keeps unexpected errors from clients, because the SDK would send their messages, which may name
 * hosts, files or values.
 *
 * @throws ProtocolError of `work`, or one that says nothing in place of any other error
 */
export async function hidingErrors<Value>(
  { onError }: Pick<Served, "onError">,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    onError(error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, "the server failed");
  }
}
