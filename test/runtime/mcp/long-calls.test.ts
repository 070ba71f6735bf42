import { describe, expect, onTestFinished, test } from "vitest";
import { connectClient, ways } from "./clients.js";
import { serveDesk } from "./order-desk.js";

const price = { price: 4.9, currency: "EUR" } as const;
const quoted = { country: "DE", weight_kg: 1 };
const ask = { name: "order-desk__quote-shipping", arguments: quoted };

/** A handler that ends when the test says so, or when its call is aborted. */
function heldQuote() {
  let end: () => void = () => undefined;
  const held = new Promise<typeof price>((resolve) => (end = () => resolve(price)));
  const signals: AbortSignal[] = [];
  const quote = (_params: unknown, { signal }: { readonly signal?: AbortSignal }) => {
    if (signal) signals.push(signal);
    return held;
  };
  onTestFinished(end);
  return { end, quote, signals };
}

function idOf(answer: { readonly structuredContent?: unknown }): string {
  expect(answer.structuredContent).toMatchObject({ status: "skillc:running" });
  return (answer.structuredContent as { readonly id: string }).id;
}

describe.each(ways)("a long call over $way in $era", (how) => {
  test("goes on in the background, and skillc__await returns its end", async () => {
    const { end, quote } = heldQuote();
    const { server } = await serveDesk({ quote, answerWithinMs: 1, caller: { subject: "ada" } });
    const client = await connectClient(server, how);
    const id = idOf(await client.callTool(ask));
    end();
    const ended = await client.callTool({ name: "skillc__await", arguments: { id } });
    expect(ended.structuredContent).toEqual({ status: "success", data: price });
  });

  test("ends when skillc__cancel aborts it", async () => {
    const { quote, signals } = heldQuote();
    const { server } = await serveDesk({ quote, answerWithinMs: 1, caller: { subject: "ada" } });
    const client = await connectClient(server, how);
    const id = idOf(await client.callTool(ask));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await client.callTool({ name: "skillc__cancel", arguments: { id } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const ended = await client.callTool({ name: "skillc__await", arguments: { id } });
    expect(ended.isError).toBe(true);
  });
});

test("an id of another subject is unknown", async () => {
  const { quote } = heldQuote();
  const callers = { one: "ada", other: "bob" };
  const auth = {
    authenticate: async ({ headers }: Request) => ({
      caller: {
        subject: headers.get("authorization") === "Bearer one" ? callers.one : callers.other,
      },
      door: "http" as const,
    }),
  };
  const { server } = await serveDesk({ quote, answerWithinMs: 1, auth });
  const one = await connectClient(server, { era: "2026-07-28", way: "http", token: "one" });
  const other = await connectClient(server, { era: "2026-07-28", way: "http", token: "other" });
  const id = idOf(await one.callTool(ask));
  const foreign = await other.callTool({ name: "skillc__await", arguments: { id } });
  const unknown = await other.callTool({ name: "skillc__await", arguments: { id: "nothing" } });
  expect(foreign).toEqual(unknown);
  expect(foreign.isError).toBe(true);
});
