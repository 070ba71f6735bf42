import { describe, expect, test } from "vitest";
import { connectClient, ways } from "./clients.js";
import { serveDesk } from "./order-desk.js";

const quote = {
  name: "order-desk__quote-shipping",
  arguments: { country: "DE", weight_kg: 1 },
};

/** A promise that a test resolves. */
function gate() {
  let resolve = (): void => undefined;
  const passed = new Promise<void>((done) => (resolve = done));
  return { passed, open: () => resolve() };
}

/** A handler that begins when it is called, and ends when the test says so. */
function heldQuote() {
  const begun = gate();
  const released = gate();
  const handler = async () => {
    begun.open();
    await released.passed;
    return { price: 4.9, currency: "EUR" as const };
  };
  return { handler, begun: begun.passed, release: released.open };
}

describe.each(ways)("a server that closes, to a client over $way in $era", (how) => {
  test("the server answers a call that goes on", async () => {
    const held = heldQuote();
    const { server } = await serveDesk({ quote: held.handler });
    const client = await connectClient(server, how);
    const call = client.callTool(quote);
    await held.begun;
    const closed = server.close();
    held.release();
    expect((await call).structuredContent).toMatchObject({ status: "success" });
    await closed;
  });

  test("the server answers a call whose progress it has told", async () => {
    const held = heldQuote();
    const { server } = await serveDesk({ quote: held.handler, progressMs: 1 });
    const client = await connectClient(server, how);
    const told = gate();
    const call = client.callTool(quote, { onprogress: () => told.open() });
    await told.passed;
    const closed = server.close();
    held.release();
    expect((await call).structuredContent).toMatchObject({ status: "success" });
    await closed;
  });
});
