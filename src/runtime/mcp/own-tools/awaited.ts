import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Connection } from "../served.js";

/** A kind of ids that clients can wait for. */
export interface Awaited {
  /** Form of the ids. No id has the form of another kind. */
  readonly form: RegExp;
  /** Waits for at most 25 seconds. Undefined if the id is unknown or another caller's. */
  await(
    connection: Connection,
    id: string,
    signal: AbortSignal,
  ): Promise<CallToolResult | undefined>;
}
