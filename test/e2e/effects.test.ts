/** What an author says with `effect` of a call that looks like something else, kept by the modules that are generated. */
import { expect, test } from "vitest";
import { createMemoryLedger } from "../../src/runtime/ledger/memory-store.js";
import { serve } from "../bindings/http/execute/support.js";
import { catalog, createRuntime } from "../cases/effects/generated/index.js";
import { findShops, runReport, searchOrders } from "../cases/effects/generated/desk/index.js";

/** A runtime in shadow mode whose service answers with these statuses, the last one from then on. */
async function shadowing(...statuses: readonly number[]) {
  const service = await serve((response) => {
    response.statusCode = statuses[service.received.length - 1] ?? statuses.at(-1) ?? 200;
    response.end('["ord_1"]');
  });
  const ledger = createMemoryLedger();
  const runtime = createRuntime({
    credentials: { SEARCH_URL: service.url },
    handlers: { "desk/find-shops": ({ town }) => [`${town} Central`] },
    inherit: false,
    ledger,
    mode: "shadow",
  });
  return {
    ledger,
    runtime,
    sent: () => service.received.map(({ method, path }) => `${method} ${path}`),
  };
}

test("a POST that reads is sent in shadow mode and repeated, and leaves one record, of a read", async () => {
  const { ledger, runtime, sent } = await shadowing(503, 200);
  const found = await searchOrders({ words: "lamp" }, { runtime });
  // @ts-expect-error a read is never only recorded
  expect(found.status === "shadow").toBe(false);
  expect(found).toEqual({ status: "success", data: ["ord_1"] });
  expect(sent()).toEqual(["POST /orders/_search", "POST /orders/_search"]);
  expect(ledger.records).toMatchObject([
    { type: "end", effect: "read", mode: "shadow", status: "success", attempts: 2 },
  ]);
});

test("a handler that reads is called in shadow mode, and its record is that of a read", async () => {
  const { ledger, runtime } = await shadowing();
  const found = await findShops({ town: "Delft" }, { runtime });
  // @ts-expect-error a read is never only recorded
  expect(found.status === "shadow").toBe(false);
  expect(found).toEqual({ status: "success", data: ["Delft Central"] });
  expect(ledger.records).toMatchObject([{ type: "end", effect: "read", kind: "handler" }]);
});

test("a GET that writes is recorded and not sent in shadow mode, and never repeated", async () => {
  const { ledger, runtime, sent } = await shadowing(503);
  const recorded = await runReport({ day: "2026-07-01" }, { runtime });
  expect(recorded).toMatchObject({ status: "shadow", request: { method: "GET" } });
  expect(sent()).toEqual([]);
  expect(ledger.records).toMatchObject([{ type: "end", effect: "write", status: "shadow" }]);
  await runReport({ day: "2026-07-01" }, { runtime, mode: "active" });
  expect(sent()).toEqual(["GET /reports/2026-07-01/run"]);
});

test("the catalog shows a model's host which calls read", () => {
  const told = catalog.skills.flatMap(({ tools }) =>
    tools.map(({ name, risk_level, side_effect }) => [name, side_effect, risk_level]),
  );
  expect(told).toEqual([
    ["search-orders", "read", "low"],
    ["run-report", "write", "medium"],
    ["find-shops", "read", "low"],
  ]);
});
