/** Clients of the MCP SDK, on each way and in each version of the protocol that a server speaks. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client,
  type ElicitRequestFormParams,
  type ElicitResult,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import type { SkillcMcpServer } from "@skillc/runtime/mcp";
import { onTestFinished } from "vitest";

/** A version of the protocol: the stateless one, or that of most clients today. */
export type Era = "2026-07-28" | "2025-11-25";

/** Way on which a client connects. */
export type Way = "stdio" | "http";

/** Every way in every version. */
export const ways: readonly { readonly era: Era; readonly way: Way }[] = (
  ["stdio", "http"] as const
).flatMap((way) => (["2026-07-28", "2025-11-25"] as const).map((era) => ({ era, way })));

/** Options of a client. */
export interface ClientOptions {
  readonly era: Era;
  readonly way: Way;
  readonly token?: string;
  /** Answers forms. Without it, the client declares that it can't show any. */
  readonly elicit?: (form: ElicitRequestFormParams) => ElicitResult | Promise<ElicitResult>;
  /** True if forms are results of calls, and the test answers them with a further call. */
  readonly isManual?: true;
  /** Called after a change of tools, if the server says so. */
  readonly onToolsChanged?: () => void;
}

/** Connects a client to a server until the test ends. */
export async function connectClient(
  server: SkillcMcpServer,
  { elicit, era, isManual, onToolsChanged, token, way }: ClientOptions,
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode: era === "2026-07-28" ? { pin: era } : "legacy" },
      ...((elicit ?? isManual) !== undefined && { capabilities: { elicitation: { form: {} } } }),
      ...(onToolsChanged && {
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } },
      }),
      ...(isManual && { inputRequired: { autoFulfill: false } }),
    },
  );
  if (elicit !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      // The server sends no other form.
      return elicit(params as ElicitRequestFormParams);
    });
  const transport =
    way === "stdio" ? serveInMemory(server) : await clientTransport(await listen(server), token);
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

function serveInMemory(server: SkillcMcpServer): InMemoryTransport {
  const [one, other] = InMemoryTransport.createLinkedPair();
  const close = server.serveStdio(other);
  onTestFinished(close);
  return one;
}

async function clientTransport(url: string, token: string | undefined) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}

/** Serves HTTP on a port of this machine until the test ends, and returns the server's URL. */
export async function listen({ fetch }: Pick<SkillcMcpServer, "fetch">): Promise<string> {
  const answer = toNodeHandler({ fetch });
  const http = createServer((request, response) => {
    // The adapter's type of a request leaves out that fields may be undefined.
    void answer(request as Parameters<typeof answer>[0], response);
  });
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  // A server on a port has such an address.
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}
