/** Accepted work in a run: the target says 202, and is polled later, maybe by another process. */
import { describe, expect, test } from "vitest";
import type { HttpContract } from "../../../../src/bindings/http/contract.js";
import { http } from "../../../../src/bindings/http/execute.js";
import { resumeRun, waitForRun } from "../../../../src/runtime/runs/resume.js";
import { json } from "../../http/execute/auth/token-server.js";
import { serve } from "../../http/execute/support.js";
import { createMemoryRuns } from "./memory-runs.js";
import { type Any, createProject, errorOf, planOf, calling, write } from "./plan-project.js";

/** A server that accepts `POST /reports`, and has the report once `state.isDone`. */
async function setUp(suspends: boolean, contract: Partial<HttpContract<Any, Any>> = {}) {
  const state = { isDone: false, location: "/operations/7?page=a" };
  const server = await serve((response, { method }) => {
    if (method === "POST") response.writeHead(202, { location: state.location }).end();
    else if (state.isDone) json(response, 200, { url: "/files/1" });
    else response.writeHead(202).end();
  });
  const store = createMemoryRuns();
  const { ledger, runtime } = createProject({}, { runs: store });
  const report = write("report", {
    binding: http<Any, Any, Any>({
      method: "POST",
      request: () => ({ url: [`${server.url}/reports`], body: { day: 1 } }),
      poll: { intervalMs: 1, mostPolls: 2 },
      ...contract,
    }),
  });
  const plan = planOf([calling("1", "report", "write", report, { suspends })], {
    output: (from) => from.step_1.output,
  });
  const paths = () => server.received.map(({ method, path }) => `${method} ${path}`);
  const options = { runtime, run: "r" };
  return { ledger, options, paths, plan, state, store, tools: { desk__plan: async () => plan } };
}

const suspended = { status: "suspended", run: "r", step: "1" };
const answer = { status: "success", data: { url: "/files/1" } };
const poll = "GET /operations/7?page=a";

describe("accepted work of a step that suspends", () => {
  test("the run is suspended, and is polled once each time that it is resumed", async () => {
    const { ledger, options, paths, plan, state, store, tools } = await setUp(true);
    expect(await plan({}, options)).toEqual(suspended);
    expect(paths()).toEqual(["POST /reports"]);
    expect(store.eventsOf("r")).toEqual(["begun 1", "accepted 1", "suspended 1"]);
    expect(await waitForRun(tools, "r", options)).toEqual(suspended);
    expect(await resumeRun(tools, "r", options)).toEqual(suspended);
    expect(paths()).toEqual(["POST /reports", poll]);
    state.isDone = true;
    expect(await resumeRun(tools, "r", options)).toEqual(answer);
    expect(paths()).toEqual(["POST /reports", poll, poll]);
    // The ledger hides the query, which may give access.
    expect(JSON.stringify(ledger.records)).not.toContain("page=a");
    expect(ledger.records).toContainEqual(
      expect.objectContaining({
        type: "end",
        tool: "report",
        status: "accepted",
        accepted: { at: "/operations/7?…", polls: 0 },
      }),
    );
  });

  test("a plan without a run polls as usual", async () => {
    const { options, paths, plan, state } = await setUp(true);
    state.isDone = true;
    expect(await plan({}, { runtime: options.runtime })).toEqual(answer);
    expect(paths()).toEqual(["POST /reports", poll]);
  });
});

describe("accepted work of a step that waits", () => {
  test("a run that broke off while it polled goes on polling, and doesn't send the write again", async () => {
    const { options, paths, plan, state, store } = await setUp(false);
    expect(await errorOf(plan({}, options))).toMatchObject({
      code: "PROVIDER.TIMEOUT",
      step: "1",
      outcome: "unknown",
    });
    expect(store.eventsOf("r")).toEqual(["begun 1", "accepted 1"]);
    state.isDone = true;
    expect(await plan({}, options)).toEqual(answer);
    expect(paths().filter((path) => path.startsWith("POST"))).toHaveLength(1);
  });

  test("a crash before the acceptance is stored leaves the outcome unknown", async () => {
    const { options, paths, plan, store } = await setUp(false);
    store.crashAt(1);
    expect(await errorOf(plan({}, options))).toMatchObject({
      code: "PLAN.RUN_UNAVAILABLE",
      outcome: "unknown",
    });
    store.restart();
    expect(await errorOf(plan({}, options))).toMatchObject({ code: "PLAN.OUTCOME_UNKNOWN" });
    expect(paths()).toEqual(["POST /reports"]);
  });

  test("an address is polled only at the origin of the tool", async () => {
    const { options, plan, store } = await setUp(false);
    await errorOf(plan({}, options));
    const address = "http://127.0.0.1:1/operations/7";
    store.add("r", { type: "accepted", key: "1", call: "c", address });
    expect(await errorOf(plan({}, options))).toMatchObject({
      code: "PROVIDER.PROTOCOL",
      outcome: "unknown",
    });
  });

  test("a handler that has taken the tool's place doesn't repeat the write", async () => {
    const { options, plan, store } = await setUp(false);
    await errorOf(plan({}, options));
    const { log, runtime } = createProject({ report: () => 1 }, { runs: store });
    expect(await errorOf(plan({}, { ...options, runtime }))).toMatchObject({
      code: "PROVIDER.PROTOCOL",
      step: "1",
      outcome: "unknown",
    });
    expect(log).toEqual([]);
  });
});
