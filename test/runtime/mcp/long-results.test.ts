import { describe, expect, test } from "vitest";
import type { Client } from "@modelcontextprotocol/client";
import { connectClient, ways } from "./clients.js";
import { serveDesk } from "./order-desk.js";

const ask = { name: "order-desk__list-orders", arguments: {} };

interface Truncated {
  readonly status: string;
  readonly uri: string;
  readonly preview: string;
}

/** Asks for orders, whose JSON is longer than the server's limit. */
async function truncated(client: Client): Promise<Truncated> {
  const { content, structuredContent } = await client.callTool(ask);
  expect(structuredContent).toMatchObject({ status: "skillc:truncated" });
  const result = structuredContent as Truncated;
  expect(content).toContainEqual(
    expect.objectContaining({ type: "resource_link", uri: result.uri }),
  );
  return result;
}

describe.each(ways)("a result over $way in $era that is too long", (how) => {
  test("returns its beginning, and a link to the whole", async () => {
    const { server } = await serveDesk({ maxResultChars: 100, caller: { subject: "ada" } });
    const client = await connectClient(server, how);
    const { preview, uri } = await truncated(client);
    const { contents } = await client.readResource({ uri });
    const [whole] = contents;
    expect(whole).toMatchObject({ uri, mimeType: "application/json" });
    const text = whole !== undefined && "text" in whole ? whole.text : "";
    expect(text.startsWith(preview)).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ status: "success" });
  });

  test("can't be read by a URI that somebody guesses", async () => {
    const { server } = await serveDesk({ maxResultChars: 100 });
    const client = await connectClient(server, how);
    for (const uri of ["skillc://results/x", "skillc://results/..%2f..%2fetc%2fpasswd"])
      await expect(client.readResource({ uri })).rejects.toThrow(/not found/i);
  });
});

test("the link of a result is no resource for another subject", async () => {
  const auth = {
    authenticate: async ({ headers }: Request) => ({
      caller: { subject: headers.get("authorization") ?? "nobody" },
      door: "http" as const,
    }),
  };
  const { server } = await serveDesk({ maxResultChars: 100, auth });
  const how = { era: "2026-07-28", way: "http" } as const;
  const ada = await connectClient(server, { ...how, token: "ada" });
  const bob = await connectClient(server, { ...how, token: "bob" });
  const { uri } = await truncated(ada);
  await expect(bob.readResource({ uri })).rejects.toThrow(/not found/i);
  await expect(ada.readResource({ uri })).resolves.toBeDefined();
});

test("the beginning of a result has at most 2,000 characters, even at a larger limit", async () => {
  const { server } = await serveDesk({ maxResultChars: 2500 });
  const client = await connectClient(server, { era: "2026-07-28", way: "stdio" });
  for (let each = 0; each < 20; each += 1)
    await client.callTool({
      name: "order-desk__create-order",
      arguments: {
        customer_id: "cus_7",
        reference: `reference-${each}`,
        lines: [{ sku: "kettle-01", quantity: 1, price: 100 }],
      },
    });
  const { preview } = await truncated(client);
  expect(preview).toHaveLength(2000);
});
