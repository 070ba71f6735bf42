import { currentCaller } from "@skillc/runtime";
import { describe, expect, test } from "vitest";
import { connectClient, ways } from "./clients.js";
import { type DeskOptions, serveDesk } from "./order-desk.js";

describe.each(ways)("a client over $way in $era", (how) => {
  test("lists the tools that can be called, sorted by name", async () => {
    const { server } = await serveDesk();
    const client = await connectClient(server, how);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain("order-desk__get-order");
    expect(names).not.toContain("rabbitmq-admin__list-queues");
    expect(names).toEqual(names.toSorted());
  });

  test("calls a tool and gets its answer as text and as a value", async () => {
    const { ledger, server } = await serveDesk();
    const client = await connectClient(server, how);
    const answer = await client.callTool({
      name: "order-desk__get-order",
      arguments: { order_id: "ord_1001" },
    });
    expect(answer.structuredContent).toMatchObject({ status: "success", data: { id: "ord_1001" } });
    expect(answer.isError).toBeUndefined();
    expect(ledger.records.length).toBeGreaterThan(0);
  });

  test("gets the reason why a call failed, and what to change", async () => {
    const { server } = await serveDesk();
    const client = await connectClient(server, how);
    const answer = await client.callTool({ name: "order-desk__get-order", arguments: {} });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer.content)).toContain("SCHEMA.VALIDATION_FAILED");
  });

  test("gets names that are similar to an unknown one", async () => {
    const { server } = await serveDesk();
    const client = await connectClient(server, how);
    const call = client.callTool({ name: "get_order", arguments: {} });
    await expect(call).rejects.toThrow("did you mean `order-desk__get-order`?");
  });
});

test.each(["llm", "api"] as const)(
  "calls of a client with the origin %s keep it",
  async (origin) => {
    const auth = {
      authenticate: async () => ({ caller: { subject: "ada", origin }, door: "http" as const }),
    };
    const callers: unknown[] = [];
    const quote: DeskOptions["quote"] = () => {
      callers.push(currentCaller());
      return { price: 4.9, currency: "EUR" };
    };
    const { server } = await serveDesk({ auth, quote });
    const client = await connectClient(server, { era: "2026-07-28", way: "http" });
    await client.callTool({
      name: "order-desk__quote-shipping",
      arguments: { country: "DE", weight_kg: 1 },
    });
    expect(callers).toEqual([{ subject: "ada", origin }]);
  },
);
