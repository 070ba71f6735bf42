import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isToolError } from "../errors.js";
import { dispatchTool } from "../model/dispatch.js";
import { failureForModel, type ValueForModel, valueForModel } from "../model/model-result.js";
import { notOffered } from "../model/not-offered.js";
import { type OfferedEntry, offerOne } from "../model/offer-entries.js";
import { namesFor } from "./list-tools.js";
import { offerOptions } from "./offer-options.js";
import { callOwnTool, isOwnTool } from "./own-tools/own-tools.js";
import { runningResult } from "./running-result.js";
import type { AnyResult } from "../result.js";
import type { AskedCall, Connection, Served } from "./served.js";
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
  if (isOwnTool(asked.name)) return callOwnTool(connection, asked, context.mcpReq.signal);
  const entry = await offerOne(connection.served.catalog, asked.name, offerOptions(connection));
  if (entry === undefined) throw await unknownTool(connection, asked.name);
  return makeCall(connection, entry, asked, context);
}

async function makeCall(
  { client, served }: Connection,
  { offered, tool }: OfferedEntry,
  asked: AskedCall,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const endOf = async (signal: AbortSignal): Promise<CallToolResult> => {
    const call = dispatchTool(served.tools, offered.name, asked.arguments ?? {}, {
      runtime: served.runtime,
      caller: client.caller,
      offered: [offered],
      signal,
    });
    return toolResult(served, tool, await endForModel(call, served.onError));
  };
  const answer = await served.background.run(client.caller, endOf, mcpReq.signal);
  return answer.state === "running" ? runningResult(answer.id) : answer.value;
}

/** Turns every end into a value, because a call in the background has nobody to throw to. */
async function endForModel(
  call: Promise<AnyResult>,
  onError: Served["onError"],
): Promise<ValueForModel> {
  try {
    return await valueForModel(call);
  } catch (error) {
    if (isToolError(error)) return failureForModel(error);
    onError(error);
    const failed = { status: "failed", code: "UNKNOWN.INTERNAL", message: "the tool failed" };
    return { value: failed, isError: true };
  }
}

/** Suggests similar names, but only those of tools that the client may call. */
async function unknownTool(connection: Connection, name: string): Promise<ProtocolError> {
  const { message } = notOffered(name, await namesFor(connection));
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
