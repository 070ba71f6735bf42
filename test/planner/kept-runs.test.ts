/** Runs of dynamic plans that are kept, and what governance does to their steps. */
import { describe, expect, test } from "vitest";
import { runPlan } from "../../src/planner/index.js";
import { createMemoryRuns } from "../bindings/plan/run/memory-runs.js";
import { policyFor } from "../bindings/plan/run/governed-project.js";
import { createMemoryStore, governance } from "../../src/runtime/governance/index.js";
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

const tools: { readonly [id: string]: TestTool } = {
  "desk/find": {
    output: { type: "object", required: ["city"], properties: { city: text } },
    serve: () => ({ city: "Rome" }),
  },
  "desk/book": {
    effect: "write",
    input: { city: text, word: text },
    required: ["city", "word"],
    output: { type: "object" },
    serve: ({ city, word }) => ({ booked: `${city} ${word}` }),
  },
};

const plan = {
  steps: [
    { id: "1", tool: "find" },
    { id: "2", tool: "book" },
  ],
};

/** A model that leaves `word` open while planning, and makes another value each time. */
function countingModel() {
  let count = 0;
  return modelOf(({ name }) => {
    if (name === "bindings") return decisions();
    count += 1;
    return { word: `word ${count}` };
  });
}

describe("a kept run", () => {
  // The events: planned, begun and answered of step 1, inferred, begun and answered of step 2, ended.
  test.each([1, 2, 3, 4, 5, 6])(
    "a run goes on after a crash at event %i, with the plan and the values that it has",
    async (crash) => {
      const runs = createMemoryRuns();
      const { calls, catalog, runtime, tools: map } = createPlannerProject(tools, { runs });
      const llm = countingModel();
      const run = async () =>
        outcomeOf(await eventsOf(runPlan({ plan, tools: map, catalog, llm, runtime, run: "r" })));
      runs.crashAt(crash);
      expect((await run()).status).toBe("failed");
      runs.restart();
      const outcome = await run();
      const asked = llm.requests.filter(({ name }) => name === "bindings");
      expect(asked).toHaveLength(1);
      const booked = calls.filter(({ tool }) => tool === "desk/book");
      // At event 5 the write was sent, and its answer was not stored: nobody repeats it.
      expect(outcome.error?.code).toBe(crash === 5 ? "PLAN.OUTCOME_UNKNOWN" : undefined);
      expect(booked.map(({ params }) => params.city)).toEqual(["Rome"]);
    },
  );

  test("a run has a plan of its own: another plan or other inputs don't take it", async () => {
    const runs = createMemoryRuns();
    const { catalog, runtime, tools: map } = createPlannerProject(tools, { runs });
    const llm = countingModel();
    const run = async (options: object) =>
      outcomeOf(
        await eventsOf(runPlan({ plan, tools: map, catalog, llm, runtime, run: "r", ...options })),
      );
    expect((await run({})).status).toBe("success");
    expect((await run({ inputs: { other: 1 } })).error.code).toBe("PLAN.RUN_TAKEN");
    expect((await run({ caller: { subject: "eve" } })).error.code).toBe("PLAN.NO_RUN");
  });

  test("a run ends as failed if its store is away, before anything is called", async () => {
    const runs = createMemoryRuns();
    runs.failAt("hold", new Error("down"));
    const { calls, catalog, runtime, tools: map } = createPlannerProject(tools, { runs });
    const options = { plan, tools: map, catalog, llm: noModel, runtime, run: "r" };
    const outcome = outcomeOf(await eventsOf(runPlan(options)));
    expect(outcome.error.failure).toMatchObject({ code: "PLAN.RUN_UNAVAILABLE", reason: "store" });
    expect(calls).toEqual([]);
  });

  test("a run needs a store", async () => {
    const { catalog, runtime, tools: map } = createPlannerProject(tools);
    const events = runPlan({ plan, tools: map, catalog, llm: noModel, runtime, run: "r" });
    await expect(eventsOf(events)).rejects.toThrow("`run` needs a store of runs");
  });
});

/** A runtime whose policy knows these tools. */
function governedProject(governed: { readonly [name: string]: Any }, more: object = {}) {
  const store = createMemoryStore();
  const policy = policyFor(["find", "book"], governed);
  const options = { ...more, governance: governance({ policy, store }) };
  return { ...createPlannerProject(tools, options as Any), store };
}

describe("under governance", () => {
  const bound = {
    steps: [
      plan.steps[0],
      { id: "2", tool: "book", bindings: { word: { default_value: "x", source_type: "literal" } } },
    ],
  } as Any;

  test("each step is decided by itself, with the origin llm", async () => {
    const {
      calls,
      catalog,
      runtime,
      tools: map,
    } = governedProject({
      book: { scopes: ["book"] },
    });
    const options = { plan: bound, tools: map, catalog, llm: noModel, runtime };
    const outcome = outcomeOf(await eventsOf(runPlan(options)));
    expect(outcome).toMatchObject({ status: "failed", step: "2" });
    expect(outcome.error.code).toBe("AUTH.FORBIDDEN");
    expect(calls.map(({ tool }) => tool)).toEqual(["desk/find"]);
    const allowed = await eventsOf(runPlan({ ...options, caller: { scopes: ["book"] } }));
    expect(outcomeOf(allowed).status).toBe("success");
    expect(new Set(calls.map(({ caller }) => caller?.origin))).toEqual(new Set(["llm"]));
  });

  test("a kept run is suspended until somebody approves the step", async () => {
    const runs = createMemoryRuns();
    const {
      calls,
      catalog,
      runtime,
      tools: map,
    } = governedProject({ book: { approval: {} } }, { runs });
    const options = {
      plan: bound,
      tools: map,
      catalog,
      llm: noModel,
      runtime,
      run: "r",
      caller: { subject: "eve" },
    };
    const suspended = outcomeOf(await eventsOf(runPlan(options)));
    expect(suspended).toMatchObject({ status: "suspended", run: "r", step: "2" });
    const approval = await runtime.approve(suspended.request, { subject: "ada" });
    const events = await eventsOf(runPlan({ ...options, approval }));
    expect(outcomeOf(events)).toMatchObject({ status: "success", output: { booked: "Rome x" } });
    expect(calls.map(({ tool }) => tool)).toEqual(["desk/find", "desk/book"]);
  });

  test("without a kept run, a step that needs an approval fails", async () => {
    const { catalog, runtime, tools: map } = governedProject({ book: { approval: {} } });
    const options = { plan: bound, tools: map, catalog, llm: noModel, runtime };
    const outcome = outcomeOf(await eventsOf(runPlan(options)));
    expect(outcome.error.code).toBe("AUTH.APPROVAL_REQUIRED");
  });
});

describe("a run without a store", () => {
  test("a plan in shadow mode calls the reads, and records the writes", async () => {
    const { calls, catalog, runtime, tools: map } = createPlannerProject(tools);
    const llm = countingModel();
    const options = { plan, tools: map, catalog, llm, runtime, mode: "shadow" } as const;
    const outcome = outcomeOf(await eventsOf(runPlan(options)));
    expect(outcome).toMatchObject({
      status: "shadow",
      steps: [{ step: "2", tool: "desk/book", request: { parameters: { city: "Rome" } } }],
    });
    expect(calls.map(({ tool }) => tool)).toEqual(["desk/find"]);
  });

  test("a plan ends when its caller aborts, and calls nothing more", async () => {
    const stop = new AbortController();
    const project = createPlannerProject({
      ...tools,
      "desk/find": { ...tools["desk/find"], serve: () => (stop.abort(), { city: "Rome" }) },
    });
    const { calls, catalog, runtime, tools: map } = project;
    const options = { plan, tools: map, catalog, llm: countingModel(), runtime };
    const outcome = outcomeOf(await eventsOf(runPlan({ ...options, signal: stop.signal })));
    expect(outcome.error.failure).toMatchObject({ code: "UNKNOWN.INTERNAL", reason: "aborted" });
    expect(calls).toHaveLength(1);
  });

  test("a plan ends when nobody reads its events any more", async () => {
    const { calls, catalog, runtime, tools: map } = createPlannerProject(tools);
    for await (const { event } of runPlan({
      plan,
      tools: map,
      catalog,
      llm: countingModel(),
      runtime,
    }))
      if (event === "step_begin") break;
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls.length).toBeLessThan(2);
  });

  test("a plan without bindings asks a model for each step", async () => {
    const { catalog, runtime, tools: map } = createPlannerProject(tools);
    const llm = modelOf(() => ({ city: "Bern", word: "x" }));
    const options = { plan, tools: map, catalog, llm, runtime, enableBinding: false };
    const events = await eventsOf(runPlan(options));
    expect(outcomeOf(events)).toMatchObject({ output: { booked: "Bern x" } });
    expect(llm.requests.map(({ name }) => name)).toEqual(["parameters"]);
    expect(namesOf(events)).toContain("fallback 2");
  });

  test("a plan of one step asks the model only when the step begins", async () => {
    const { catalog, runtime, tools: map } = createPlannerProject(tools);
    const llm = modelOf(() => ({ city: "Bern", word: "x" }));
    const one = { steps: [{ id: "1", tool: "book" }] };
    const events = await eventsOf(runPlan({ plan: one, tools: map, catalog, llm, runtime }));
    expect(outcomeOf(events)).toMatchObject({ output: { booked: "Bern x" } });
    expect(llm.requests.map(({ name }) => name)).toEqual(["parameters"]);
  });

  test("a goal lets a model make the plan", async () => {
    const { catalog, runtime, tools: map } = createPlannerProject(tools);
    const llm = modelOf(({ name }) => {
      if (name === "plan")
        return {
          steps: [
            { id: "1", tool: "desk/find", description: "find a city" },
            { id: "2", tool: "desk/book", description: "book it" },
          ],
        };
      return decisions({ values: [{ at: "2.word", json: '"late"' }] });
    });
    const events = await eventsOf(runPlan({ goal: "book", tools: map, catalog, llm, runtime }));
    expect(outcomeOf(events)).toMatchObject({ status: "success", output: { booked: "Rome late" } });
    const bad = modelOf(() => "no plan");
    const failed = await eventsOf(
      runPlan({ goal: "book", tools: map, catalog, llm: bad, runtime }),
    );
    expect(outcomeOf(failed)).toMatchObject({
      status: "no_plan",
      problem: "not-json",
      tokens: { input: 10, output: 2 },
    });
  });
});
