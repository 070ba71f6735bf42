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
import { TooManyCalls } from "./call-limits.js";
import { namesFor } from "./list-tools.js";
import type { McpClient } from "./mcp-client.js";
import { offerOptions } from "./offer-options.js";
import { callOwnTool, isOwnTool } from "./own-tools/own-tools.js";
import { tellProgress } from "./progress.js";
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
  context: ServerContext,
): Promise<CallToolResult> {
  const { _meta: meta = {}, signal } = context.mcpReq;
  const call = (ended: AbortSignal): Promise<AnyResult> =>
    dispatchTool(served.tools, offered.name, asked.arguments ?? {}, {
      runtime: served.runtime,
      caller: client.caller,
      offered: [offered],
      signal: ended,
    });
  const { telemetry } = served.runtime;
  const traced =
    telemetry === undefined
      ? call
      : (ended: AbortSignal) => telemetry.within(meta, () => call(ended));
  const endOf = async (ended: AbortSignal): Promise<CallToolResult> =>
    toolResult(
      served,
      tool,
      client.caller,
      await endForModel(inTurn(served, client, traced, ended), ended, served.onError),
    );
  const endProgress = tellProgress(context, { door: client.door, everyMs: served.progressMs });
  try {
    const answer = await served.background.run(client.caller, endOf, signal);
    return answer.state === "running" ? runningResult(answer.id) : answer.value;
  } finally {
    endProgress();
  }
}

/** Makes a call once it has a place. */
async function inTurn(
  { limits }: Served,
  { caller }: McpClient,
  call: (signal: AbortSignal) => Promise<AnyResult>,
  signal: AbortSignal,
): Promise<AnyResult> {
  const leave = await limits.enter(caller, signal);
  try {
    return await call(signal);
  } finally {
    leave();
  }
}

/** Turns every end into a value, because a call in the background has nobody to throw to. */
async function endForModel(
  call: Promise<AnyResult>,
  signal: AbortSignal,
  onError: Served["onError"],
): Promise<ValueForModel> {
  try {
    return await valueForModel(call);
  } catch (error) {
    if (isToolError(error)) return failureForModel(error);
    if (signal.aborted) return failure("the call was aborted");
    if (error instanceof TooManyCalls) return failure("too many calls at once; repeat it later");
    onError(error);
    return failure("the tool failed");
  }
}

function failure(message: string): ValueForModel {
  const value = { status: "failed", code: "UNKNOWN.INTERNAL", message };
  return { value, isError: true };
}

/** Suggests similar names, but only those of tools that the client may call. */
async function unknownTool(connection: Connection, name: string): Promise<ProtocolError> {
  const { message } = notOffered(name, await namesFor(connection));
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
