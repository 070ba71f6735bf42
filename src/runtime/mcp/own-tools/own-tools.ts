/** The server's own tools, a file for each. */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";
import type { AskedCall, Connection, Served } from "../served.js";
import { awaitTool } from "./await-tool.js";
import { cancelTool } from "./cancel-tool.js";
import { type OwnTool, ownPrefix } from "./own-tool.js";
import { skillTool } from "./skill-tool.js";

/** Returns whether a name is one of the server's own, and not of a skill. */
export function isOwnTool(name: string): boolean {
  return name.startsWith(ownPrefix);
}

/** Returns the server's own tools. A project without skills has no `skillc__skill`. */
export function ownTools(served: Served): readonly Tool[] {
  return toolsFor(served).map(({ listed }) => listed);
}

function toolsFor({ data }: Served): readonly OwnTool[] {
  return data.skills.length > 0 ? [awaitTool, cancelTool, skillTool] : [awaitTool, cancelTool];
}

/**
 * Calls one of the server's own tools.
 *
 * @throws ProtocolError if there is no tool with this name
 */
export async function callOwnTool(
  connection: Connection,
  { arguments: args = {}, name }: AskedCall,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const tool = toolsFor(connection.served).find(({ listed }) => listed.name === name);
  if (tool !== undefined) return tool.call(connection, args, signal);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the server has no tool with this name");
}
