import { describe, expect, test } from "vitest";
import { folderRuns, settleStep } from "../../../../src/runtime/runs/index.js";
import { resumeRun } from "../../../../src/runtime/runs/resume.js";
import { temporaryDirectory } from "../../../runtime/ledger/fixtures.js";
import { createMemoryRuns } from "./memory-runs.js";
import {
  calling,
  createProject,
  errorOf,
  planOf,
  reads,
  type Tool,
  writes,
} from "./plan-project.js";

const because = "the shop lists it";

/** A run whose write number `unanswered`, from 0, was sent and never answered. */
async function stopped(plan: Tool, unanswered = 0) {
  const runs = folderRuns({ directory: temporaryDirectory(), key: Buffer.alloc(32, 7) });
  const made: unknown[] = [];
  const { runtime } = createProject(
    {
      a: () => ["x", "y"],
      w: ({ id }) => {
        made.push(id);
        if (made.length === unanswered + 1) throw new Error("no answer");
        return `made ${id}`;
      },
    },
    { runs },
  );
  const options = { runtime, run: "r" };
  await errorOf(plan({}, options));
  const { failure } = await errorOf(plan({}, options));
  expect(failure.code).toBe("PLAN.OUTCOME_UNKNOWN");
  const { call, step } = failure as { readonly call: string; readonly step: string };
  const goOn = () => resumeRun({ desk__plan: async () => plan as never }, "r", { runtime });
  return { call, goOn, made, runs, step };
}

const single = planOf([writes("1", "w", { params: () => ({ id: "x" }) })], {
  output: (from) => from.step_1.output,
  outputFrom: ["1"],
});
const loop = planOf(
  [
    reads("list", "a"),
    writes("each", "w", {
      after: ["list"],
      reads: [["list", "*"]],
      list: (from) => from.step_list.output,
      params: (_, id) => ({ id }),
    }),
  ],
  { output: (from) => from.step_each.output, outputFrom: ["each"] },
);
const nested = planOf([calling("pay", "plan", "write", single)], {
  output: (from) => from.step_pay.output,
  outputFrom: ["pay"],
});

describe("a settled step of a kept run", () => {
  test.each([
    ["a step", "1", single, 0, "found", ["x"]],
    ["an item of a loop", "each:1", loop, 1, ["made x", "found"], ["x", "y"]],
    ["a step of a plan inside the plan", "pay.1", nested, 0, "found", ["x"]],
  ])(
    "%s that was done is not repeated, and the plan reads the person's answer",
    async (_, key, plan, unanswered, data, made) => {
      const run = await stopped(plan, unanswered);
      expect(run.step).toBe(key);
      const { call } = run;
      await settleStep(run.runs, { id: "r" }, { call, as: "done", answer: "found", because });
      expect(await run.goOn()).toEqual({ status: "success", data });
      expect(run.made).toEqual(made);
    },
  );

  test.each([
    ["a step", single, 0, "made x", ["x", "x"]],
    ["an item of a loop", loop, 1, ["made x", "made y"], ["x", "y", "y"]],
    ["a step of a plan inside the plan", nested, 0, "made x", ["x", "x"]],
  ])(
    "%s that was not done is made again when the run is resumed",
    async (_, plan, unanswered, data, made) => {
      const run = await stopped(plan, unanswered);
      await settleStep(run.runs, { id: "r" }, { call: run.call, as: "not-done", because });
      expect(await run.goOn()).toEqual({ status: "success", data });
      expect(run.made).toEqual(made);
    },
  );

  test("a later step gets the person's answer as its parameter", async () => {
    const plan = planOf([
      writes("1", "w", { params: () => ({ id: "x" }) }),
      writes("2", "w", {
        after: ["1"],
        reads: [["1", "id"]],
        params: (from) => ({ id: from.step_1.output.id }),
      }),
    ]);
    const run = await stopped(plan);
    const answer = { id: "from the shop" };
    await settleStep(run.runs, { id: "r" }, { call: run.call, as: "done", answer, because });
    expect(await run.goOn()).toEqual({ status: "success", data: null });
    expect(run.made).toEqual(["x", "from the shop"]);
  });
});

test("a run stores the tool of each call, and if the plan reads its answer", async () => {
  const runs = createMemoryRuns();
  const { runtime } = createProject({ a: () => 1, w: () => 2 }, { runs });
  const plan = planOf([
    writes("1", "w"),
    reads("2", "a", { after: ["1"], reads: [["1"]] }),
    writes("3", "w", { after: ["2"] }),
  ]);
  await plan({}, { runtime, run: "r" });
  const { events = [] } = (await runs.read({ id: "r" })) ?? {};
  expect(events.filter(({ type }) => type === "begun")).toMatchObject([
    { key: "1", tool: "desk/w", isRead: true },
    { key: "2", tool: "desk/a", isRead: false },
    { key: "3", tool: "desk/w", isRead: false },
  ]);
});
