import { describe, expect, test } from "vitest";
import {
  type AskedParameters,
  type ParameterPlanner,
  PlannerError,
} from "../../../../src/runtime/planner.js";
import { missing } from "../../../../src/bindings/plan/run/runtime.js";
import { governed } from "./governed-project.js";
import { createMemoryRuns } from "./memory-runs.js";
import {
  type Any,
  calling,
  createProject,
  errorOf,
  facts,
  nothing,
  planOf,
  read,
  reads,
  writes,
} from "./plan-project.js";

/** A planner that answers by a function, and keeps what it was asked. */
function plannerOf(answer: (asked: AskedParameters) => Any): ParameterPlanner & {
  readonly asked: AskedParameters[];
} {
  const asked: AskedParameters[] = [];
  return {
    asked,
    async inferParameters(parameters) {
      asked.push(parameters);
      return { values: await answer(parameters), tokens: { input: 10, output: 2 } };
    },
  };
}

/** The parameters that a handler gets. */
const echo = { a: () => ({ name: "Ada", note: null }), w: (params: Any) => params };

const asking = planOf(
  [
    reads("1", "a"),
    writes("2", "w", {
      after: ["1"],
      infer: (from: Any) => ["text", ...missing("note", from.step_1.output.note ?? undefined)],
      params: (from: Any, _item: Any, inferred: Any) => ({
        name: from.step_1.output.name,
        note: from.step_1.output.note ?? inferred.note,
        text: inferred.text,
      }),
    }),
  ],
  {
    output: (from) => from.step_2.output,
    facts: { ...facts, capabilities: ["planner:ask desk/plan"] },
  },
);

describe("a step whose parameters a planner finds", () => {
  test("the planner is asked once per call, for the parameters without a value", async () => {
    const planner = plannerOf(() => ({ text: "hello", note: "short" }));
    const { runtime } = createProject(echo, { planner });
    const answer = await asking({ id: "7" }, { runtime });
    expect(answer).toEqual({
      status: "success",
      data: { name: "Ada", note: "short", text: "hello" },
    });
    expect(planner.asked).toHaveLength(1);
    expect(planner.asked[0]).toMatchObject({
      plan: "desk/plan",
      step: "2",
      tool: "desk/w",
      parameters: ["text", "note"],
      known: { name: "Ada" },
      state: {
        inputs: { id: "7" },
        steps: { 1: { tool: "desk/a", output: { name: "Ada", note: null } } },
      },
    });
  });

  test("a parameter that has a value is not asked for", async () => {
    const planner = plannerOf(() => ({ text: "hello" }));
    const { runtime } = createProject(
      { ...echo, a: () => ({ name: "Ada", note: "known" }) },
      { planner },
    );
    const { data } = await asking({}, { runtime });
    expect(data).toEqual({ name: "Ada", note: "known", text: "hello" });
    expect(planner.asked.map(({ parameters }) => parameters)).toEqual([["text"]]);
  });

  test("the call leaves out a parameter for which the planner found nothing", async () => {
    const { runtime } = createProject(echo, { planner: plannerOf(() => ({ text: "hello" })) });
    const { data } = await asking({}, { runtime });
    expect(Object.keys(data)).toEqual(["name", "text"]);
  });

  test("a parameter may be called like a property that every object has", async () => {
    const { runtime } = createProject(echo, {
      planner: plannerOf(() => ({ __proto__: { x: 1 } })),
    });
    const odd = planOf(
      [
        writes("1", "w", {
          infer: () => ["constructor", "toString"],
          params: (_from: Any, _item: Any, { constructor, toString }: Any) => ({
            constructor,
            toString,
          }),
        }),
      ],
      { output: (from) => Object.keys(from.step_1.output) },
    );
    expect(await odd({}, { runtime })).toMatchObject({ data: [] });
  });

  test("each call of a loop asks for itself, with its item", async () => {
    const planner = plannerOf(({ item }) => ({ text: `about ${JSON.stringify(item)}` }));
    const { runtime } = createProject(echo, { planner });
    const loop = planOf(
      [
        writes("1", "w", {
          list: () => [{ id: 1 }, { id: 2, text: "known" }],
          infer: (_from: Any, item: Any) => missing("text", item.text),
          params: (_from: Any, item: Any, inferred: Any) => ({
            id: item.id,
            text: item.text ?? inferred.text,
          }),
        }),
      ],
      { output: (from) => from.step_1.output },
    );
    const { data } = await loop({}, { runtime });
    expect(data).toEqual([
      { id: 1, text: 'about {"id":1}' },
      { id: 2, text: "known" },
    ]);
    expect(planner.asked.map(({ step }) => step)).toEqual(["1:0"]);
  });

  test("the tool's validator rejects a value that a planner made up", async () => {
    const { log, runtime } = createProject(
      { r: () => 1 },
      { planner: plannerOf(() => ({ x: 5 })) },
    );
    const strict = calling("1", "r", "read", read("r", { params: nothing }), {
      infer: () => ["x"],
      params: (_from: Any, _item: Any, inferred: Any) => ({ x: inferred.x }),
    });
    expect(await errorOf(planOf([strict])({}, { runtime }))).toMatchObject({
      code: "SCHEMA.VALIDATION_FAILED",
      step: "1",
      outcome: "not-done",
    });
    expect(log).toEqual([]);
  });
});

describe("a planner that is absent or fails", () => {
  test("the runtime refuses the plan before its first step if it has no planner", async () => {
    const { log, runtime } = createProject(echo);
    expect(await errorOf(asking({}, { runtime }))).toMatchObject({
      code: "PLAN.NOT_INFERRED",
      failure: { step: "2", reason: "no-planner" },
      outcome: "not-done",
    });
    expect(log).toEqual([]);
  });

  test("the runtime refuses a plan whose inner plan needs a planner", async () => {
    const { log, runtime } = createProject(echo);
    const outer = planOf(
      [reads("0", "a"), calling("1", "plan", "write", asking, { after: ["0"] })],
      { name: "outer", facts: { ...facts, capabilities: ["planner:ask desk/plan"] } },
    );
    const error = await errorOf(outer({}, { runtime }));
    expect(error).toMatchObject({ code: "PLAN.NOT_INFERRED", failure: { step: "1" } });
    expect(error.message).toContain("the plan `desk/plan` says `planner: true`");
    expect(log).toEqual([]);
  });

  test("a failure of the planner ends the plan with PLAN.NOT_INFERRED, and names the step", async () => {
    const planner = plannerOf(() => {
      throw new PlannerError("not-json", "the model answered no JSON");
    });
    const { log, runtime } = createProject(echo, { planner });
    expect(await errorOf(asking({}, { runtime }))).toMatchObject({
      code: "PLAN.NOT_INFERRED",
      step: "2",
      failure: { step: "2", parameters: ["text", "note"], problem: "not-json" },
      outcome: "not-done",
    });
    expect(log).toEqual(["+a", "-a"]);
  });

  test.each([
    ["continue", { status: "success", data: "none" }],
    ["skip", { status: "success", data: "none" }],
  ] as const)("`on.error: %s` covers a failure of the planner", async (on, expected) => {
    const planner = plannerOf(() => {
      throw new Error("away");
    });
    const { runtime } = createProject(echo, { planner });
    const plan = planOf(
      [reads("1", "a", { infer: () => ["x"], on: { error: on } }), reads("2", "a")],
      { output: (from) => from.step_1?.output ?? "none" },
    );
    expect(await plan({}, { runtime })).toEqual(expected);
  });
});

describe("a planner in a governed project", () => {
  test("a planner never sees a value that an obligation masked", async () => {
    const planner = plannerOf(() => ({ text: "hello", note: "n" }));
    const { runtime } = governed(
      { a: () => ({ name: "Ada", secret: "s3cret", note: null }), w: (params: Any) => params },
      {
        obligations: [
          { name: "hide", tools: ["desk/a"], action: { do: "mask", at: ["secret"] }, unless: [] },
        ],
      },
      { options: { planner }, tools: { plan: { capabilities: ["planner:ask desk/plan"] } } },
    );
    await asking({}, { runtime });
    expect(planner.asked[0]?.state.steps["1"]?.output).toEqual({
      name: "Ada",
      secret: null,
      note: null,
    });
    expect(JSON.stringify(planner.asked)).not.toContain("s3cret");
  });

  test("a deployment that does not allow `planner:ask` denies the plan before its first step", async () => {
    const planner = plannerOf(() => ({}));
    const { log, runtime } = governed(
      echo,
      { capabilities: ["handler:call desk/a", "handler:call desk/w"] },
      { options: { planner }, tools: { plan: { capabilities: ["planner:ask desk/plan"] } } },
    );
    expect(await errorOf(asking({}, { runtime }))).toMatchObject({
      code: "SANDBOX.CAPABILITY_BLOCKED",
      failure: { capability: "planner:ask desk/plan" },
    });
    expect(log).toEqual([]);
  });
});

describe("a kept run", () => {
  test("goes on after a crash with the values that the planner found before", async () => {
    const planner = plannerOf(() => ({ text: `text ${planner.asked.length}`, note: "n" }));
    const runs = createMemoryRuns();
    const { runtime } = createProject(echo, { planner, runs });
    // The planner has answered, and the call of the step is not begun.
    runs.crashAt(3);
    await errorOf(asking({}, { runtime, run: "r" }));
    expect(runs.eventsOf("r").at(-1)).toBe("inferred 2");
    runs.restart();
    const answer = await asking({}, { runtime, run: "r" });
    expect(answer).toMatchObject({ status: "success", data: { text: "text 1" } });
    expect(planner.asked).toHaveLength(1);
  });
});

test("a planner's values reach the tool only by the names that the plan asked for", async () => {
  const planner = plannerOf(() => ({ text: "hello", note: "n", name: "Mallory", admin: true }));
  const { runtime } = createProject(echo, { planner });
  const { data } = await asking({}, { runtime });
  expect(data).toEqual({ name: "Ada", note: "n", text: "hello" });
});
