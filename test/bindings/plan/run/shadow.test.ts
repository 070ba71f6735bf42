import { describe, expect, test } from "vitest";
import {
  type Any,
  createProject,
  errorOf,
  failed,
  planOf,
  reads,
  calling,
  write,
  writes,
} from "./plan-project.js";
import { governed } from "./governed-project.js";
import { createMemoryRuns } from "./memory-runs.js";

const recorded = (step: string, name: string, parameters: Any = {}) => ({
  step,
  tool: `desk/${name}`,
  request: { handler: `desk/${name}`, parameters },
});

const handlers = { a: () => ({ id: 7 }), w: () => ({ id: 8 }), b: () => 3 };

describe("shadow mode", () => {
  test("reads are made, and each write is recorded with the values that reads gave", async () => {
    const { ledger, log, runtime } = createProject(handlers);
    const plan = planOf(
      [
        reads("1", "a"),
        writes("2", "w", {
          after: ["1"],
          needs: ["1"],
          reads: [["1", "id"]],
          params: (from) => ({ id: from.step_1.output.id }),
        }),
        reads("3", "b", { after: ["2"] }),
        writes("4", "w", { after: ["3"], params: () => ({ last: true }) }),
      ],
      { output: (from) => from.step_3.output },
    );
    expect(await plan({}, { runtime, mode: "shadow" })).toEqual({
      status: "shadow",
      steps: [recorded("2", "w", { id: 7 }), recorded("4", "w", { last: true })],
    });
    expect(log).toEqual(["+a", "-a", "+b", "-b"]);
    // No write begins, the plan's own call neither.
    expect(ledger.records.filter(({ type }) => type === "begin")).toEqual([]);
    expect(ledger.records.at(-1)).toMatchObject({ tool: "plan", mode: "shadow", status: "shadow" });
  });

  test.each<[string, Any]>([
    ["needs", { needs: ["1"] }],
    ["reads", { reads: [["1", "id"]] }],
  ])("a step that %s the answer of a recorded write ends the plan", async (_, declared) => {
    const { log, runtime } = createProject(handlers);
    const plan = planOf([
      writes("1", "w"),
      reads("2", "a", { after: ["1"], ...declared, params: () => expect.unreachable() }),
      writes("3", "w", { after: ["2"] }),
    ]);
    expect(await plan({}, { runtime, mode: "shadow" })).toEqual({
      status: "shadow",
      step: "2",
      steps: [recorded("1", "w")],
    });
    expect(log).toEqual([]);
  });

  test("a step without its approval ends the plan as without shadow mode, with a run too", async () => {
    const runs = createMemoryRuns();
    const { log, runtime } = governed(
      handlers,
      {},
      { options: { runs }, tools: { w: { approval: { conditional: false, ttlMs: 1000 } } } },
    );
    const plan = planOf([reads("1", "a"), writes("2", "w", { after: ["1"] })]);
    const options = { runtime, mode: "shadow", caller: { subject: "ada" } } as const;
    const denied = { code: "AUTH.APPROVAL_REQUIRED", step: "2", outcome: "not-done" };
    expect(await errorOf(plan({}, options))).toMatchObject(denied);
    expect(await errorOf(plan({}, { ...options, run: "r" }))).toMatchObject(denied);
    expect(await runs.read({ id: "r" })).toBeUndefined();
    expect(log).toEqual(["+a", "-a", "+a", "-a"]);
  });

  test("each write of a loop is recorded", async () => {
    const { runtime } = createProject(handlers);
    const plan = planOf([
      writes("1", "w", { list: (from) => from.params.ids, params: (_, id) => ({ id }) }),
    ]);
    expect(await plan({ ids: [1, 2] }, { runtime, mode: "shadow" })).toEqual({
      status: "shadow",
      steps: [recorded("1:0", "w", { id: 1 }), recorded("1:1", "w", { id: 2 })],
    });
  });

  test("a plan that would have written nothing gives its usual answer", async () => {
    const { runtime } = createProject(handlers);
    const plan = planOf(
      [reads("1", "a"), writes("2", "w", { after: ["1"], when: (from) => from.params.really })],
      { output: (from) => from.step_1.output },
    );
    expect(await plan({ really: false }, { runtime, mode: "shadow" })).toEqual({
      status: "success",
      data: { id: 7 },
    });
  });

  test("a stop of a step that was made is the answer if no write was recorded", async () => {
    const { runtime } = createProject({ ...handlers, a: () => failed("not_found") });
    const plan = planOf([reads("1", "a"), writes("2", "w", { after: ["1"] })]);
    expect(await plan({}, { runtime, mode: "shadow" })).toMatchObject({ status: "not_found" });
  });

  test("a plan in a plan gives its recorded writes to the plan around it", async () => {
    const { runtime } = createProject(handlers);
    const inner = planOf([writes("x", "w"), reads("y", "a", { after: ["x"], needs: ["x"] })], {
      name: "inner",
    });
    const outer = planOf([
      calling("1", "inner", "write", inner),
      writes("2", "w", { after: ["1"] }),
      reads("3", "a", { after: ["2"], needs: ["1"] }),
    ]);
    expect(await outer({}, { runtime, mode: "shadow" })).toEqual({
      status: "shadow",
      step: "1.y",
      steps: [recorded("1.x", "w"), recorded("2", "w")],
    });
  });

  test("a tool that is in shadow mode by itself stays so in a plan that is not", async () => {
    const { log, runtime } = createProject(handlers);
    const quiet = write("w", { mode: "shadow" });
    const plan = planOf([calling("1", "w", "write", quiet), reads("2", "b", { after: ["1"] })]);
    expect(await plan({}, { runtime })).toEqual({
      status: "shadow",
      steps: [recorded("1", "w")],
    });
    expect(log).toEqual(["+b", "-b"]);
  });

  test("a governed plan spends no budget and announces no beginning", async () => {
    const { events, runtime } = governed(handlers, {
      quotas: [{ name: "few", per: ["tool"], callsPerDay: 1 }],
    });
    const plan = planOf([reads("1", "a"), writes("2", "w", { after: ["1"] })]);
    const shadow = () => plan({}, { runtime, mode: "shadow" });
    // The read is made, and so it counts.
    expect(await shadow()).toMatchObject({ status: "shadow" });
    const begun = events.filter(({ type }) => type === "ToolInvokeBegin");
    expect(begun.map((each) => each.tool_id)).toEqual(["desk/a"]);
    const direct = planOf([writes("2", "w")]);
    for (let time = 0; time < 3; time += 1)
      expect(await direct({}, { runtime, mode: "shadow" })).toMatchObject({ status: "shadow" });
    expect(await direct({}, { runtime })).toMatchObject({ status: "success" });
  });
});
