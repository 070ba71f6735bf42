/** The server below an application's own HTTP server, by the SDK's adapter. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { expect, onTestFinished, test } from "vitest";
import { serveDesk } from "./order-desk.js";

const order = { name: "order-desk__get-order", arguments: { order_id: "ord_1001" } };

/** Reads a body as the parser of a framework does, which leaves nothing of the stream. */
async function parse(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text === "" ? undefined : JSON.parse(text);
}

test.each(["2026-07-28", "2025-11-25"] as const)(
  "a server behind a framework that parses bodies answers a client of %s",
  async (era) => {
    const { server } = await serveDesk();
    const answer = toNodeHandler(server);
    const http = createServer(async (request, response) => {
      // The adapter's type of a request leaves out that fields may be undefined.
      await answer(request as Parameters<typeof answer>[0], response, await parse(request));
    });
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    // A server on a port has such an address.
    const { port } = http.address() as AddressInfo;
    const client = new Client(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: era === "2026-07-28" ? { pin: era } : "legacy" } },
    );
    onTestFinished(() => client.close());
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/any/path`)),
    );
    const { structuredContent } = await client.callTool(order);
    expect(structuredContent).toMatchObject({ status: "success", data: { id: "ord_1001" } });
  },
);
