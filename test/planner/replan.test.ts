/** Plans that are made anew after a failure. */
import { describe, expect, test } from "vitest";
import { runPlan, type TaskRequest } from "../../src/planner/index.js";
import { createMemoryRuns } from "../bindings/plan/run/memory-runs.js";
import {
  type Any,
  createPlannerProject,
  eventsOf,
  namesOf,
  noModel,
  outcomeOf,
  type TestTool,
} from "./planner-project.js";

const text = { type: "string" };
const given = { type: "object", required: ["city"], properties: { city: text } };

function toolsFailing(times: number, thrown: () => unknown = () => new Error("no train")) {
  let left = times;
  const tools: { readonly [id: string]: TestTool } = {
    "trip/find": { output: given, serve: () => ({ city: "Rome" }) },
    "trip/train": {
      input: { city: text },
      required: ["city"],
      output: { type: "object" },
      serve: () => {
        left -= 1;
        if (left >= 0) throw thrown();
        return { by: "train" };
      },
    },
    "trip/bus": {
      effect: "write",
      input: { city: text },
      required: ["city"],
      output: { type: "object" },
      serve: ({ city }) => ({ by: `bus to ${city}` }),
    },
  };
  return tools;
}

const first = {
  steps: [
    { id: "1", tool: "find" },
    { id: "2", tool: "train" },
  ],
};

/** A task planner that answers these plans in turn, and keeps what it was asked. */
function taskPlannerOf(...plans: readonly Any[]) {
  const requests: TaskRequest[] = [];
  return {
    requests,
    async createPlan(request: TaskRequest) {
      requests.push(request);
      const plan = plans[Math.min(requests.length, plans.length) - 1];
      return { plan, tokens: { input: 5, output: 1 } };
    },
  };
}

describe("a plan that fails", () => {
  test("a plan is made anew, and answered steps stay", async () => {
    const { calls, catalog, runtime, tools } = createPlannerProject(toolsFailing(1));
    const taskPlanner = taskPlannerOf({
      steps: [
        { id: "1", tool: "find" },
        { id: "3", tool: "bus" },
      ],
    });
    const events = await eventsOf(
      runPlan({ plan: first, goal: "to Rome", tools, catalog, llm: noModel, taskPlanner, runtime }),
    );
    expect(namesOf(events)).toEqual([
      "plan",
      "binding_plan",
      "step_begin 1",
      "step_end 1",
      "step_begin 2",
      "step_end 2",
      "replan 2",
      "plan",
      "binding_plan",
      "step_begin 1",
      "step_end 1",
      "step_begin 3",
      "step_end 3",
      "done",
    ]);
    expect(calls.map(({ tool }) => tool)).toEqual(["trip/find", "trip/train", "trip/bus"]);
    expect(outcomeOf(events)).toMatchObject({
      status: "success",
      output: { by: "bus to Rome" },
      tokens: { input: 5, output: 1 },
      state: { control: { iterations: 1, max_iterations: 3 }, steps: { 1: { tool: "trip/find" } } },
    });
    expect(taskPlanner.requests[0]?.failed).toEqual({
      plan: first,
      step: "2",
      reason: expect.stringContaining("the tool failed"),
      outputs: { 1: { city: "Rome" } },
    });
  });

  test("a plan is made anew at most max_iterations times", async () => {
    const { calls, catalog, runtime, tools } = createPlannerProject(toolsFailing(99));
    const taskPlanner = taskPlannerOf(
      { steps: [{ id: "3", tool: "train" }] },
      { steps: [{ id: "4", tool: "train" }] },
      { steps: [{ id: "5", tool: "train" }] },
    );
    const options = { plan: first, tools, catalog, llm: noModel, taskPlanner, runtime };
    const events = await eventsOf(runPlan({ ...options, maxIterations: 2 }));
    expect(outcomeOf(events)).toMatchObject({ status: "failed", step: "4" });
    expect(calls.filter(({ tool }) => tool === "trip/train")).toHaveLength(3);
  });

  test("a plan ends without a task planner, and if the planner fails", async () => {
    const run = async (taskPlanner?: Any) => {
      const { catalog, runtime, tools } = createPlannerProject(toolsFailing(1));
      const options = { plan: first, tools, catalog, llm: noModel, runtime };
      return outcomeOf(
        await eventsOf(runPlan({ ...options, ...(taskPlanner && { taskPlanner }) })),
      );
    };
    expect(await run()).toMatchObject({ status: "failed", step: "2" });
    const unusable = taskPlannerOf({ steps: [{ id: "9", tool: "plane" }] });
    expect(await run(unusable)).toMatchObject({ status: "failed", step: "2" });
  });

  test("a plan is never made anew after a write whose outcome is unknown", async () => {
    const { catalog, runtime, tools } = createPlannerProject({
      ...toolsFailing(0),
      "trip/pay": {
        effect: "write",
        output: {},
        serve: () => {
          throw new Error("broken off");
        },
      },
    });
    const taskPlanner = taskPlannerOf({ steps: [{ id: "2", tool: "pay" }] });
    const plan = { steps: [{ id: "1", tool: "pay" }] };
    const options = { plan, tools, catalog, llm: noModel, taskPlanner, runtime };
    const outcome = outcomeOf(await eventsOf(runPlan(options)));
    expect(outcome.error.outcome).toBe("unknown");
    expect(taskPlanner.requests).toEqual([]);
  });

  test("a kept run goes on with the last plan, and repeats nothing that was answered", async () => {
    const runs = createMemoryRuns();
    const { calls, catalog, runtime, tools } = createPlannerProject(toolsFailing(1), { runs });
    const taskPlanner = taskPlannerOf({ steps: [{ id: "3", tool: "bus" }] });
    const options = { plan: first, tools, catalog, llm: noModel, taskPlanner, runtime, run: "r" };
    const outcome = outcomeOf(await eventsOf(runPlan(options)));
    const again = outcomeOf(await eventsOf(runPlan(options)));
    expect(again).toMatchObject({ status: "success", output: outcome.output });
    expect(calls.map(({ tool }) => tool)).toEqual(["trip/find", "trip/train", "trip/bus"]);
  });
});
