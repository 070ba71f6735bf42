import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type ConfirmableCall, withConfirmableCall } from "../call/confirmable-call.js";
import { isToolError } from "../errors.js";
import { dispatchEntry } from "../model/dispatch.js";
import { failureForModel, type ValueForModel, valueForModel } from "../model/model-result.js";
import { notOffered } from "../model/not-offered.js";
import { type OfferedEntry, offerOne } from "../model/offer-entries.js";
import { readAnswer } from "./approval/answered-question.js";
import { denyCall } from "./approval/denied-call.js";
import { pendingResult, requestLeftBy, unapprovedEnd } from "./approval/unapproved-call.js";
import { TooManyCalls } from "./call-limits.js";
import { namesFor } from "./offered-names.js";
import type { McpClient } from "./mcp-client.js";
import { offerOptions } from "./offer-options.js";
import { callOwnTool, isOwnTool } from "./own-tools/own-tools.js";
import { tellProgress } from "./progress.js";
import { runningResult } from "./running-result.js";
import type { AnyResult } from "../result.js";
import type { AskedCall, CallEnd, CallingConnection, Connection, Served } from "./served.js";
import { toolResult } from "./tool-result.js";

/**
 * Makes a call for a client, or asks the client's user to approve it.
 *
 * @throws ProtocolError if the client may not call a tool with this name, or answers a question that
 * it was not asked
 */
export async function callTool(
  connection: CallingConnection,
  asked: AskedCall,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  if (isOwnTool(asked.name)) return callOwnTool(connection, asked, context.mcpReq.signal);
  const entry = await offerOne(connection.served.catalog, asked.name, offerOptions(connection));
  if (entry === undefined) throw await unknownTool(connection, asked.name);
  const answer = await readAnswer(connection, entry.tool, context);
  switch (answer.kind) {
    case "no":
      return denyCall(connection, answer.request, answer.channel);
    case "open":
      return pendingResult(answer.request);
    case "none":
      return makeCall(connection, entry, { ...asked, confirmable: {} }, context);
    case "yes":
      return makeCall(connection, entry, { ...asked, confirmable: answer }, context);
  }
}

/** A call to make, with the confirmation if there is one. */
interface CallToMake extends AskedCall {
  readonly confirmable: ConfirmableCall;
}

async function makeCall(
  connection: CallingConnection,
  entry: OfferedEntry,
  toMake: CallToMake,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { client, served } = connection;
  const { _meta: meta = {}, signal } = context.mcpReq;
  const call = dispatched(connection, entry, toMake, meta);
  const endOf = async (ended: AbortSignal): Promise<CallEnd> => {
    const made = inTurn(served, client, call, ended);
    const request = await requestLeftBy(made);
    const unapproved =
      request && (await unapprovedEnd(connection, entry, toMake.confirmable, { context, request }));
    if (unapproved !== undefined) return unapproved;
    const end = await endForModel(made, ended, served.onError);
    return { result: await toolResult(served, entry.tool, client.caller, end) };
  };
  const endProgress = tellProgress(context, { door: client.door, everyMs: served.progressMs });
  try {
    const answer = await served.background.run(client.caller, endOf, signal);
    if (answer.state === "running") return runningResult(answer.id);
    return answer.value.question ?? answer.value.result;
  } finally {
    endProgress();
  }
}

/** Returns a function that makes the call, in the client's trace. */
function dispatched(
  { client, served }: Connection,
  entry: OfferedEntry,
  { arguments: args = {}, confirmable }: CallToMake,
  meta: Readonly<Record<string, unknown>>,
): (signal: AbortSignal) => Promise<AnyResult> {
  const { runtime, tools } = served;
  const call = (signal: AbortSignal): Promise<AnyResult> => {
    const files = client.door !== "stdio" && ({ files: "content-only" } as const);
    const options = { runtime, caller: client.caller, signal, ...files };
    return dispatchEntry(tools, entry, args, withConfirmableCall(options, confirmable));
  };
  const { telemetry } = runtime;
  return telemetry === undefined ? call : (signal) => telemetry.within(meta, () => call(signal));
}

/** Makes a call once the limits allow it. */
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
    if (error instanceof TooManyCalls)
      return failure("too many calls at once; repeat this call later");
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
