/** The answer of a client's user to a question about a call. */
import { inputResponse, type ServerContext } from "@modelcontextprotocol/server";
import type { Confirmation } from "../../call/confirmable-call.js";
import type { CatalogTool } from "../../model/catalog.js";
import { requestId } from "../../governance/store/stored-request.js";
import type { CallingConnection } from "../served.js";
import { approvedIn } from "./approval-form.js";
import { channelFor } from "./channel.js";
import { approvalIdOf, readQuestion, type Question } from "./signed-question.js";

/** Key of the form among the client's inputs. */
export const inputKey = "approval";

/**
 * An answer. `none`: the client answers no question. `open`: the user closed the form. `request` is
 * the id of the request for approval.
 */
export type Answer =
  | { readonly kind: "none" }
  | { readonly kind: "yes"; readonly confirmation: Confirmation }
  | { readonly kind: "no"; readonly request: string; readonly channel: string }
  | { readonly kind: "open"; readonly request: string };

/**
 * Reads the answer that comes with a call.
 *
 * @throws ProtocolError if the server did not ask this client the question, or asked about another
 * tool
 */
export async function readAnswer(
  connection: CallingConnection,
  tool: CatalogTool,
  context: ServerContext,
): Promise<Answer> {
  const state = context.mcpReq.requestState<string>();
  if (state === undefined) return { kind: "none" };
  const question = await readQuestion(connection, tool.id, state, context);
  const request = requestOf(connection, tool, question);
  const channel = channelFor(connection, tool.id, context);
  const view = inputResponse(context.mcpReq.inputResponses, inputKey);
  // Without a channel, nobody may have answered.
  if (view.kind !== "elicit" || channel === undefined) return { kind: "none" };
  if (view.action === "decline") return { kind: "no", request, channel };
  const isApproved = view.action === "accept" ? approvedIn(view.content ?? {}) : undefined;
  if (isApproved === undefined) return { kind: "open", request };
  if (!isApproved) return { kind: "no", request, channel };
  return { kind: "yes", confirmation: confirmationOf(connection, question, channel) };
}

function confirmationOf(
  { served }: CallingConnection,
  question: Question,
  channel: string,
): Confirmation {
  const { digest, trial } = question;
  const approval = approvalIdOf(served.confirmationKey, question);
  return { digest, ...(trial !== undefined && { trial }), channel, approval };
}

function requestOf(
  { client }: CallingConnection,
  { id, manifest_hash: manifest }: CatalogTool,
  { digest }: Question,
): string {
  const { subject, tenant } = client.caller;
  return requestId({ tool: id, manifest, digest, subject, tenant });
}
