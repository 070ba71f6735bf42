import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { dispatchTool } from "../model/dispatch.js";
import { valueForModel } from "../model/model-result.js";
import { notOffered } from "../model/not-offered.js";
import { type OfferedEntry, offerOne } from "../model/offer-entries.js";
import { namesFor } from "./list-tools.js";
import { offerOptions } from "./offer-options.js";
import { callOwnTool, isOwnTool } from "./own-tools.js";
import type { AskedCall, Connection } from "./served.js";
import { toolResult } from "./tool-result.js";

/**
 * Makes a call for a client.
 *
 * @throws ProtocolError if the client may not call a tool with this name
 */
export async function callTool(
  connection: Connection,
  asked: AskedCall,
  context: ServerContext,
): Promise<CallToolResult> {
  if (isOwnTool(asked.name)) return callOwnTool(connection, asked);
  const entry = await offerOne(connection.served.catalog, asked.name, offerOptions(connection));
  if (entry === undefined) throw await unknownTool(connection, asked.name);
  return makeCall(connection, entry, asked, context);
}

async function makeCall(
  { client, served }: Connection,
  { offered, tool }: OfferedEntry,
  asked: AskedCall,
  { mcpReq: { signal } }: ServerContext,
): Promise<CallToolResult> {
  const call = dispatchTool(served.tools, offered.name, asked.arguments ?? {}, {
    runtime: served.runtime,
    caller: client.caller,
    offered: [offered],
    signal,
  });
  return toolResult(served, tool, await valueForModel(call));
}

/** Suggests similar names, but only those of tools that the client may call. */
async function unknownTool(connection: Connection, name: string): Promise<ProtocolError> {
  const { message } = notOffered(name, await namesFor(connection));
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
