/** The forms in which planners exchange bindings, as they are read and used. */
import { describe, expect, test } from "vitest";
import { type BindingPlan, readBindingPlan, runPlan } from "../../src/planner/index.js";
import {
  type Any,
  createPlannerProject,
  eventsOf,
  noModel,
  outcomeOf,
  type TestTool,
} from "./planner-project.js";

/** The plan of three steps, as a model writes it: a list called `bindings`. */
const written = {
  bindings: [
    {
      step_id: "1",
      tool: "analyze",
      bindings: {
        requirements: {
          source: "query",
          source_type: "user_input",
          confidence: 1.0,
          reasoning: "the request itself",
        },
      },
    },
    {
      step_id: "2",
      tool: "design",
      bindings: {
        entities: {
          source: "step_1.output.entities",
          source_type: "step_output",
          confidence: 0.95,
        },
      },
    },
  ],
  reasoning: "analyze, then design",
};

/** The same plan, as a class would hold it: a list called `steps`, with names in upper case. */
const held = {
  steps: written.bindings.map((step) => ({
    ...step,
    bindings: Object.fromEntries(
      Object.entries(step.bindings).map(([name, each]: [string, Any]) => [
        name,
        { ...each, source_type: each.source_type.toUpperCase(), fallback: "LLM_INFER" },
      ]),
    ),
  })),
  confidence_threshold: 0.7,
  reasoning: written.reasoning,
  created_at: "2026-01-01T00:00:00Z",
};

describe("a binding plan", () => {
  test("both JSON forms say the same, with the usual fallback and threshold", () => {
    const { created_at: none, ...one } = readBindingPlan(written);
    const { created_at: time, ...other } = readBindingPlan(held);
    expect(one).toEqual(other);
    expect([none, time]).toEqual(["", "2026-01-01T00:00:00Z"]);
    expect(one.confidence_threshold).toBe(0.7);
    expect(one.steps[1]?.bindings["entities"]).toMatchObject({
      source: "step_1.output.entities",
      source_type: "step_output",
      confidence: 0.95,
      fallback: "llm_infer",
    });
  });

  test("a short binding is a path if it is text, and else a literal", () => {
    const of = (binding: Any) =>
      readBindingPlan({ steps: [{ step_id: 1, bindings: { x: binding } }] }).steps[0]?.bindings[
        "x"
      ];
    expect(of("query")).toMatchObject({ source: "query", source_type: "user_input" });
    expect(of("step_1.output.a")).toMatchObject({ source_type: "step_output" });
    expect(of("state.documents")).toMatchObject({ source_type: "state" });
    for (const literal of [5, true, [], {}, null, { a: 1 }])
      expect(of(literal)).toMatchObject({ source_type: "literal", default_value: literal });
  });

  test.each<readonly [string, Any, RegExp]>([
    ["no object", [], /must be an object/],
    ["no list of steps", { plan: [] }, /a list `steps` or `bindings`/],
    ["a step without an id", { steps: [{ bindings: {} }] }, /`steps\[0\]\.step_id`/],
    [
      "a confidence of 2",
      { steps: [{ step_id: "1", bindings: { x: { source: "a", confidence: 2 } } }] },
      /x\.confidence` must be a number from 0 to 1/,
    ],
    [
      "an unknown policy",
      { steps: [{ step_id: "1", bindings: { x: { source: "a", fallback: "guess" } } }] },
      /x\.fallback` must be one of `llm_infer`/,
    ],
    [
      "a literal without a value",
      { steps: [{ step_id: "1", bindings: { x: { source_type: "literal" } } }] },
      /x\.default_value` is missing/,
    ],
    [
      "a source that is no text",
      { steps: [{ step_id: "1", bindings: { x: { source: 1 } } }] },
      /x\.source` must be a path/,
    ],
  ])("%s is told at its place", (_, given, message) => {
    expect(() => readBindingPlan(given)).toThrow(message);
  });

  test("bindings of the caller are used as they are, and no planner is asked", async () => {
    const tools: { readonly [id: string]: TestTool } = {
      "api/analyze": {
        input: { requirements: { type: "string" } },
        output: { type: "object", properties: { entities: { type: "array" } } },
        serve: () => ({ entities: ["user"] }),
      },
      "api/design": {
        input: { entities: { type: "array" } },
        output: {},
        serve: (params) => params,
      },
    };
    const { catalog, runtime, tools: map } = createPlannerProject(tools);
    const plan = {
      steps: [
        { id: "1", tool: "analyze" },
        { id: "2", tool: "design" },
      ],
    };
    const options = { plan, inputs: { query: "q" }, tools: map, catalog, llm: noModel, runtime };
    const bindings: BindingPlan = readBindingPlan(written);
    const outcome = outcomeOf(await eventsOf(runPlan({ ...options, bindings })));
    expect(outcome).toMatchObject({ status: "success", output: { entities: ["user"] } });
    const unsure = { ...held, confidence_threshold: 0.99 };
    const events = await eventsOf(runPlan({ ...options, bindings: unsure }));
    expect(events).toContainEqual({
      event: "fallback",
      data: expect.objectContaining({ step: "2", parameters: ["entities"], policy: "llm_infer" }),
    });
  });
});
