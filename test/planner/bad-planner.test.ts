/** Planners and models that fail in any way, and readers that stop: each run has an outcome. */
import { describe, expect, test } from "vitest";
import { type RunPlanOptions, runPlan } from "../../src/planner/index.js";
import { createMemoryRuns } from "../bindings/plan/run/memory-runs.js";
import {
  type Any,
  createPlannerProject,
  decisions,
  eventsOf,
  modelOf,
  namesOf,
  noModel,
  outcomeOf,
  type TestTool,
} from "./planner-project.js";

const text = { type: "string" };
const city = { type: "object", required: ["city"], properties: { city: text } };

const tools: { readonly [id: string]: TestTool } = {
  "trip/find-city": { output: city, serve: () => ({ city: "Rome" }) },
  "trip/book": {
    effect: "write",
    input: { city: text, word: text },
    required: ["city", "word"],
    output: {},
    serve: (params) => params,
  },
  "trip/keep": { input: { any: {} }, required: ["any"], output: {}, serve: () => ({}) },
  "trip/train": {
    input: { word: text },
    required: ["word"],
    output: {},
    serve: () => {
      throw new Error("no train");
    },
  },
};

const plan = {
  steps: [
    { id: "1", tool: "find-city" },
    { id: "2", tool: "book" },
  ],
};
const failing = {
  steps: [
    { id: "1", tool: "find-city" },
    { id: "2", tool: "train", bindings: { word: { source_type: "generated" } } },
  ],
};

/** A model that leaves everything open while planning, and answers with the values when asked. */
const modelGiving = (values: Any) =>
  modelOf(({ name }) => (name === "bindings" ? decisions() : values));

async function run(options: Partial<RunPlanOptions>, runtimeOptions: Any = {}) {
  const { calls, catalog, runtime, tools: map } = createPlannerProject(tools, runtimeOptions);
  const given = options.goal === undefined ? { plan } : {};
  const events = await eventsOf(
    runPlan({ ...given, tools: map, catalog, llm: noModel, runtime, ...options }),
  );
  return { outcome: outcomeOf(events), names: namesOf(events), events, calls };
}

describe("a model", () => {
  test.each([
    [
      "throws at once",
      () => {
        throw new Error("down");
      },
    ],
    ["answers without a promise", () => ({ text: "{}", tokens: { input: 0, output: 0 } })],
    ["answers nothing", async () => undefined],
    ["nests deep", async () => ({ text: "[".repeat(9000) + "]".repeat(9000), tokens: {} })],
  ])("a model that %s fails the step, not the run", async (_how, complete) => {
    const { calls, outcome } = await run({ llm: { complete } as Any });
    expect(outcome).toMatchObject({ status: "failed", error: { code: "PLAN.NOT_INFERRED" } });
    expect(calls.map(({ tool }) => tool)).toEqual(["trip/find-city"]);
  });

  test("a value that nests deep is not used", async () => {
    const json = "[".repeat(9000) + "]".repeat(9000);
    const llm = modelOf(({ name }) =>
      name === "bindings" ? decisions({ values: [{ at: "2.any", json }] }) : { any: 1 },
    );
    const steps = [plan.steps[0], { id: "2", tool: "keep" }] as Any;
    const { calls } = await run({ plan: { steps }, llm });
    expect(calls.at(-1)?.params).toEqual({ any: 1 });
  });

  test("an answer names a step by its id, also if the id begins with `step_`", async () => {
    const llm = modelOf(() =>
      decisions({ values: [{ at: "step_2.word", json: '"late"' }], unsure: [] }),
    );
    const steps = [
      { id: "step_1", tool: "find-city" },
      { id: "step_2", tool: "book" },
    ];
    const { outcome } = await run({ plan: { steps }, llm });
    expect(outcome.output).toEqual({ city: "Rome", word: "late" });
  });
});

describe("an abort", () => {
  test.each(["plan", "bindings", "parameters"])(
    "an abort while a model is asked for %s ends the plan as aborted",
    async (at) => {
      const stop = new AbortController();
      const llm = modelOf(({ name }) => {
        if (name === at) stop.abort(new Error("enough"));
        if (name === "bindings") return decisions();
        const steps = plan.steps.map((step) => ({ ...step, description: "" }));
        return name === "plan" ? { steps } : { word: "x" };
      });
      const { calls, outcome } = await run({ goal: "book", llm, signal: stop.signal });
      expect(outcome.error.failure).toEqual({ code: "UNKNOWN.INTERNAL", reason: "aborted" });
      expect(calls.map(({ tool }) => tool)).not.toContain("trip/book");
    },
  );

  test("a plan that is aborted before it begins calls nothing", async () => {
    const steps = [{ id: "1", tool: "find-city" }];
    const { calls, outcome } = await run({ plan: { steps }, signal: AbortSignal.abort() });
    expect(outcome.error.failure).toEqual({ code: "UNKNOWN.INTERNAL", reason: "aborted" });
    expect(calls).toEqual([]);
  });
});

describe("a reader", () => {
  test.each([
    ["plan", 0],
    ["binding_plan", 0],
    ["step_begin 1", 0],
    ["step_begin 2", 1],
  ])("a reader that stops at `%s`, however slow, has %i calls made", async (at, count) => {
    const { calls, catalog, runtime, tools: map } = createPlannerProject(tools);
    const llm = modelGiving({ word: "x" });
    for await (const event of runPlan({ plan, tools: map, catalog, llm, runtime })) {
      await new Promise((resolve) => setImmediate(resolve));
      if (namesOf([event])[0] === at) break;
    }
    expect(calls).toHaveLength(count);
  });
});

describe("a task planner", () => {
  const answers: readonly (readonly [string, () => Any])[] = [
    [
      "throws",
      () => {
        throw new TypeError("mine");
      },
    ],
    ["rejects with nothing", () => Promise.reject(undefined)],
    ["answers nothing", () => undefined],
    ["has no plan", () => ({ plan: null, tokens: { input: 1, output: 1 } })],
    ["has no steps", () => ({ plan: {}, tokens: { input: 1, output: 1 } })],
    ["has a step that is null", () => ({ plan: { steps: [null] } })],
  ];

  test.each(answers)("a task planner that %s makes no plan", async (_how, createPlan) => {
    const { outcome } = await run({ goal: "book", taskPlanner: { createPlan } });
    expect(["no_plan", "invalid_plan"]).toContain(outcome.status);
  });

  test.each(answers)("a task planner that %s leaves the plan failed", async (_how, createPlan) => {
    const llm = modelGiving({ word: "x" });
    const { outcome } = await run({ plan: failing, llm, taskPlanner: { createPlan } });
    expect(outcome).toMatchObject({ status: "failed", step: "2" });
  });

  test("a plan with nothing but answered steps leaves the plan failed", async () => {
    const made = { plan: { steps: [failing.steps[0]] }, tokens: { input: 1, output: 1 } } as Any;
    const taskPlanner = { createPlan: async () => made };
    const { outcome } = await run({ plan: failing, llm: modelGiving({ word: "x" }), taskPlanner });
    expect(outcome).toMatchObject({ status: "failed", tokens: { input: 11 } });
  });

  test("a new step with an id that was used gets another, and no value of the old step", async () => {
    let asked = 0;
    const llm = modelOf(({ name }) => {
      if (name === "bindings") return decisions();
      asked += 1;
      return { word: `word ${asked}` };
    });
    const steps = [
      { id: "1", tool: "find-city" },
      { id: "2", tool: "book", bindings: { word: { source_type: "generated" } } },
      { id: "3", tool: "keep", bindings: { any: { source: "step_2.output.word" } } },
    ];
    const made = { plan: { steps, output: "step_2.output" }, tokens: { input: 1, output: 1 } };
    const taskPlanner = { createPlan: async () => made };
    const { calls, names, outcome } = await run(
      { plan: failing, llm, taskPlanner, run: "r" },
      { runs: createMemoryRuns() },
    );
    expect(outcome).toMatchObject({ status: "success", output: { city: "Rome", word: "word 2" } });
    expect(names).toContain("step_begin 2_2");
    expect(calls.map(({ tool }) => tool)).toEqual([
      "trip/find-city",
      "trip/train",
      "trip/book",
      "trip/keep",
    ]);
    expect(calls.at(-1)?.params).toEqual({ any: "word 2" });
  });

  test("an answered id with another tool is another step", async () => {
    const bindings = {
      city: { source_type: "literal", default_value: "Bern" },
      word: "step_1.output.city",
    };
    const steps = [{ id: "1", tool: "book", bindings }];
    const made = { plan: { steps }, tokens: { input: 1, output: 1 } };
    const taskPlanner = { createPlan: async () => made };
    const { calls, outcome } = await run({
      plan: failing,
      llm: modelGiving({ word: "x" }),
      taskPlanner,
    });
    expect(outcome.output).toEqual({ city: "Bern", word: "Rome" });
    expect(calls.filter(({ tool }) => tool === "trip/find-city")).toHaveLength(1);
  });

  test("a kept run counts how often its plan was made anew, also after a crash", async () => {
    const runs = createMemoryRuns();
    const project = createPlannerProject(tools, { runs });
    let made = 0;
    const taskPlanner = {
      createPlan: async () => {
        made += 1;
        return { plan: failing, tokens: { input: 1, output: 1 } };
      },
    };
    const options = { ...project, plan: failing, llm: modelGiving({ word: "x" }), taskPlanner };
    const once = async () => outcomeOf(await eventsOf(runPlan({ ...options, run: "r" })));
    expect((await once()).status).toBe("failed");
    expect((await once()).status).toBe("failed");
    expect(made).toBe(3);
  });
});

describe("a binding planner", () => {
  test.each([
    [
      "throws",
      () => {
        throw new TypeError("mine");
      },
    ],
    ["answers nothing", () => undefined],
    ["has no steps", () => ({ plan: {}, decided: 0, asked: 0, tokens: { input: 1, output: 1 } })],
  ])(
    "a binding planner that %s leaves the parameters to the steps",
    async (_how, createBindingPlan) => {
      const inferParameters = async () => ({
        values: { city: "Bern", word: "x" },
        tokens: { input: 1, output: 1 },
      });
      const bindingPlanner = { createBindingPlan, inferParameters } as Any;
      const { events, outcome } = await run({ bindingPlanner });
      expect(outcome.output).toEqual({ city: "Bern", word: "x" });
      expect(events[1]?.data).toMatchObject({ problem: "failed" });
    },
  );

  test.each([undefined, {}, { values: null }, { values: { city: "Bern", word: "x" } }])(
    "a binding planner that infers %j fails the step, not the run",
    async (inferred) => {
      const createBindingPlan = async () => Promise.reject(new Error("down"));
      const bindingPlanner = { createBindingPlan, inferParameters: async () => inferred } as Any;
      const { calls, outcome } = await run({ bindingPlanner });
      const failure = { code: "PLAN.NOT_INFERRED", problem: "wrong-form" };
      expect(outcome).toMatchObject({ status: "failed", step: "2", error: { failure } });
      expect(calls.map(({ tool }) => tool)).toEqual(["trip/find-city"]);
    },
  );
});
