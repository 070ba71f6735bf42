/** Many clients of several tenants at once. */
import { currentCaller } from "@skillc/runtime";
import type { McpAuth } from "@skillc/runtime/mcp";
import { modelClient } from "@skillc/runtime/mcp";
import { expect, test } from "vitest";
import { connectClient, type Era } from "./clients.js";
import { serveDesk } from "./order-desk.js";

const clients = 200;
const callsOfEach = 20;

/** The caller of the client with a number. */
const callerOf = (at: number) => ({ tenant: `tenant-${at % 7}`, subject: `subject-${at}` });

/** Takes a token for the number of a client. */
const auth: McpAuth = {
  authenticate: async ({ headers }) => {
    const at = Number(headers.get("authorization")?.replace("Bearer ", ""));
    return modelClient(callerOf(at), "http");
  },
};

test.each(["2026-07-28", "2025-11-25"] as const)(
  "200 clients of %s with 20 calls each at once lose no call, and get only their own answers",
  async (era: Era) => {
    const seen = new Map<string, number>();
    const { server } = await serveDesk({
      auth,
      quote: async ({ weight_kg: weight }) => {
        const { subject = "", tenant = "" } = currentCaller() ?? {};
        seen.set(`${tenant}/${subject}`, (seen.get(`${tenant}/${subject}`) ?? 0) + 1);
        // The calls of all clients overtake each other.
        await new Promise((resolve) => setImmediate(resolve));
        const after = currentCaller();
        if (after?.subject !== subject) throw new Error("the caller has changed");
        // The price says for whom the answer is.
        return { price: Number(subject.replace("subject-", "")) * 1000 + weight, currency: "EUR" };
      },
    });
    const all = Array.from({ length: clients }, async (_, at) => {
      const client = await connectClient(server, { era, way: "http", token: String(at) });
      const calls = Array.from({ length: callsOfEach }, (__, nth) =>
        client.callTool({
          name: "order-desk__quote-shipping",
          arguments: { country: "DE", weight_kg: nth + 1 },
        }),
      );
      const answers = await Promise.all(calls);
      return answers.map(({ structuredContent }) => structuredContent);
    });
    const answers = await Promise.all(all);
    const expected = Array.from({ length: clients }, (_, at) =>
      Array.from({ length: callsOfEach }, (__, nth) =>
        expect.objectContaining({
          status: "success",
          data: expect.objectContaining({ price: at * 1000 + nth + 1 }),
        }),
      ),
    );
    expect(answers).toEqual(expected);
    expect(seen).toEqual(
      new Map(
        Array.from({ length: clients }, (_, at) => {
          const { subject, tenant } = callerOf(at);
          return [`${tenant}/${subject}`, callsOfEach];
        }),
      ),
    );
  },
);
