import { describe, expect, test } from "vitest";
import { runPlan } from "../../src/planner/index.js";
import {
  createPlannerProject,
  eventsOf,
  modelOf,
  namesOf,
  noModel,
  outcomeOf,
  type TestTool,
} from "./planner-project.js";

const entity = { type: "object", required: ["name"], properties: { name: { type: "string" } } };

/** Three tools, each of which uses what the one before gives. */
const chain: { readonly [id: string]: TestTool } = {
  "api/analyze": {
    input: { requirements: { type: "string" } },
    required: ["requirements"],
    output: {
      type: "object",
      required: ["entities"],
      properties: { entities: { type: "array", items: entity } },
    },
    serve: ({ requirements }) => ({ entities: [{ name: requirements }] }),
  },
  "api/design": {
    input: { entities: { type: "array", items: entity }, project_name: { type: "string" } },
    required: ["entities", "project_name"],
    output: {
      type: "object",
      required: ["endpoints"],
      properties: { endpoints: { type: "array", items: { type: "string" } } },
    },
    serve: ({ entities, project_name }) => ({
      endpoints: entities.map(({ name }: { name: string }) => `${project_name}/${name}`),
    }),
  },
  "api/generate": {
    effect: "write",
    input: { endpoints: { type: "array", items: { type: "string" } } },
    required: ["endpoints"],
    output: { type: "object", required: ["code"], properties: { code: { type: "string" } } },
    serve: ({ endpoints }) => ({ code: endpoints.join("\n") }),
  },
};

const plan = {
  steps: [
    { id: "1", tool: "analyze", bindings: { requirements: "query" } },
    { id: "2", tool: "api/design" },
    { id: "3", tool: "api/generate" },
  ],
};

const inputs = { query: "users" };

describe("a plan that is run", () => {
  test("the model is asked once, for what types and names leave open", async () => {
    const { calls, catalog, runtime, tools } = createPlannerProject(chain);
    const llm = modelOf(() => ({
      sources: [],
      values: [{ at: "2.project_name", json: '"demo"' }],
      later: [],
      unsure: [],
    }));
    const events = await eventsOf(runPlan({ plan, inputs, tools, catalog, llm, runtime }));
    expect(namesOf(events)).toEqual([
      "plan",
      "binding_plan",
      "step_begin 1",
      "step_end 1",
      "step_begin 2",
      "step_end 2",
      "step_begin 3",
      "step_end 3",
      "done",
    ]);
    expect(outcomeOf(events)).toMatchObject({
      status: "success",
      output: { code: "demo/users" },
      tokens: { input: 10, output: 2 },
    });
    expect(calls.map(({ tool }) => tool)).toEqual(["api/analyze", "api/design", "api/generate"]);
    expect(llm.requests).toHaveLength(1);
    expect(events[1]).toMatchObject({
      data: { bindings_count: 4, decided_count: 3, asked_count: 1 },
    });
  });

  test("a model that fails while planning is asked again when the step begins", async () => {
    const { catalog, runtime, tools } = createPlannerProject(chain);
    const llm = modelOf(({ name }) =>
      name === "bindings" ? "I cannot say" : { project_name: "late" },
    );
    const events = await eventsOf(runPlan({ plan, inputs, tools, catalog, llm, runtime }));
    expect(outcomeOf(events)).toMatchObject({ status: "success", output: { code: "late/users" } });
    expect(events[1]).toMatchObject({ event: "binding_plan", data: { problem: "not-json" } });
    expect(namesOf(events)).toContain("fallback 2");
  });

  test("a plan whose sources are all decided asks no model", async () => {
    const { catalog, runtime, tools } = createPlannerProject(chain);
    const whole = {
      steps: plan.steps.map((step) =>
        step.id === "2"
          ? {
              ...step,
              bindings: { project_name: { source_type: "literal", default_value: "demo" } },
            }
          : step,
      ),
    };
    const events = await eventsOf(
      runPlan({ plan: whole, inputs, tools, catalog, llm: noModel, runtime }),
    );
    expect(outcomeOf(events)).toMatchObject({ status: "success", output: { code: "demo/users" } });
  });
});
