import type { CallToolResult } from "@modelcontextprotocol/server";

/**
 * Returns the result of a call that goes on.
 *
 * @param id id for the server's own tools
 */
export function runningResult(id: string): CallToolResult {
  const value = { status: "skillc:running", id, message };
  return {
    content: [{ type: "text", text: JSON.stringify(value) }],
    structuredContent: value,
  };
}

const message =
  "the call goes on; get its result with skillc__await, or abort it with skillc__cancel; don't repeat the call";
