import { describe, expect, onTestFinished, test } from "vitest";
import { connectClient, listen, ways } from "./clients.js";
import { serveDesk } from "./order-desk.js";

const ask = {
  name: "order-desk__quote-shipping",
  arguments: { country: "DE", weight_kg: 1 },
};

/** A handler that ends when the test says so. */
function heldQuote() {
  let end: () => void = () => undefined;
  const held = new Promise<{ readonly price: number; readonly currency: "EUR" }>(
    (resolve) => (end = () => resolve({ price: 4.9, currency: "EUR" })),
  );
  onTestFinished(end);
  return { end, quote: () => held };
}

describe.each(ways)("progress over $way in $era", (how) => {
  test("reaches a client that asked for it, with rising numbers", async () => {
    const { end, quote } = heldQuote();
    const { server } = await serveDesk({ quote, progressMs: 1 });
    const client = await connectClient(server, how);
    const seen: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }) => {
      seen.push(progress);
      if (seen.length === 3) end();
    };
    const answer = await client.callTool(ask, { onprogress });
    expect(answer.structuredContent).toMatchObject({ status: "success" });
    expect(seen.slice(0, 3)).toEqual([1, 2, 3]);
  });
});

test("a response over HTTP begins before the end of a long call, although nobody asked for progress", async () => {
  const { end, quote } = heldQuote();
  const { server } = await serveDesk({ quote, progressMs: 1 });
  const response = await fetch(await listen(server), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": ask.name,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        ...ask,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  });
  // The call still goes on.
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  end();
  expect(await response.text()).toContain('"status":"success"');
});
