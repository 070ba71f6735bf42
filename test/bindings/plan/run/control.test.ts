import { describe, expect, test } from "vitest";
import { given, needed } from "../../../../src/bindings/plan/run/contract.js";
import { toolError } from "../../../../src/runtime/testing/index.js";
import {
  type Any,
  createProject,
  errorOf,
  failed,
  gate,
  idle,
  nothing,
  planOf,
  reads,
  calling,
  writes,
} from "./plan-project.js";

const output = (from: Any) => ({
  one: from.step_1?.output ?? "none",
  two: from.step_2?.output ?? "none",
});

describe("when", () => {
  test("a step whose condition is false isn't made, and has no output", async () => {
    const { log, runtime } = createProject({ a: () => 1, b: () => 2 });
    const plan = planOf(
      [
        reads("1", "a", { when: (from) => from.params.one }),
        reads("2", "b", { after: ["1"], when: (from) => from.step_1 === undefined }),
      ],
      { output },
    );
    expect((await plan({ one: true }, { runtime })).data).toEqual({ one: 1, two: "none" });
    expect((await plan({ one: false }, { runtime })).data).toEqual({ one: "none", two: 2 });
    expect(log).toEqual(["+a", "-a", "+b", "-b"]);
  });
});

describe("a value that is absent", () => {
  const missing = (from: Any) => ({ x: needed(from.step_1.output.note, "step_1.output.note") });

  test("`error` ends the plan before the call, and names the step and the path", async () => {
    const { log, runtime } = createProject({ a: () => ({ note: null }), b: () => 2 });
    const plan = planOf([
      writes("1", "a"),
      reads("2", "b", { after: ["1"], params: missing, on: { error: "continue" } }),
    ]);
    const error = await errorOf(plan({}, { runtime }));
    expect(error.failure).toEqual({
      code: "PLAN.NO_VALUE",
      source: "step_1.output.note",
      step: "2",
    });
    expect(error).toMatchObject({ step: "2", outcome: "unknown" });
    expect(log).toEqual(["+a", "-a"]);
  });

  test("`error` in the output ends the plan without a step", async () => {
    const { runtime } = createProject({ a: () => ({}) });
    const error = await errorOf(planOf([reads("1", "a")], { output: missing })({}, { runtime }));
    expect(error.failure).toEqual({ code: "PLAN.NO_VALUE", source: "step_1.output.note" });
    expect(error.outcome).toBe("not-done");
  });

  test("`omit` leaves out a property that is absent or null, also one called __proto__", () => {
    expect([given("x", undefined), given("x", null), given("x", 0)]).toEqual([{}, {}, { x: 0 }]);
    expect(Object.keys(given("__proto__", { y: 1 }))).toEqual(["__proto__"]);
  });
});

describe("on", () => {
  const stopping = { a: () => failed("not_found"), b: () => 2 };

  test("`stop` ends the plan with the step's answer and id, and later steps don't begin", async () => {
    const { log, runtime } = createProject(stopping);
    const plan = planOf([reads("1", "a"), reads("2", "b", { after: ["1"] })], { output });
    expect(await plan({}, { runtime })).toEqual({
      status: "not_found",
      error: "it is not_found",
      step: "1",
    });
    expect(log).toEqual(["+a", "-a"]);
  });

  test("`continue` leaves the output absent, and the plan goes on", async () => {
    const { runtime } = createProject(stopping);
    const plan = planOf(
      [
        reads("1", "a", { on: { not_found: "continue" } }),
        reads("2", "b", { after: ["1"], params: (from) => ({ x: from.step_1?.output ?? 0 }) }),
      ],
      { output },
    );
    expect((await plan({}, { runtime })).data).toEqual({ one: "none", two: 2 });
  });

  test("`skip` skips the steps that need the output, and those that need theirs", async () => {
    const { log, runtime } = createProject({ ...stopping, c: () => 3, d: () => 4 });
    const plan = planOf(
      [
        reads("1", "a", { on: { not_found: "skip" } }),
        reads("2", "b", { after: ["1"], needs: ["1"] }),
        reads("3", "c", { after: ["2"], needs: ["2"] }),
        reads("4", "d", { after: ["1"] }),
      ],
      { output: (from) => from.step_4.output },
    );
    expect((await plan({}, { runtime })).data).toBe(4);
    expect(log).toEqual(["+a", "-a", "+d", "-d"]);
  });

  test("a plan whose output needs a skipped step ends as that step did", async () => {
    const { runtime } = createProject(stopping);
    const plan = planOf(
      [
        reads("1", "a", { on: { not_found: "skip" } }),
        reads("2", "b", { after: ["1"], needs: ["1"] }),
      ],
      { output: (from) => from.step_2.output, outputNeeds: ["2"] },
    );
    expect(await plan({}, { runtime })).toMatchObject({ status: "not_found", step: "1" });
  });

  test("other statuses with data go on", async () => {
    const { runtime } = createProject({
      a: () => failedWithData("created"),
      b: ({ x }) => x,
    });
    const plan = planOf(
      [reads("1", "a"), reads("2", "b", { after: ["1"], params: (f) => ({ x: f.step_1.output }) })],
      { output },
    );
    expect((await plan({}, { runtime })).data).toEqual({ one: 7, two: 7 });
  });

  test("a status called like a property of every object is an ordinary status", async () => {
    for (const status of ["constructor", "toString", "__proto__"]) {
      const { runtime } = createProject({ a: () => failed(status) });
      const plan = planOf([reads("1", "a")], { output });
      expect(await plan({}, { runtime })).toMatchObject({ status, step: "1" });
    }
  });
});

function failedWithData(status: string): Any {
  const base = failed(status);
  return Object.assign(Object.create(Object.getPrototypeOf(base)), {
    result: { status, data: 7 },
  });
}

describe("a failure", () => {
  const broken = {
    a: () => {
      throw new Error("broken");
    },
    b: () => 2,
  };

  test("a failure is thrown on as the error of the step's tool, with the step", async () => {
    const { log, runtime } = createProject(broken);
    const plan = planOf([reads("1", "a"), reads("2", "b", { after: ["1"] })]);
    const error = await errorOf(plan({}, { runtime }));
    expect(error).toMatchObject({
      tool: "desk/a",
      step: "1",
      code: "UNKNOWN.INTERNAL",
      failure: { reason: "handler-failed" },
      outcome: "not-done",
      cause: { message: "broken" },
    });
    expect(log).toEqual(["+a", "-a"]);
  });

  test("`on.error` goes on without the output, or skips", async () => {
    const { runtime } = createProject(broken);
    const plan = (error: "continue" | "skip") =>
      planOf(
        [
          reads("1", "a", { on: { error } }),
          reads("2", "b", { after: ["1"], needs: error === "skip" ? ["1"] : [] }),
        ],
        { output },
      );
    expect((await plan("continue")({}, { runtime })).data).toEqual({ one: "none", two: 2 });
    expect((await plan("skip")({}, { runtime })).data).toEqual({ one: "none", two: "none" });
  });

  test("an output that needs a step skipped by a failure throws that failure", async () => {
    const { runtime } = createProject(broken);
    const plan = planOf([reads("1", "a", { on: { error: "skip" } })], {
      output: (from) => from.step_1.output,
      outputNeeds: ["1"],
    });
    expect(await errorOf(plan({}, { runtime }))).toMatchObject({ step: "1", tool: "desk/a" });
  });

  test("a status `error` without data follows `on.error` too", async () => {
    const { runtime } = createProject({ a: () => failed("error") });
    const plan = planOf([reads("1", "a", { on: { error: "continue" } })], { output });
    expect((await plan({}, { runtime })).data).toEqual({ one: "none", two: "none" });
  });

  test("running steps finish, none begins, and the first step in order decides", async () => {
    const slow = gate();
    const { log, runtime } = createProject({
      slow: async () => {
        await slow.opened;
        return failed("gone");
      },
      b: () => failed("not_found"),
      c: () => 3,
    });
    const plan = planOf([
      reads("1", "slow"),
      reads("2", "b"),
      reads("3", "c", { after: ["2"] }),
      reads("4", "c", { after: ["1"] }),
    ]);
    const call = plan({}, { runtime });
    await idle();
    slow.open();
    expect(await call).toMatchObject({ status: "gone", step: "1" });
    expect(log).toEqual(["+slow", "+b", "-b", "-slow"]);
  });

  test("a function of the contract that throws is reported as a bug, with its step", async () => {
    const { runtime } = createProject({ a: () => 1 });
    const plan = planOf([reads("1", "a", { params: (from) => from.step_9.output })]);
    expect(await errorOf(plan({}, { runtime }))).toMatchObject({
      tool: "desk/plan",
      step: "1",
      failure: { code: "UNKNOWN.INTERNAL", reason: "bug" },
    });
  });

  test("outcome is unknown if the plan has written, and not-done if no write was sent", async () => {
    const { runtime } = createProject({ ...broken, w: () => 1 });
    const late = planOf([writes("1", "w"), reads("2", "a", { after: ["1"] })]);
    expect((await errorOf(late({}, { runtime }))).outcome).toBe("unknown");
    const early = planOf([reads("1", "a"), writes("2", "w", { after: ["1"] })]);
    expect((await errorOf(early({}, { runtime }))).outcome).toBe("not-done");
    const itself = planOf([writes("1", "a")]);
    expect((await errorOf(itself({}, { runtime }))).outcome).toBe("unknown");
  });

  test("a step whose parameters don't fit fails before it is sent", async () => {
    const { log, runtime } = createProject({ a: () => 1 });
    const tool = planOf([], { name: "inner", tool: { params: nothing } });
    const error = await errorOf(planOf([calling("1", "inner", "read", tool)])({}, { runtime }));
    expect(error).toMatchObject({
      code: "SCHEMA.VALIDATION_FAILED",
      tool: "desk/inner",
      step: "1",
    });
    expect(log).toEqual([]);
  });
});

describe("an abort", () => {
  test("ends running steps, and no further step begins", async () => {
    const begun = gate();
    let aborted = 0;
    const { log, runtime } = createProject({
      a: (_, { signal }) => {
        begun.open();
        return new Promise((_, reject) =>
          signal.addEventListener("abort", () => {
            aborted += 1;
            reject(new Error("aborted"));
          }),
        );
      },
      w: () => 1,
    });
    const plan = planOf(
      [reads("1", "a", { on: { error: "continue" } }), writes("2", "w", { after: ["1"] })],
      { output },
    );
    const controller = new AbortController();
    const call = errorOf(plan({}, { runtime, signal: controller.signal }));
    await begun.opened;
    controller.abort();
    expect(await call).toMatchObject({
      tool: "desk/plan",
      failure: { reason: "aborted" },
      outcome: "not-done",
    });
    await idle();
    expect(aborted).toBe(1);
    expect(log).toEqual(["+a", "-a"]);
  });

  test("outcome is unknown while a write is being made", async () => {
    const begun = gate();
    const { runtime } = createProject({
      w: () => {
        begun.open();
        return new Promise(() => {});
      },
    });
    const controller = new AbortController();
    const call = errorOf(planOf([writes("1", "w")])({}, { runtime, signal: controller.signal }));
    await begun.opened;
    controller.abort();
    expect((await call).outcome).toBe("unknown");
  });

  test("a plan's time limit ends it", async () => {
    const { runtime } = createProject({ a: () => new Promise(() => {}) });
    const plan = planOf([reads("1", "a")], { tool: { timeoutMs: 5 } });
    expect(await errorOf(plan({}, { runtime }))).toMatchObject({
      tool: "desk/plan",
      code: "PROVIDER.TIMEOUT",
    });
  });
});

describe("a plan in a plan", () => {
  const inner = planOf(
    [reads("x", "a", { list: (from) => from.params.items, params: (_, item) => ({ item }) })],
    { name: "inner", output: (from) => from.step_x.output },
  );
  const outer = planOf([calling("1", "inner", "read", inner, { params: (from) => from.params })], {
    output: (from) => from.step_1.output,
  });

  test("its answer is the step's output, and its steps are STEP.STEP in the ledger", async () => {
    const { ledger, runtime } = createProject({ a: ({ item }) => item });
    expect((await outer({ items: [1, 2] }, { runtime })).data).toEqual([1, 2]);
    const ends = ledger.records.filter(({ type }) => type === "end");
    expect(ends.map((each) => "step" in each && each.step)).toEqual(["1.x:0", "1.x:1", "1", false]);
  });

  test("its stop and its failure name the step inside it", async () => {
    const { runtime } = createProject({
      a: ({ item }) => {
        if (item === 2) throw new Error("no");
        return failed("not_found");
      },
    });
    expect(await outer({ items: [1] }, { runtime })).toEqual({
      status: "not_found",
      error: "it is not_found",
      step: "1.x",
    });
    expect(await errorOf(outer({ items: [2] }, { runtime }))).toMatchObject({ step: "1.x:0" });
  });
});

describe("the runtime of tests", () => {
  test("a fake's error is the step's error", () => {
    expect(toolError("PLAN.NO_RUN").outcome).toBe("not-done");
  });
});
