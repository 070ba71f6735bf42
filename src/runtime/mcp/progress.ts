import type { ServerContext } from "@modelcontextprotocol/server";
import type { Door } from "./mcp-client.js";

/** How a client learns that its call goes on. */
export interface ProgressOptions {
  readonly door: Door;
  /** Time between two notifications, in milliseconds. */
  readonly everyMs: number;
}

/**
 * Tells the client that its call goes on, until the returned function is called. A client that
 * wants progress gets it. Any other client over HTTP gets one notification: with it the SDK begins
 * the response, and from then on keeps the connection alive.
 */
export function tellProgress(
  { mcpReq }: Pick<ServerContext, "mcpReq">,
  { door, everyMs }: ProgressOptions,
): () => void {
  const { _meta: { progressToken: token } = {} } = mcpReq;
  if (token === undefined && door === "stdio") return () => undefined;
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    if (token === undefined) clearInterval(timer);
    const notification =
      token === undefined
        ? { method: "notifications/skillc/working" }
        : { method: "notifications/progress", params: { progressToken: token, progress } };
    // The client may be gone, which the call's signal reports.
    mcpReq.notify(notification).catch(() => undefined);
  }, everyMs);
  return () => clearInterval(timer);
}
