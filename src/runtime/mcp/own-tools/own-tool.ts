import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { Connection } from "../served.js";

/** A tool of the server itself. */
export interface OwnTool {
  readonly listed: Tool;
  /**
   * Calls the tool.
   *
   * @param args as the client sent them, unchecked
   * @param signal ends a tool that waits
   */
  call(
    connection: Connection,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<CallToolResult>;
}

/** Begins the names of the server's own tools. No skill can have `skillc` as its name. */
export const ownPrefix = "skillc__";

/** Hints of a tool that changes nothing, and reaches nothing but the server. */
export const readsOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Schema of the parameters of a tool that takes one text. */
export function oneText(name: string, description: string): Tool["inputSchema"] {
  return {
    type: "object",
    properties: { [name]: { type: "string", description } },
    required: [name],
    additionalProperties: false,
  };
}

/** Result for arguments that the tool can't use. */
export function failed(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
