/** Results of handlers that have another form in JSON, or none. */
import type { McpData } from "@skillc/runtime/mcp";
import { expect, test, vi } from "vitest";
import { catalog } from "../../../generated/index.js";
import { connectClient } from "./clients.js";
import { serveDesk } from "./order-desk.js";

const how = { era: "2026-07-28", way: "stdio" } as const;
const ask = {
  name: "order-desk__quote-shipping",
  arguments: { country: "DE", weight_kg: 1 },
};

const id = "order-desk/quote-shipping";
const quoteTool = catalog.skills.flatMap(({ tools }) => tools).find((each) => each.id === id);

/** Says that the price is a number. */
const mcp: McpData = {
  version: 1,
  tools: {
    [id]: {
      manifest_hash: quoteTool?.manifest_hash ?? "",
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
      output_schema: {
        type: "object",
        properties: { data: { properties: { price: { type: "number" } } } },
      },
    },
  },
  skills: [],
};

/** Calls a tool whose handler returns the value. */
async function resultFor(value: object) {
  const onError = vi.fn();
  // Types don't keep a handler in JavaScript from this.
  const quote = () => value as { price: number; currency: "EUR" };
  const { server } = await serveDesk({ mcp, quote, onError, caller: { subject: "ada" } });
  const client = await connectClient(server, how);
  await client.listTools();
  return { onError, answer: await client.callTool(ask) };
}

const fitting = { price: 4.9, currency: "EUR" };

test("a result that has another form in JSON is checked in that form", async () => {
  const toJSON = { value: () => ({ price: "none" }), enumerable: false };
  const value = Object.defineProperty({ ...fitting }, "toJSON", toJSON);
  const { answer } = await resultFor(value);
  expect(answer).toMatchObject({ isError: true });
  expect(answer.structuredContent).toBeUndefined();
});

test("a result that JSON can't hold is a failed call, whose reason the client doesn't learn", async () => {
  const toJSON = {
    value: () => {
      throw new Error("at db.internal");
    },
    enumerable: false,
  };
  const value = Object.defineProperty({ ...fitting }, "toJSON", toJSON);
  const { answer, onError } = await resultFor(value);
  expect(answer).toMatchObject({
    isError: true,
    content: [{ type: "text", text: expect.stringMatching(/"UNKNOWN.INTERNAL".*made anyway/) }],
  });
  expect(JSON.stringify(answer)).not.toContain("db.internal");
  expect(onError).toHaveBeenCalledTimes(1);
});
