/** The channel on which a client's user may approve calls. */
import type { ClientCapabilities, ServerContext } from "@modelcontextprotocol/server";
import { mayConfirm } from "../../governance/approval-rules.js";
import type { CallingConnection, Connection } from "../served.js";

/**
 * Returns the channel on which the client's user may approve calls of a tool; undefined if the user
 * may not, or the client can't ask.
 */
export function channelFor(
  connection: CallingConnection,
  toolId: string,
  context: ServerContext,
): string | undefined {
  const { policy } = connection.served.runtime.governance ?? {};
  const tool = policy && Object.hasOwn(policy.tools, toolId) ? policy.tools[toolId] : undefined;
  const channel = channelName(connection, context);
  if (policy === undefined || tool === undefined || channel === undefined) return undefined;
  const mayAsk = mayConfirm(policy, tool, { channel });
  return mayAsk && showsForms(connection.capabilities(context)) ? channel : undefined;
}

/** A request over HTTP has only the channel of its OAuth client. */
function channelName({ client }: Connection, { http }: ServerContext): string | undefined {
  if (client.door === "stdio" && http === undefined) return "elicitation";
  return client.clientId === undefined || client.clientId === ""
    ? undefined
    : `elicitation:${client.clientId}`;
}

/** A client that names no mode of elicitation shows forms. */
function showsForms({ elicitation }: ClientCapabilities = {}): boolean {
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || Object.keys(elicitation).length === 0;
}
