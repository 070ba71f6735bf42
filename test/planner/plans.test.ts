/** Plans that can't be used, and values that can't be. */
import { describe, expect, test } from "vitest";
import { createBindingPlanner, PlanError, runPlan } from "../../src/planner/index.js";
import {
  type Any,
  createPlannerProject,
  decisions,
  eventsOf,
  modelOf,
  noModel,
  outcomeOf,
  type TestTool,
} from "./planner-project.js";

const text = { type: "string" };

const tools: { readonly [id: string]: TestTool } = {
  "desk/read": {
    input: { id: text },
    output: {
      type: "object",
      required: ["note"],
      properties: { note: { type: ["string", "null"] } },
    },
    serve: () => ({ note: null }),
  },
  "desk/write": {
    effect: "write",
    input: { note: { type: ["string", "null"] }, id: text },
    output: { type: "object", properties: { ok: { type: "boolean" } } },
    serve: () => ({ ok: true }),
  },
  "shop/read": {},
};

async function problemsOf(plan: Any): Promise<Any> {
  const { catalog, tools: map, runtime, calls } = createPlannerProject(tools);
  const events = await eventsOf(runPlan({ plan, tools: map, catalog, llm: noModel, runtime }));
  expect(calls).toEqual([]);
  const outcome = outcomeOf(events);
  expect(outcome.status).toBe("invalid_plan");
  return outcome.problems;
}

describe("a plan that can't be used", () => {
  test.each<readonly [string, Any, string, RegExp]>([
    ["no plan at all", 42, "", /must be an object/],
    ["no steps", {}, "steps", /needs a list of steps/],
    ["steps that are no list", { steps: { a: 1 } }, "steps", /needs a list/],
    ["a step that is no object", { steps: [null] }, "steps[0]", /must be an object/],
    [
      "an unknown tool",
      { steps: [{ id: "1", tool: "desk/red" }] },
      "steps[0].tool",
      /no tool `desk\/red`/,
    ],
    [
      "a name that two tools have",
      { steps: [{ id: "1", tool: "read" }] },
      "steps[0].tool",
      /several tools/,
    ],
    [
      "a tool called __proto__",
      { steps: [{ id: "1", tool: "__proto__" }] },
      "steps[0].tool",
      /no tool/,
    ],
    [
      "an id that every object has",
      { steps: [{ id: "__proto__", tool: "desk/read" }] },
      "steps[0].id",
      /every JavaScript object has/,
    ],
    [
      "a key that only static plans have",
      { steps: [{ id: "1", tool: "desk/read", for_each: "list" }] },
      "steps[0].for_each",
      /only a static plan has `for_each`/,
    ],
    [
      "two steps of one id",
      {
        steps: [
          { id: 1, tool: "desk/read" },
          { id: "1", tool: "desk/read" },
        ],
      },
      "steps[1].id",
      /two steps have the id `1`/,
    ],
    [
      "a later step as a source",
      {
        steps: [
          { id: "1", tool: "desk/write", bindings: { note: "step_2.output.note" } },
          { id: "2", tool: "desk/read" },
        ],
      },
      "steps[0].bindings.note",
      /names no step above/,
    ],
    [
      "its own output as a source",
      { steps: [{ id: "1", tool: "desk/write", bindings: { note: "step_1.output" } }] },
      "steps[0].bindings.note",
      /names no step above/,
    ],
    [
      "an unknown parameter",
      { steps: [{ id: "1", tool: "desk/write", bindings: { nota: "x" } }] },
      "steps[0].bindings.nota",
      /has no parameter `nota`; its parameters are `note` and `id`/,
    ],
    [
      "a source that is no path",
      { steps: [{ id: "1", tool: "desk/write", bindings: { note: "{{x}}" } }] },
      "steps[0].bindings.note",
      /is not a path/,
    ],
    [
      "a source of an unknown type",
      {
        steps: [
          {
            id: "1",
            tool: "desk/write",
            bindings: { note: { source: "a", source_type: "magic" } },
          },
        ],
      },
      "steps[0].bindings.note",
      /source_type` must be one of `user_input`/,
    ],
    [
      "an unknown reaction",
      { steps: [{ id: "1", tool: "desk/read", on: { error: "retry" } }] },
      "steps[0].on.error",
      /write `stop`/,
    ],
  ])("%s is told at its place, and nothing is called", async (_, plan, at, message) => {
    expect(await problemsOf(plan)).toEqual([{ at, message: expect.stringMatching(message) }]);
  });

  test("a plan of more than 1,000 steps is refused, and one of 1,000 is planned", async () => {
    const steps = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: `s${index}`, tool: "desk/write" }));
    expect(await problemsOf({ steps: steps(1001) })).toEqual([
      { at: "steps", message: "a plan has at most 1000 steps" },
    ]);
    const { catalog } = createPlannerProject(tools);
    const planner = createBindingPlanner({ catalog });
    const { plan } = await planner.createBindingPlan({ plan: { steps: steps(1000) }, inputs: {} });
    expect(plan.steps).toHaveLength(1000);
  });

  test("createBindingPlan throws all problems", async () => {
    const { catalog } = createPlannerProject(tools);
    const planner = createBindingPlanner({ catalog });
    const plan = {
      steps: [
        { id: "1", tool: "a" },
        { id: "2", tool: "b" },
      ],
    };
    const error = await planner.createBindingPlan({ plan, inputs: {} }).catch((each) => each);
    expect(error).toBeInstanceOf(PlanError);
    expect(error.problems).toHaveLength(2);
  });
});

describe("a value", () => {
  test("inputs that are no JSON are a mistake of the program", async () => {
    const { catalog, runtime, tools: map } = createPlannerProject(tools);
    const plan = { steps: [{ id: "1", tool: "desk/read" }] };
    const inputs = { when: new Date(0) } as Any;
    const events = runPlan({ plan, inputs, tools: map, catalog, llm: noModel, runtime });
    await expect(eventsOf(events)).rejects.toThrow("`inputs` and `plan` must be JSON");
  });

  test("the state has the fields of outputs at its top only if asked for", async () => {
    const run = async (stateFields: boolean) => {
      const {
        calls,
        catalog,
        runtime,
        tools: map,
      } = createPlannerProject({
        ...tools,
        "desk/read": { ...tools["desk/read"], serve: () => ({ note: "n" }) },
      });
      const plan = {
        steps: [
          { id: "1", tool: "desk/read" },
          {
            id: "2",
            tool: "desk/write",
            bindings: {
              note: null,
              id: { source: "note", source_type: "state", fallback: "omit" },
            },
          },
        ],
      } as Any;
      const options = { plan, tools: map, catalog, llm: noModel, runtime, stateFields };
      const { state } = outcomeOf(await eventsOf(runPlan(options)));
      return { id: calls[1]?.params.id, top: state.note };
    };
    expect(await run(true)).toEqual({ id: "n", top: "n" });
    expect(await run(false)).toEqual({ id: undefined, top: undefined });
  });

  test.each([
    ["bytes", () => new Uint8Array(3)],
    [
      "a stream",
      async function* () {
        yield 1;
      },
    ],
  ])("a tool that answers %s ends the plan", async (_, serve) => {
    const {
      calls,
      catalog,
      runtime,
      tools: map,
    } = createPlannerProject({
      ...tools,
      "desk/read": { serve },
    });
    const plan = {
      steps: [
        { id: "1", tool: "desk/read" },
        { id: "2", tool: "desk/write" },
      ],
    };
    const events = await eventsOf(runPlan({ plan, tools: map, catalog, runtime }));
    expect(outcomeOf(events)).toMatchObject({ status: "failed", step: "1" });
    expect(calls).toHaveLength(1);
  });

  test("an input of a million parts is compared by its type alone", async () => {
    const { catalog } = createPlannerProject({
      "desk/sum": {
        input: { numbers: { type: "array" }, names: { type: "array", items: text } },
        required: ["numbers", "names"],
      },
    });
    const planner = createBindingPlanner({ catalog });
    const inputs = { numbers: Array.from({ length: 1_000_000 }, (_, index) => index) };
    const plan = { steps: [{ id: "1", tool: "sum" }] };
    const { plan: bound } = await planner.createBindingPlan({ plan, inputs });
    expect(bound.steps[0]?.bindings).toMatchObject({
      numbers: { source: "numbers", rule: "name" },
      names: { rule: "open" },
    });
  });

  test("null counts as a value if the parameter takes it", async () => {
    const { calls, catalog, runtime, tools: map } = createPlannerProject(tools);
    const plan = {
      steps: [
        { id: "1", tool: "desk/read" },
        { id: "2", tool: "desk/write", bindings: { note: "step_1.output.note" } },
      ],
    };
    const events = await eventsOf(runPlan({ plan, tools: map, catalog, llm: noModel, runtime }));
    expect(outcomeOf(events).status).toBe("success");
    expect(calls[1]?.params).toEqual({ note: null });
  });

  test("null is no value if the parameter takes none, and the fallback decides", async () => {
    const plan = (fallback: object) => ({
      steps: [
        { id: "1", tool: "desk/read" },
        {
          id: "2",
          tool: "desk/write",
          bindings: { note: null, id: { source: "step_1.output.note", ...fallback } },
        },
      ],
    });
    const run = async (fallback: object) => {
      const { calls, catalog, runtime, tools: map } = createPlannerProject(tools);
      const llm = modelOf(() => ({ id: "asked" }));
      const events = await eventsOf(
        runPlan({ plan: plan(fallback) as Any, tools: map, catalog, llm, runtime }),
      );
      return { params: calls[1]?.params, events, outcome: outcomeOf(events) };
    };
    expect((await run({})).params).toEqual({ note: null, id: "asked" });
    const usual = await run({ fallback: "use_default", default_value: "usual" });
    expect(usual.params).toEqual({ note: null, id: "usual" });
    expect(usual.events).toContainEqual({
      event: "fallback",
      data: {
        step: "2",
        parameters: ["id"],
        policy: "use_default",
        tokens: { input: 0, output: 0 },
      },
    });
    expect((await run({ fallback: "omit" })).params).toEqual({ note: null });
    const { outcome } = await run({ fallback: "error" });
    expect(outcome).toMatchObject({ status: "failed", step: "2" });
    expect(outcome.error.failure).toEqual({
      code: "PLAN.NO_VALUE",
      source: "step_1.output.note",
      step: "2",
    });
  });

  test("a state of 100 MB is shown to the model in 24,000 characters", async () => {
    const huge = {
      note: "x".repeat(50_000_000),
      list: Array.from({ length: 1_000_000 }, () => "y".repeat(40)),
    };
    const {
      catalog,
      runtime,
      tools: map,
    } = createPlannerProject({
      "desk/huge": { output: { type: "object" }, serve: () => huge },
      "desk/write": { input: { note: text }, required: ["note"], output: {} },
    });
    const llm = modelOf(({ name }) => (name === "bindings" ? decisions() : { note: "short" }));
    const plan = {
      steps: [
        { id: "1", tool: "huge" },
        { id: "2", tool: "write" },
      ],
    };
    const events = await eventsOf(runPlan({ plan, tools: map, catalog, llm, runtime }));
    expect(outcomeOf(events).status).toBe("success");
    const sizes = llm.requests.map(({ messages }) =>
      messages.reduce((sum, { content }) => sum + content.length, 0),
    );
    expect(Math.max(...sizes)).toBeLessThan(26_000);
  });
});
