import { expect, it } from "vitest";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import { ToolError } from "../../../../src/runtime/errors.js";
import { createMemoryLedger } from "../../../../src/runtime/ledger/memory-store.js";
import type { EndRecord } from "../../../../src/runtime/ledger/record.js";
import { createRuntime } from "../../../../src/runtime/runtime.js";
import type { ToolContract } from "../../../../src/runtime/tool.js";
import type { Validator } from "../../../../src/runtime/validation/validation.js";
import {
  type Answer,
  attempt,
  call,
  failure,
  prepare,
  rawAnswer,
  serve,
  serveRaw,
} from "./support.js";

const anything: Validator<object> = Object.assign(
  (value: unknown): value is object => typeof value === "object",
  { errors: null },
);

/** The outcome that the error of a failed write tells, with the status in the ledger. */
async function outcomeOf(url: string, { timeoutMs = 5000 } = {}) {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ ledger, inherit: false });
  const contract = {
    method: "POST",
    request: () => ({ url: [url], body: {} }),
  } as const;
  const tool: ToolContract<object, object, Answer> = {
    skill: "test-skill",
    name: "test-tool",
    version: { skill: "s", binding: "b", manifest: "t1" },
    effect: "write",
    mode: "active",
    timeoutMs,
    retry: { maxAttempts: 1, backoffMs: 1, backoffMultiplier: 1 },
    params: anything,
    binding: { kind: "http", prepare: () => prepare(contract) },
  };
  const error: unknown = await callTool(tool, {}, { runtime }).catch((thrown: unknown) => thrown);
  if (!(error instanceof ToolError)) throw new Error("not a ToolError");
  // The last record of a call is its end.
  const { status } = ledger.records.at(-1) as EndRecord;
  return [error.code, error.outcome, status];
}

it("a write that reaches no server is not done", async () => {
  const expected = ["PROVIDER.UNAVAILABLE", "not-done", "failed"];
  expect(await outcomeOf("http://127.0.0.1:1/")).toEqual(expected);
  expect(await outcomeOf("http://nowhere.invalid/")).toEqual(expected);
});

it("a write that loses its connection after it was sent may be done", async () => {
  const { url } = await serveRaw((socket) => socket.resetAndDestroy());
  expect(await outcomeOf(url)).toEqual(["PROVIDER.UNAVAILABLE", "unknown", "unknown"]);
});

it("a write that runs out of time may be done only if it was sent", async () => {
  const { port, url } = await serveRaw(() => {});
  const timeoutMs = 200;
  expect(await outcomeOf(url, { timeoutMs })).toEqual(["PROVIDER.TIMEOUT", "unknown", "unknown"]);
  // There is nobody to shake hands with.
  expect(await outcomeOf(`https://127.0.0.1:${port}/`, { timeoutMs })).toEqual([
    "PROVIDER.TIMEOUT",
    "not-done",
    "failed",
  ]);
});

it("a write with an unreadable answer may be done", async () => {
  const headers = ["content-type: application/json"];
  const { url } = await serveRaw((socket) => socket.end(rawAnswer(200, headers, "{")));
  expect(await outcomeOf(url)).toEqual(["PROVIDER.PROTOCOL", "unknown", "unknown"]);
});

it("a write that is redirected to an unreachable server may be done", async () => {
  let answers = 0;
  const { url } = await serveRaw((socket) => {
    answers += 1;
    if (answers === 1) socket.end(rawAnswer(307, ["location: /elsewhere", "connection: close"]));
    else socket.resetAndDestroy();
  });
  expect(await outcomeOf(url)).toEqual(["PROVIDER.UNAVAILABLE", "unknown", "unknown"]);
});

/** An attempt whose turn is over as soon as the server says so. */
function attemptWithTurn() {
  let isOver = false;
  const lost = new ToolError(
    "test-skill/test-tool",
    { code: "UNKNOWN.INTERNAL", reason: "lease-lost" },
    "the turn is over",
  );
  const requireTurn = () => {
    if (isOver) throw lost;
  };
  return { endTurn: () => void (isOver = true), held: { ...attempt(), requireTurn } };
}

it("a request that loses its turn before it is connected is not sent", async () => {
  const { received, url } = await serve();
  const { endTurn, held } = attemptWithTurn();
  const made = call({ method: "POST", request: () => ({ url: [url] }) }, held);
  endTurn();
  expect(await failure(made)).toMatchObject({
    outcome: "not-done",
    failure: { reason: "lease-lost" },
  });
  expect(received).toEqual([]);
});

it("a redirect is not followed after the turn is lost, and the outcome is unknown", async () => {
  const { endTurn, held } = attemptWithTurn();
  const { received, url } = await serve((response) => {
    endTurn();
    response.writeHead(307, { location: "/next" }).end();
  });
  const made = call({ method: "POST", request: () => ({ url: [url] }) }, held);
  expect(await failure(made)).toMatchObject({
    outcome: "unknown",
    failure: { reason: "lease-lost" },
  });
  expect(received).toHaveLength(1);
});
