import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  createMemoryStore,
  type GovernanceOptions,
} from "../../../../src/runtime/governance/index.js";
import { createFolderStore } from "../../../../src/runtime/governance/store/folder/folder-store.js";
import { folderRuns, settleStep } from "../../../../src/runtime/runs/index.js";
import { resumeRun, waitForRun } from "../../../../src/runtime/runs/resume.js";
import type { RuntimeOptions } from "../../../../src/runtime/runtime.js";
import { temporaryDirectory } from "../../../runtime/ledger/fixtures.js";
import { governed } from "./governed-project.js";
import { createMemoryRuns } from "./memory-runs.js";
import {
  type Any,
  createProject,
  errorOf,
  failed,
  gate,
  idle,
  planOf,
  read,
  reads,
  calling,
  type Tool,
  write,
  writes,
} from "./plan-project.js";

const caller = { subject: "ada", tenant: "acme" };
const ids = ["x", "y"];
const each = { list: () => ids, params: (_: Any, id: Any) => ({ id }) };

/** Reads, writes, loops of both, and a plan in a plan. */
function wholePlan(isRepeatable = false): Tool {
  const inner = planOf(
    [
      reads("r", "a"),
      writes("w", "w", { after: ["r"], isRepeatable, params: () => ({ id: "in" }) }),
    ],
    { name: "inner", output: (from) => from.step_w.output },
  );
  return planOf(
    [
      reads("1", "a", each),
      writes("2", "w", {
        ...each,
        after: ["1"],
        isRepeatable,
        list: (from) => from.step_1.output,
      }),
      calling("3", "inner", "write", inner, { after: ["2"] }),
      reads("4", "b", { after: ["3"], on: { error: "continue" } }),
      writes("5", "w", {
        after: ["4"],
        isRepeatable,
        params: (from) => ({ id: from.step_4?.output ?? "last" }),
      }),
    ],
    { output: (from) => [from.step_2.output, from.step_3.output, from.step_5.output] },
  );
}

/** Handlers that count what they did, by the id that they got. */
function counting() {
  const made: string[] = [];
  const handlers = {
    a: ({ id = "?" }) => id,
    b: () => {
      throw new Error("broken");
    },
    w: ({ id }: Any) => {
      made.push(id);
      return `made ${id}`;
    },
  };
  return { handlers, made };
}

const wholeAnswer = {
  status: "success",
  data: [["made x", "made y"], "made in", "made last"],
};

describe("a plan with a run", () => {
  test("a run stores each call before it is sent and after it is answered, and its answer at the end", async () => {
    const store = createMemoryRuns();
    const { handlers } = counting();
    const { runtime } = createProject(handlers, { runs: store });
    expect(await wholePlan()({}, { runtime, run: "r-1", caller })).toEqual(wholeAnswer);
    expect(store.eventsOf("r-1")).toEqual([
      "begun 1:0",
      "begun 1:1",
      "answered 1:0",
      "answered 1:1",
      "begun 2:0",
      "answered 2:0",
      "begun 2:1",
      "answered 2:1",
      "begun 3.r",
      "answered 3.r",
      "begun 3.w",
      "answered 3.w",
      "answered 3",
      "begun 4",
      "not-done 4",
      "passed 4",
      "begun 5",
      "answered 5",
      "ended",
    ]);
  });

  test("a run gives its kept answer again once it has ended, and calls nothing", async () => {
    const store = createMemoryRuns();
    const { handlers } = counting();
    const { log, runtime } = createProject(handlers, { runs: store });
    const plan = wholePlan();
    const options = { runtime, run: "r-1", caller };
    await plan({}, options);
    const calls = log.length;
    expect(await plan({}, options)).toEqual(wholeAnswer);
    expect(await resumeRun({ desk__plan: async () => plan }, "r-1", options)).toEqual(wholeAnswer);
    expect(log).toHaveLength(calls);
    expect(store.eventsOf("r-1").filter((event) => event === "ended")).toHaveLength(1);
  });

  test("a run keeps an answer without data too", async () => {
    const store = createMemoryRuns();
    const { log, runtime } = createProject({ a: () => failed("not_found") }, { runs: store });
    const plan = planOf([reads("1", "a")]);
    const first = await plan({}, { runtime, run: "r-1" });
    expect(first).toMatchObject({ status: "not_found", step: "1" });
    expect(await plan({}, { runtime, run: "r-1" })).toEqual(first);
    expect(log).toEqual(["+a", "-a"]);
  });

  test("a run keeps its trace for all calls of the run", async () => {
    const store = createMemoryRuns();
    let isBroken = true;
    const { ledger, runtime } = createProject(
      {
        a: () => 1,
        b: () => {
          if (isBroken) throw new Error("broken");
        },
      },
      { runs: store },
    );
    const plan = planOf([reads("1", "a"), reads("2", "b", { after: ["1"] })]);
    await errorOf(plan({}, { runtime, run: "r-1", trace: "t-1" }));
    isBroken = false;
    await plan({}, { runtime, run: "r-1", trace: "t-2" });
    const traces = ledger.records.flatMap((each) => ("step" in each ? [each.trace] : []));
    expect(traces).toEqual(["t-1", "t-1", "t-1"]);
  });

  test("a run is not stored in shadow mode", async () => {
    const store = createMemoryRuns();
    const { runtime } = createProject(counting().handlers, { runs: store });
    const result = await wholePlan()({}, { runtime, run: "r-1", mode: "shadow" });
    expect(result).toMatchObject({ status: "shadow" });
    expect(await store.read({ id: "r-1" })).toBeUndefined();
  });

  test("`run` needs a store, a plan, and an id of 1 to 200 characters", async () => {
    const { handlers } = counting();
    const without = createProject(handlers).runtime;
    const { runtime } = createProject(handlers, { runs: createMemoryRuns() });
    const plan = planOf([reads("1", "a")]);
    expect(await errorOf(plan({}, { runtime: without, run: "r" }))).toMatchObject({
      name: "TypeError",
      message: expect.stringContaining("createRuntime({ runs })"),
    });
    expect((await errorOf(read("a")({}, { runtime, run: "r" }))).name).toBe("TypeError");
    for (const run of ["", "x".repeat(201), 5 as Any])
      expect((await errorOf(plan({}, { runtime, run }))).name).toBe("TypeError");
    expect(await plan({}, { runtime, run: "x".repeat(200) })).toMatchObject({ status: "success" });
  });

  test("a plan takes no run if a handler takes its place", async () => {
    const { runtime } = createProject({ plan: () => 1 }, { runs: createMemoryRuns() });
    expect((await errorOf(planOf([])({}, { runtime, run: "r" }))).name).toBe("TypeError");
  });
});

describe("a crash", () => {
  /** Events of the whole plan. */
  const events = Array.from({ length: 19 }, (_, at) => at);
  /** Those that store the answer of a write. */
  const answersOfWrites = [5, 7, 11, 17];

  /** Crashes at an event, and returns what the next call with this run gives. */
  const crashed = async (at: number) => {
    const store = createMemoryRuns();
    const { handlers, made } = counting();
    const { runtime } = createProject(handlers, { runs: store });
    const plan = wholePlan();
    const goOn = () => plan({}, { runtime, run: "r-1", caller });
    store.crashAt(at);
    expect(await errorOf(goOn())).toMatchObject({
      code: "PLAN.RUN_UNAVAILABLE",
      failure: { run: "r-1", reason: "store" },
    });
    store.restart();
    return { goOn, made, store };
  };

  test.each(events.filter((at) => !answersOfWrites.includes(at)))(
    "a crash at event %i is survived: no write is made twice, and none is lost",
    async (at) => {
      const { goOn, made } = await crashed(at);
      expect(await goOn()).toEqual(wholeAnswer);
      expect(made).toEqual(["x", "y", "in", "last"]);
    },
  );

  test.each(answersOfWrites)(
    "a crash at event %i, after a write was made, stops the run until a person settles the write",
    async (at) => {
      const { goOn, made, store } = await crashed(at);
      const error = await errorOf(goOn());
      const { call, step } = error.failure;
      expect(error).toMatchObject({
        failure: { code: "PLAN.OUTCOME_UNKNOWN", run: "r-1" },
        step,
        outcome: "unknown",
      });
      expect(error.message).toContain(`skillc ledger settle ${call}`);
      expect(await errorOf(goOn())).toMatchObject({ failure: error.failure });
      const answer = `made ${made.at(-1)}`;
      const run = { id: "r-1", tenant: caller.tenant };
      await settleStep(store, run, { call, as: "done", answer, because: "seen" });
      expect(await goOn()).toEqual(wholeAnswer);
      expect(made).toEqual(["x", "y", "in", "last"]);
    },
  );

  test.each(events)(
    "a crash at event %i is survived by writes that may be repeated: each has one key in all attempts",
    async (at) => {
      const store = createMemoryRuns();
      const keys = new Map<string, Set<string>>();
      const { handlers } = counting();
      const { runtime } = createProject({ a: handlers.a, b: handlers.b }, { runs: store });
      const plan = wholePlanWith(keyed(keys));
      const options = { runtime, run: "r-1", caller };
      store.crashAt(at);
      await errorOf(plan({}, options));
      store.restart();
      expect(await plan({}, options)).toEqual(wholeAnswer);
      expect([...keys.keys()].toSorted()).toEqual(["in", "last", "x", "y"]);
      for (const used of keys.values()) expect(used.size).toBe(1);
      expect(new Set([...keys.values()].flatMap((used) => [...used])).size).toBe(4);
    },
  );

  test("a write that a crash kept from being sent is made when the run goes on", async () => {
    const store = createMemoryRuns();
    const { log, runtime } = createProject({ w: () => 1 }, { runs: store });
    const plan = planOf([writes("1", "w")]);
    store.crashAt(0);
    expect(await errorOf(plan({}, { runtime, run: "r" }))).toMatchObject({ outcome: "not-done" });
    expect(log).toEqual([]);
    store.restart();
    expect(await plan({}, { runtime, run: "r" })).toMatchObject({ status: "success" });
  });

  test("a write that certainly was not made is made again", async () => {
    const store = createMemoryRuns();
    let isFull = true;
    const tool = write("w", {
      binding: {
        kind: "example",
        prepare: () => ({
          credentials: [],
          reach: () => [],
          describe: () => null,
          async send({ tool }) {
            const { ToolError } = await import("../../../../src/runtime/errors.js");
            const failure = { code: "PROVIDER.UNAVAILABLE", reason: "ECONNREFUSED" } as const;
            if (isFull) throw new ToolError(tool, failure, "refused", { outcome: "not-done" });
            return { result: { status: "success", data: 1 } };
          },
        }),
      },
    });
    const { runtime } = createProject({}, { runs: store });
    const plan = planOf([calling("1", "w", "write", tool)], {
      output: (from) => from.step_1.output,
    });
    expect(await errorOf(plan({}, { runtime, run: "r" }))).toMatchObject({ outcome: "not-done" });
    isFull = false;
    expect(await plan({}, { runtime, run: "r" })).toEqual({ status: "success", data: 1 });
  });

  test("a settled `not-done` lets a write be made", async () => {
    const store = createMemoryRuns();
    const { log, runtime } = createProject({ w: () => 1 }, { runs: store });
    const plan = planOf([writes("1", "w")]);
    store.crashAt(1);
    expect(await errorOf(plan({}, { runtime, run: "r" }))).toMatchObject({ outcome: "unknown" });
    store.restart();
    const { failure } = await errorOf(plan({}, { runtime, run: "r" }));
    const { call } = failure;
    await settleStep(store, { id: "r" }, { call, as: "not-done", because: "seen" });
    expect(await plan({}, { runtime, run: "r" })).toMatchObject({ status: "success" });
    expect(log).toEqual(["+w", "-w", "+w", "-w"]);
  });
});

/** A write whose provider takes keys. It notes them. */
function keyed(keys: Map<string, Set<string>>): Tool {
  return write("w", {
    binding: {
      kind: "example",
      prepare: ({ id }: Any, { onceKey }) => ({
        credentials: [],
        reach: () => [],
        describe: () => null,
        isRepeatable: true,
        async send() {
          const used = keys.get(id) ?? new Set();
          keys.set(id, used.add(String(onceKey)));
          return { result: { status: "success", data: `made ${id}` } };
        },
      }),
    },
  });
}

/** The whole plan, with another tool for its writes. */
function wholePlanWith(tool: Tool): Tool {
  const common = { isRepeatable: true };
  const inner = planOf(
    [
      reads("r", "a"),
      calling("w", "w", "write", tool, { ...common, after: ["r"], params: () => ({ id: "in" }) }),
    ],
    { name: "inner", output: (from) => from.step_w.output },
  );
  return planOf(
    [
      reads("1", "a", each),
      calling("2", "w", "write", tool, {
        ...common,
        ...each,
        after: ["1"],
        list: (from) => from.step_1.output,
      }),
      calling("3", "inner", "write", inner, { after: ["2"] }),
      reads("4", "b", { after: ["3"], on: { error: "continue" } }),
      calling("5", "w", "write", tool, { ...common, after: ["4"], params: () => ({ id: "last" }) }),
    ],
    { output: (from) => [from.step_2.output, from.step_3.output, from.step_5.output] },
  );
}

describe("a run that goes on", () => {
  const broken = () => {
    const store = createMemoryRuns();
    const state = { isBroken: true };
    const handlers = {
      a: () => ({ secret: "s" }),
      b: () => {
        if (state.isBroken) throw new Error("broken");
        return 2;
      },
    };
    const plan = planOf([reads("1", "a"), reads("2", "b", { after: ["1"] })], {
      output: (from) => from.step_2.output,
    });
    return { handlers, plan, state, store, tools: { desk__plan: async () => plan } };
  };

  test("a run reuses the answers of answered steps, and repeats a read that was begun", async () => {
    const { handlers, plan, state, store, tools } = broken();
    const { log, runtime } = createProject(handlers, { runs: store });
    await errorOf(plan({}, { runtime, run: "r-1", caller }));
    state.isBroken = false;
    expect(await resumeRun(tools, "r-1", { runtime, caller })).toEqual({
      status: "success",
      data: 2,
    });
    expect(log).toEqual(["+a", "-a", "+b", "-b", "+b", "-b"]);
  });

  test("a run doesn't exist for another subject, nor for another tenant", async () => {
    const { handlers, plan, state, store, tools } = broken();
    const { log, runtime } = createProject(handlers, { runs: store });
    await errorOf(plan({}, { runtime, run: "r-1", caller }));
    state.isBroken = false;
    const calls = log.length;
    const eve = { ...caller, subject: "eve" };
    const nowhere = { code: "PLAN.NO_RUN", failure: { run: "r-1" }, outcome: "not-done" };
    expect(await errorOf(plan({}, { runtime, run: "r-1", caller: eve }))).toMatchObject(nowhere);
    expect(await errorOf(resumeRun(tools, "r-1", { runtime, caller: eve }))).toMatchObject(nowhere);
    expect(await errorOf(waitForRun(tools, "r-1", { runtime, caller: eve }))).toMatchObject(
      nowhere,
    );
    const other = { ...caller, tenant: "other" };
    expect(await errorOf(resumeRun(tools, "r-1", { runtime, caller: other }))).toMatchObject(
      nowhere,
    );
    expect(await errorOf(resumeRun(tools, "r-2", { runtime, caller }))).toMatchObject({
      code: "PLAN.NO_RUN",
    });
    expect(log).toHaveLength(calls);
    // The other tenant's run of this id is another run.
    expect(await plan({}, { runtime, run: "r-1", caller: other })).toMatchObject({ data: 2 });
    expect(log).toHaveLength(calls + 4);
  });

  test("a run is refused with other parameters, or by another plan", async () => {
    const { handlers, plan, store } = broken();
    const { runtime } = createProject(handlers, { runs: store });
    await errorOf(plan({ n: 1, gone: undefined }, { runtime, run: "r-1" }));
    const taken = { code: "PLAN.RUN_TAKEN", failure: { run: "r-1" }, outcome: "not-done" };
    expect(await errorOf(plan({ n: 2 }, { runtime, run: "r-1" }))).toMatchObject(taken);
    const other = planOf([reads("1", "a")], { name: "inner" });
    expect(await errorOf(other({ n: 1 }, { runtime, run: "r-1" }))).toMatchObject(taken);
    // Properties without a value are no difference.
    expect(await errorOf(plan({ n: 1 }, { runtime, run: "r-1" }))).toMatchObject({ step: "2" });
  });

  test("a run is refused after a tool of a step has changed, unless somebody accepts it", async () => {
    const { handlers, plan, state, store } = broken();
    const { log, runtime } = createProject(handlers, { runs: store });
    await errorOf(plan({}, { runtime, run: "r-1" }));
    state.isBroken = false;
    const changed = planOf([
      reads("1", "a"),
      reads("2", "b", { after: ["1"], manifest: "m-b2" }),
      reads("3", "b", { after: ["2"] }),
    ]);
    const tools = { desk__plan: async () => changed };
    const calls = log.length;
    expect(await errorOf(resumeRun(tools, "r-1", { runtime }))).toMatchObject({
      failure: { code: "PLAN.CHANGED", run: "r-1", steps: ["2", "3"] },
      outcome: "not-done",
    });
    expect(log).toHaveLength(calls);
    const forced = "ada: a minor change";
    expect(await resumeRun(tools, "r-1", { runtime, forced })).toMatchObject({
      status: "success",
    });
    const kept = await store.read({ id: "r-1" });
    expect(kept?.events).toContainEqual({
      type: "resumed",
      manifests: { "1": "m-a", "2": "m-b2", "3": "m-b" },
      forced,
    });
  });

  test("a run is refused after its plan was removed, or the run was cancelled", async () => {
    const { handlers, plan, store, tools } = broken();
    const { runtime } = createProject(handlers, { runs: store });
    await errorOf(plan({}, { runtime, run: "r-1" }));
    expect(await errorOf(resumeRun({}, "r-1", { runtime }))).toMatchObject({
      failure: { code: "POLICY.DENY_TOOL", missing: [{ kind: "tools", name: "desk/plan" }] },
    });
    store.add("r-1", { type: "ended", status: "cancelled" });
    expect(await errorOf(resumeRun(tools, "r-1", { runtime }))).toMatchObject({
      failure: { code: "PLAN.RUN_ENDED", run: "r-1", status: "cancelled" },
    });
  });

  test("a run is refused while another call runs it", async () => {
    const store = createMemoryRuns();
    const slow = gate();
    const { log, runtime } = createProject({ w: () => slow.opened.then(() => 1) }, { runs: store });
    const plan = planOf([writes("1", "w")], { output: (from) => from.step_1.output });
    const first = plan({}, { runtime, run: "r" });
    await idle();
    expect(await errorOf(plan({}, { runtime, run: "r" }))).toMatchObject({
      failure: { code: "PLAN.RUN_UNAVAILABLE", run: "r", reason: "held" },
      outcome: "not-done",
    });
    slow.open();
    expect(await first).toEqual({ status: "success", data: 1 });
    expect(log).toEqual(["+w", "-w"]);
  });

  test("only one of two calls that resume a run at once goes on", async () => {
    const { handlers, plan, state, store, tools } = broken();
    const { log, runtime } = createProject(handlers, { runs: store });
    await errorOf(plan({}, { runtime, run: "r-1" }));
    state.isBroken = false;
    const calls = log.length;
    const both = await Promise.allSettled([
      resumeRun(tools, "r-1", { runtime }),
      resumeRun(tools, "r-1", { runtime }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(log).toHaveLength(calls + 2);
  });

  test("a process that loses its run sends nothing more", async () => {
    const store = createMemoryRuns();
    const slow = gate();
    const { log, runtime } = createProject({ a: () => slow.opened, w: () => 1 }, { runs: store });
    const plan = planOf([
      reads("1", "a", { on: { error: "continue" } }),
      writes("2", "w", { after: ["1"] }),
    ]);
    const call = errorOf(plan({}, { runtime, run: "r" }));
    await idle();
    store.take("r");
    slow.open();
    expect(await call).toMatchObject({
      failure: { code: "PLAN.RUN_UNAVAILABLE", run: "r", reason: "lost" },
      outcome: "not-done",
    });
    await idle();
    expect(log).toEqual(["+a", "-a"]);
    // The other process goes on.
    expect(await plan({}, { runtime, run: "r" })).toMatchObject({ status: "success" });
  });

  test("an abort leaves the run unfinished, and it goes on later", async () => {
    const store = createMemoryRuns();
    const begun = gate();
    let isSlow = true;
    const { runtime } = createProject(
      {
        a: () => {
          begun.open();
          return isSlow ? new Promise(() => {}) : 1;
        },
      },
      { runs: store },
    );
    const plan = planOf([reads("1", "a")], { output: (from) => from.step_1.output });
    const controller = new AbortController();
    const call = errorOf(plan({}, { runtime, run: "r", signal: controller.signal }));
    await begun.opened;
    controller.abort();
    expect(await call).toMatchObject({ failure: { reason: "aborted" } });
    await idle();
    expect(store.eventsOf("r")).not.toContain("ended");
    isSlow = false;
    expect(await plan({}, { runtime, run: "r" })).toEqual({ status: "success", data: 1 });
  });

  test("a write with an unknown outcome that `on.error` passed is not made again", async () => {
    const store = createMemoryRuns();
    const state = { isBroken: true };
    const { log, runtime } = createProject(
      {
        w: () => {
          throw new Error("broken");
        },
        b: () => {
          if (state.isBroken) throw new Error("broken");
          return 2;
        },
      },
      { runs: store },
    );
    const plan = planOf([
      writes("1", "w", { on: { error: "continue" } }),
      reads("2", "b", { after: ["1"] }),
    ]);
    await errorOf(plan({}, { runtime, run: "r" }));
    state.isBroken = false;
    expect(await plan({}, { runtime, run: "r" })).toMatchObject({ status: "success" });
    expect(log.filter((each) => each === "+w")).toHaveLength(1);
  });

  test("a failure that `skip` passed still decides the answer", async () => {
    const store = createMemoryRuns();
    const { runtime } = createProject(
      {
        w: () => {
          throw new Error("broken");
        },
      },
      { runs: store },
    );
    const plan = planOf([writes("1", "w", { on: { error: "skip" } })], {
      output: (from) => from.step_1.output,
      outputNeeds: ["1"],
    });
    const first = await errorOf(plan({}, { runtime, run: "r" }));
    const second = await errorOf(plan({}, { runtime, run: "r" }));
    const { code, failure, message, outcome, step, tool } = first;
    expect(second).toMatchObject({ code, failure, message, outcome, step, tool });
  });

  test("a run remembers which values obligations changed", async () => {
    const { handlers, state, store } = broken();
    const options: RuntimeOptions = { runs: store };
    const { runtime } = governed(
      handlers,
      {
        obligations: [
          { name: "m", tools: ["desk/a"], action: { do: "mask", at: ["secret"] }, unless: [] },
        ],
      },
      { options },
    );
    const plan = planOf([
      reads("1", "a"),
      reads("2", "b", { after: ["1"] }),
      reads("3", "b", { after: ["2"], reads: [["1", "secret"]] }),
    ]);
    await errorOf(plan({}, { runtime, run: "r" }));
    state.isBroken = false;
    expect(await errorOf(plan({}, { runtime, run: "r" }))).toMatchObject({
      code: "PLAN.MASKED_VALUE",
      step: "3",
    });
  });

  test("a run is decided anew: a caller who lost a scope is denied", async () => {
    const { handlers, plan, state, store, tools } = broken();
    const { log, runtime } = governed(
      handlers,
      {},
      { options: { runs: store }, tools: { b: { scopes: ["use:b"] } } },
    );
    const able = { ...caller, scopes: ["use:b"] };
    await errorOf(plan({}, { runtime, run: "r", caller: able }));
    state.isBroken = false;
    const calls = log.length;
    expect(await errorOf(resumeRun(tools, "r", { runtime, caller }))).toMatchObject({
      code: "AUTH.FORBIDDEN",
      step: "2",
    });
    expect(log).toHaveLength(calls);
    expect(await resumeRun(tools, "r", { runtime, caller: able })).toMatchObject({ data: 2 });
  });

  test("a run is refused after a tool was paused, and goes on once it is enabled", async () => {
    const { handlers, plan, state, store, tools } = broken();
    const { runtime } = governed(handlers, {}, { options: { runs: store } });
    await errorOf(plan({}, { runtime, run: "r" }));
    state.isBroken = false;
    await runtime.governance?.setToolState("desk/b", "paused", { by: "ops" });
    expect(await errorOf(resumeRun(tools, "r", { runtime }))).toMatchObject({
      code: "POLICY.DENY_TOOL",
      step: "2",
    });
    await runtime.governance?.setToolState("desk/b", "enabled", { by: "ops" });
    expect(await resumeRun(tools, "r", { runtime })).toMatchObject({ status: "success" });
  });

  test("a run is refused after the policy has lost a step's tool", async () => {
    const { handlers, plan, state, store, tools } = broken();
    const before = governed(handlers, {}, { options: { runs: store } });
    await errorOf(plan({}, { runtime: before.runtime, run: "r" }));
    state.isBroken = false;
    const after = governed({ a: handlers.a }, {}, { options: { runs: store } });
    expect(await errorOf(resumeRun(tools, "r", { runtime: after.runtime }))).toMatchObject({
      failure: { code: "POLICY.DENY_TOOL", missing: [{ kind: "tools", name: "desk/b" }] },
      step: "2",
      outcome: "not-done",
    });
    expect(after.log).toEqual([]);
    // Nobody holds the run.
    expect(await resumeRun(tools, "r", { runtime: before.runtime })).toMatchObject({ data: 2 });
  });

  test("a keyed write is made once, also if its answer was not stored", async () => {
    const store = createMemoryRuns();
    const { log, runtime } = governed(
      { w: () => 1 },
      {},
      { options: { runs: store }, tools: { w: { idempotency: "keyed" } } },
    );
    const plan = planOf([writes("1", "w", { isRepeatable: "keyed" })], {
      output: (from) => from.step_1.output,
    });
    store.crashAt(1);
    await errorOf(plan({}, { runtime, run: "r", caller }));
    store.restart();
    expect(await plan({}, { runtime, run: "r", caller })).toEqual({ status: "success", data: 1 });
    expect(log).toEqual(["+w", "-w"]);
  });

  test("a keyed write is not repeated if governance has lost its key in the crash, or there is none", async () => {
    const store = createMemoryRuns();
    const handlers = { w: () => 1 };
    const open = (more: Partial<GovernanceOptions> = {}) => {
      const tools = { w: { idempotency: "keyed" } } as const;
      return governed(handlers, {}, { ...more, options: { runs: store }, tools });
    };
    const plan = planOf([writes("1", "w", { isRepeatable: "keyed" })]);
    store.crashAt(1);
    await errorOf(plan({}, { runtime: open().runtime, run: "r", caller }));
    store.restart();
    // A folder keeps approvals, but no keys.
    const folder = open({ store: createFolderStore({ directory: temporaryDirectory() }) });
    for (const { log, runtime } of [open(), folder, createProject(handlers, { runs: store })]) {
      expect(await errorOf(plan({}, { runtime, run: "r", caller }))).toMatchObject({
        code: "PLAN.OUTCOME_UNKNOWN",
        step: "1",
        outcome: "unknown",
      });
      expect(log).toEqual([]);
    }
  });

  test("an idempotent write is not repeated by a handler in its place, and leaves no second unknown write in the ledger", async () => {
    const store = createMemoryRuns();
    const { ledger, log, runtime } = createProject({ w: () => 1 }, { runs: store });
    const plan = planOf([writes("1", "w", { isRepeatable: true })]);
    store.crashAt(1);
    await errorOf(plan({}, { runtime, run: "r" }));
    store.restart();
    expect(await errorOf(plan({}, { runtime, run: "r" }))).toMatchObject({
      code: "PLAN.OUTCOME_UNKNOWN",
    });
    expect(log).toEqual(["+w", "-w"]);
    const last = ledger.records.findLast((each) => "step" in each && each.step === "1");
    expect(last).toMatchObject({ type: "end", status: "failed", attempts: 0 });
  });

  test("an idempotent write is repeated by its own binding", async () => {
    const store = createMemoryRuns();
    let sent = 0;
    const tool = write("w", {
      binding: {
        kind: "example",
        prepare: () => ({
          credentials: [],
          reach: () => [],
          describe: () => null,
          async send() {
            sent += 1;
            return { result: { status: "success", data: sent } };
          },
        }),
      },
    });
    const { runtime } = createProject({}, { runs: store });
    const planWith = (isRepeatable: boolean) =>
      planOf([calling("1", "w", "write", tool, { isRepeatable })], {
        output: (from) => from.step_1.output,
      });
    store.crashAt(1);
    await errorOf(planWith(true)({}, { runtime, run: "r" }));
    store.restart();
    expect(await errorOf(planWith(false)({}, { runtime, run: "r" }))).toMatchObject({
      code: "PLAN.OUTCOME_UNKNOWN",
    });
    expect(await planWith(true)({}, { runtime, run: "r" })).toMatchObject({ data: 2 });
  });
});

describe("a step that needs an approval", () => {
  const approval = { conditional: false, ttlMs: 60_000 };
  const setUp = () => {
    const store = createMemoryRuns();
    const project = governed(
      { a: ({ id }) => id, w: ({ id }) => `made ${id}` },
      {},
      { options: { runs: store }, tools: { w: { approval } } },
    );
    return { ...project, runs: store };
  };

  test("a step that needs an approval suspends the run, and an approval lets it go on", async () => {
    const { log, runs: store, runtime } = setUp();
    const plan = planOf(
      [
        reads("1", "a", { params: () => ({ id: 7 }) }),
        writes("2", "w", { after: ["1"], params: (from) => ({ id: from.step_1.output }) }),
      ],
      { output: (from) => from.step_2.output },
    );
    const tools = { desk__plan: async () => plan };
    const suspended = await plan({}, { runtime, run: "r", caller });
    expect(suspended).toEqual({
      status: "suspended",
      run: "r",
      step: "2",
      request: expect.objectContaining({ tool: "desk/w", subject: "ada", tenant: "acme" }),
    });
    expect(store.eventsOf("r").at(-1)).toBe("suspended 2");
    expect(await waitForRun(tools, "r", { runtime, caller })).toEqual(suspended);
    // Without an approval it stays suspended.
    expect(await resumeRun(tools, "r", { runtime, caller })).toEqual(suspended);
    const given = await runtime.approve(suspended.request, { subject: "eve" });
    expect(await resumeRun(tools, "r", { runtime, caller, approval: given })).toEqual({
      status: "success",
      data: "made 7",
    });
    expect(log).toEqual(["+a", "-a", "+w", "-w"]);
  });

  test("a run that is resumed without an approval finds the one that was given", async () => {
    const { runtime } = setUp();
    const plan = planOf([writes("1", "w", { params: () => ({ id: 7 }) })]);
    const tools = { desk__plan: async () => plan };
    const { request } = await plan({}, { runtime, run: "r", caller });
    await runtime.approve(request.id, { subject: "eve" });
    expect(await resumeRun(tools, "r", { runtime, caller })).toMatchObject({ status: "success" });
  });

  test("a run whose step is denied fails with the approver's note and sends nothing", async () => {
    const { log, runtime } = setUp();
    const plan = planOf([writes("1", "w")]);
    const tools = { desk__plan: async () => plan };
    const { request } = await plan({}, { runtime, run: "r", caller });
    await runtime.deny(request, { subject: "eve", note: "not now" });
    expect(await errorOf(resumeRun(tools, "r", { runtime, caller }))).toMatchObject({
      code: "AUTH.APPROVAL_REQUIRED",
      step: "1",
      failure: { reason: "denied", note: "not now" },
    });
    expect(log).toEqual([]);
  });

  test("a run stays suspended with an approval that is unknown or withdrawn", async () => {
    const { log, runtime } = setUp();
    const plan = planOf([writes("1", "w")]);
    const tools = { desk__plan: async () => plan };
    const { request } = await plan({}, { runtime, run: "r", caller });
    const given = await runtime.approve(request, { subject: "eve" });
    await runtime.governance?.withdraw(given, { subject: "eve" });
    for (const approval of [given, "unknown"])
      expect(await resumeRun(tools, "r", { runtime, caller, approval })).toMatchObject({
        status: "suspended",
      });
    expect(log).toEqual([]);
  });

  test("a run stays suspended with an approval for another request", async () => {
    const { log, runtime } = setUp();
    const planFor = (id: string) => planOf([writes("1", "w", { params: () => ({ id }) })]);
    const [plan, other] = [planFor("x"), planFor("y")];
    const tools = { desk__plan: async () => plan };
    await plan({}, { runtime, run: "r", caller });
    const { request } = await other({}, { runtime, run: "other", caller });
    const approval = await runtime.approve(request, { subject: "eve" });
    expect(await resumeRun(tools, "r", { runtime, caller, approval })).toMatchObject({
      status: "suspended",
      step: "1",
    });
    expect(log).toEqual([]);
    // The refused attempt has not used the approval up.
    const others = { desk__plan: async () => other };
    expect(await resumeRun(others, "other", { runtime, caller, approval })).toMatchObject({
      status: "success",
    });
  });

  test("a run stays suspended with an approval that has expired", async () => {
    let now = 0;
    const store = createMemoryStore({ now: () => now, monotonic: () => now });
    const project = governed(
      { w: () => "made" },
      {},
      { options: { runs: createMemoryRuns() }, tools: { w: { approval } }, store },
    );
    const { log, runtime } = project;
    const plan = planOf([writes("1", "w")]);
    const tools = { desk__plan: async () => plan };
    const { request } = await plan({}, { runtime, run: "r", caller });
    const given = await runtime.approve(request, { subject: "eve" });
    now = 60_000;
    const late = await resumeRun(tools, "r", { runtime, caller, approval: given });
    expect(late).toMatchObject({ status: "suspended", step: "1", request: { tool: "desk/w" } });
    expect(log).toEqual([]);
    const again = await runtime.approve(request, { subject: "eve" });
    expect(await resumeRun(tools, "r", { runtime, caller, approval: again })).toMatchObject({
      status: "success",
    });
  });

  test("a run suspends in a loop and in a plan in a plan, one approval at a time", async () => {
    const { log, runtime } = setUp();
    const inner = planOf([writes("w", "w", { list: () => ids, params: (_, id) => ({ id }) })], {
      name: "inner",
      output: (from) => from.step_w.output,
    });
    const plan = planOf([calling("1", "inner", "write", inner)], {
      output: (from) => from.step_1.output,
    });
    const tools = { desk__plan: async () => plan };
    let answer = await plan({}, { runtime, run: "r", caller });
    const steps: string[] = [];
    while (answer.status === "suspended") {
      steps.push(answer.step);
      const approval = await runtime.approve(answer.request, { subject: "eve" });
      answer = await resumeRun(tools, "r", { runtime, caller, approval });
    }
    expect(steps).toEqual(["1.w:0", "1.w:1"]);
    expect(answer).toEqual({ status: "success", data: ["made x", "made y"] });
    expect(log).toEqual(["+w", "-w", "+w", "-w"]);
  });

  test("a plan that needed an approval itself needs none to go on", async () => {
    const store = createMemoryRuns();
    const { runtime } = governed(
      { w: () => 1 },
      {},
      { options: { runs: store }, tools: { plan: { approval }, w: { approval } } },
    );
    const plan = planOf([writes("1", "w")], { output: (from) => from.step_1.output });
    const tools = { desk__plan: async () => plan };
    const eve = { subject: "eve" };
    const { failure } = await errorOf(plan({}, { runtime, run: "r", caller }));
    expect(failure.request.tool).toBe("desk/plan");
    const first = await runtime.approve(failure.request, eve);
    const { request } = await plan({}, { runtime, run: "r", caller, approval: first });
    expect(request.tool).toBe("desk/w");
    const second = await runtime.approve(request, eve);
    expect(await resumeRun(tools, "r", { runtime, caller, approval: second })).toEqual({
      status: "success",
      data: 1,
    });
  });
});

describe("a run in a folder", () => {
  const key = Buffer.alloc(32, 7);

  test("a run goes on in another process with the answers that were stored, and nothing of them is readable", async () => {
    const directory = temporaryDirectory();
    let isBroken = true;
    const handlers = {
      a: () => ({ note: "a secret answer" }),
      b: ({ note }: Any) => {
        if (isBroken) throw new Error("broken");
        return `${note}!`;
      },
    };
    const plan = planOf(
      [reads("1", "a"), reads("2", "b", { after: ["1"], params: (from) => from.step_1.output })],
      { output: (from) => from.step_2.output },
    );
    const tools = { desk__plan: async () => plan };
    const open = () => createProject(handlers, { directory, runs: folderRuns({ key }) });
    const first = open();
    await errorOf(plan({}, { runtime: first.runtime, run: "r", caller }));
    isBroken = false;
    const second = open();
    const options = { runtime: second.runtime, caller };
    const expected = { status: "success", data: "a secret answer!" };
    expect(await resumeRun(tools, "r", options)).toEqual(expected);
    expect(second.log).toEqual(["+b", "-b"]);
    expect(await waitForRun(tools, "r", { ...options, runtime: open().runtime })).toEqual(expected);
    const texts = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => readFileSync(join(each.parentPath, each.name), "latin1"));
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join("")).not.toContain("secret");
  });

  test("a store with another key can't go on with it", async () => {
    const directory = temporaryDirectory();
    const { handlers } = counting();
    const open = (key: Buffer) => createProject(handlers, { directory, runs: folderRuns({ key }) });
    const plan = planOf([reads("1", "a")]);
    await plan({}, { runtime: open(key).runtime, run: "r" });
    const { runtime } = open(Buffer.alloc(32, 8));
    const unreadable = { failure: { code: "PLAN.RUN_UNAVAILABLE", reason: "store" } };
    const error = await errorOf(plan({}, { runtime, run: "r" }));
    expect(error).toMatchObject({ ...unreadable, cause: { problem: "other-key" } });
    expect(error.message).toMatch(
      /^the run `r` of `desk\/plan` can't go on: the store of runs failed: .*was stored with another key; open the store with the key that it was written with$/,
    );
    expect(await errorOf(resumeRun({}, "r", { runtime }))).toMatchObject(unreadable);
  });
});

describe("waiting for a run", () => {
  test("waiting gives the answer once another call has ended it", async () => {
    const store = createMemoryRuns();
    const slow = gate();
    const { runtime } = createProject({ a: () => slow.opened.then(() => 1) }, { runs: store });
    const plan = planOf([reads("1", "a")], { output: (from) => from.step_1.output });
    const tools = { desk__plan: async () => plan };
    const first = plan({}, { runtime, run: "r" });
    await idle();
    const waiting = waitForRun(tools, "r", { runtime });
    await idle();
    slow.open();
    expect(await waiting).toEqual({ status: "success", data: 1 });
    expect(await first).toEqual({ status: "success", data: 1 });
  });

  test("waiting ends when its caller aborts", async () => {
    const store = createMemoryRuns();
    const { runtime } = createProject({ a: () => new Promise(() => {}) }, { runs: store });
    const plan = planOf([reads("1", "a")]);
    const controller = new AbortController();
    void plan({}, { runtime, run: "r", signal: controller.signal }).catch(() => {});
    await idle();
    const waiting = errorOf(waitForRun({}, "r", { runtime, signal: controller.signal }));
    controller.abort();
    expect(await waiting).toMatchObject({ failure: { reason: "aborted" } });
  });

  test("a runtime without a store keeps no runs", async () => {
    const { runtime } = createProject({});
    expect((await errorOf(resumeRun({}, "r", { runtime }))).name).toBe("TypeError");
  });
});
