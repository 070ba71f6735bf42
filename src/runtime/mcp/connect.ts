import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpRequestContext,
  McpServer,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { callTool } from "./call-tool.js";
import { hidingErrors } from "./hidden-errors.js";
import { offerKeptResults } from "./kept-results.js";
import { listTools } from "./list-tools.js";
import type { CallingConnection, Connection } from "./served.js";

/** Time for which clients may keep a list of tools, in milliseconds. */
const listTtlMs = 60_000;

/**
 * Makes the SDK's server for one connection or request. It registers no tools, because the SDK
 * would prepare all of them for each request.
 */
export async function connect(
  connection: Connection,
  era: McpRequestContext["era"],
): Promise<McpServer> {
  const { info, skills } = connection.served;
  const mcp = new McpServer(info, {
    instructions: await connection.served.instructions(connection),
    cacheHints: { "tools/list": { ttlMs: listTtlMs, cacheScope: "private" } },
  });
  const { server } = mcp;
  server.registerCapabilities({ tools: { listChanged: true } });
  const { served } = connection;
  server.setRequestHandler("tools/list", ({ params }) =>
    hidingErrors(served, () => listTools(connection, params?.cursor)),
  );
  const calling: CallingConnection = {
    ...connection,
    // A client of an earlier version declares its capabilities once, when it connects. Over stateless
    // HTTP, nobody remembers them.
    capabilities: (context) =>
      era === "modern" ? declaredIn(context) : server.getClientCapabilities(),
  };
  server.setRequestHandler("tools/call", ({ params }, context) =>
    hidingErrors(served, () => callTool(calling, params, context)),
  );
  skills.attach(mcp);
  offerKeptResults(mcp, connection);
  // Over HTTP, this server answers one request, and the SDK's handler serves subscriptions.
  if (connection.client.door === "stdio") watchTools(connection, server);
  return mcp;
}

function declaredIn({ mcpReq: { envelope } }: ServerContext): ClientCapabilities | undefined {
  // The SDK has checked the envelope of a request, but its type has no properties.
  const declared = envelope as { readonly [key: string]: ClientCapabilities } | undefined;
  return declared?.[CLIENT_CAPABILITIES_META_KEY];
}

/** Tells the client after a change of tools, until the connection ends. */
function watchTools({ served }: Connection, server: Server): void {
  const end = served.changes.watch(() => void server.sendToolListChanged().catch(served.onError));
  Object.assign(server, { onclose: end });
}
