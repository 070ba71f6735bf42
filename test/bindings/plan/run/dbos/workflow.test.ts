import { DBOS } from "@dbos-inc/dbos-sdk";
import { describe, expect, test } from "vitest";
import {
  goOn,
  isPlanWorkflowError,
  planWorkflow,
} from "../../../../../src/bindings/plan/run/dbos/index.js";
import { type RunStore, RunStoreError, settleStep } from "../../../../../src/runtime/runs/index.js";
import { resumeRun, waitForRun } from "../../../../../src/runtime/runs/resume.js";
import { http } from "../../../../../src/bindings/http/execute.js";
import { currentCaller } from "../../../../../src/runtime/caller.js";
import { ownDatabase } from "../../../../runtime/ledger/kinds.js";
import { postgresPlace } from "../../../../runtime/runs/places.js";
import { postgresService, serverProxy } from "../../../../support/postgres.js";
import { describeWithService } from "../../../../support/service.js";
import { json } from "../../../http/execute/auth/token-server.js";
import { serve } from "../../../http/execute/support.js";
import { governed } from "../governed-project.js";
import { createMemoryRuns } from "../memory-runs.js";
import {
  type Any,
  calling,
  createProject,
  errorOf,
  type Handlers,
  nothing,
  planOf,
  reads,
  type Tool,
  write,
  writes,
} from "../plan-project.js";
import { launch, shutDown, stepsOf, storedBy, until, untilItWaits } from "./launched.js";

const kept = { state: "kept" };
const name = "desk/plan";
const toolsOf = (plan: Tool) => ({ desk__plan: async () => plan });

/** Reads a list, and writes each item. */
const loop = planOf(
  [
    reads("list", "a", { params: ({ params }) => params }),
    writes("each", "w", {
      after: ["list"],
      reads: [["list", "*"]],
      list: (from) => from.step_list.output,
      params: (_, id) => ({ id }),
    }),
  ],
  { output: (from) => from.step_each.output, outputFrom: ["each"] },
);

const readThenWrite = planOf(
  [reads("1", "a"), writes("2", "w", { after: ["1"] }), writes("3", "x", { after: ["2"] })],
  { output: (from) => from.step_2.output, outputFrom: ["2"] },
);

/** Returns the call of a step that was begun last. */
async function callOf(runs: RunStore, run: string, step: string): Promise<string> {
  const { events = [] } = (await runs.read({ id: run })) ?? {};
  const begun = events.findLast((event) => event.type === "begun" && event.key === step);
  return begun?.type === "begun" ? begun.call : "";
}

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  /** A project whose plan DBOS runs. */
  const setUp = async (plan: Tool, handlers: Handlers, options: object = {}) => {
    const runs = createMemoryRuns();
    const project = createProject(handlers, { runs });
    const { runtime } = project;
    const version = `${Math.random()}`;
    const begin = () =>
      launch(database().url, () => planWorkflow(plan, { name, runtime, ...options }), version);
    return { ...project, begin, runs, workflow: await begin() };
  };
  let number = 0;
  const newId = () => `w${(number += 1)}`;

  test("each call of a plan is a step, and DBOS stores neither parameters nor answers", async () => {
    const place = await postgresPlace(database());
    const { runtime } = createProject(
      { a: ({ from }) => [`${from}-1`, `${from}-2`], w: ({ id }) => `made ${id}` },
      { runs: place.open() },
    );
    const workflow = await launch(database().url, () => planWorkflow(loop, { name, runtime }));
    const caller = { tenant: "acme", subject: "ada" };
    const run = newId();
    const handle = await workflow.start({ from: "confidential" }, { caller, workflowID: run });
    expect(await handle.getResult()).toEqual({ run, status: "success" });
    expect(await stepsOf(run)).toEqual([
      ["list", kept],
      ["each:0", kept],
      ["each:1", kept],
    ]);
    const answer = await waitForRun(toolsOf(loop), run, { runtime, caller });
    expect(answer).toEqual({
      status: "success",
      data: ["made confidential-1", "made confidential-2"],
    });
    const stored = await storedBy(database());
    expect(stored).toContain(run);
    expect(stored).not.toContain("confidential");
  });

  test("the steps get the caller that the application finds for the owner of the run", async () => {
    const callers: unknown[] = [];
    const { workflow } = await setUp(
      planOf([reads("1", "a")]),
      { a: () => void callers.push(currentCaller()) },
      { caller: (owner: object) => ({ ...owner, scopes: ["read"] }) },
    );
    const caller = { tenant: "acme", subject: "ada" };
    await (await workflow.start({}, { caller })).getResult();
    expect(callers).toEqual([expect.objectContaining({ ...caller, scopes: ["read"] })]);
  });

  test("a workflow is started once, however often it is asked for", async () => {
    const { log, workflow } = await setUp(planOf([writes("1", "a")]), { a: () => 1 });
    const workflowID = newId();
    const handles = await Promise.all([1, 2].map(() => workflow.start({ x: 1 }, { workflowID })));
    for (const handle of handles) await handle.getResult();
    await (await workflow.start({ x: 1 }, { workflowID })).getResult();
    expect(log).toEqual(["+a", "-a"]);
    expect((await errorOf(workflow.start({ x: 2 }, { workflowID }))).failure).toEqual({
      code: "PLAN.RUN_TAKEN",
      run: workflowID,
    });
  });

  test("a workflow of the application starts a plan once, also when it is repeated", async () => {
    const runs = createMemoryRuns();
    const { log, runtime } = createProject({ a: () => 1 }, { runs });
    const plan = planOf([writes("1", "a")]);
    const daily = await launch(database().url, () => {
      const workflow = planWorkflow(plan, { name, runtime });
      const run = async (): Promise<string> => {
        const handle = await workflow.start({});
        await handle.getResult();
        return handle.workflowID;
      };
      return DBOS.registerWorkflow(run, { name: "daily" });
    });
    const handle = await DBOS.startWorkflow(daily)();
    const started = await handle.getResult();
    const steps = await stepsOf(handle.workflowID);
    await DBOS.rewindWorkflow(handle.workflowID, { startStep: steps.length - 1 });
    expect(await DBOS.getResult(handle.workflowID)).toBe(started);
    expect(log).toEqual(["+a", "-a"]);
  });

  test("the id of another tenant's workflow is taken", async () => {
    const { workflow } = await setUp(planOf([writes("1", "a")]), { a: () => 1 });
    const workflowID = newId();
    await (await workflow.start({}, { workflowID, caller: { tenant: "acme" } })).getResult();
    const error = await errorOf(workflow.start({}, { workflowID, caller: { tenant: "initech" } }));
    expect(error.failure).toEqual({ code: "PLAN.RUN_TAKEN", run: workflowID });
  });

  test("wrong parameters start nothing", async () => {
    const plan = planOf([reads("1", "a")], { tool: { params: nothing } });
    const { runs, workflow } = await setUp(plan, { a: () => 1 });
    const workflowID = newId();
    const error = await errorOf(workflow.start({}, { workflowID }));
    expect(error.code).toBe("SCHEMA.VALIDATION_FAILED");
    expect(await runs.read({ id: workflowID })).toBeUndefined();
    expect(await DBOS.getWorkflowStatus(workflowID)).toBeNull();
  });

  test("everybody may take the answer of a run that DBOS has ended", async () => {
    const plan = planOf([writes("1", "a")], { output: (from) => from.step_1.output });
    const { log, runtime, workflow } = await setUp(plan, { a: () => 7 });
    const run = newId();
    await (await workflow.start({}, { workflowID: run })).getResult();
    expect(await plan({}, { runtime, run })).toEqual({ status: "success", data: 7 });
    expect(log).toEqual(["+a", "-a"]);
  });

  test("a run of DBOS goes on nowhere else, and DBOS takes no other run", async () => {
    const { runtime, runs, workflow } = await setUp(readThenWrite, {
      a: () => Promise.reject(new Error("broken")),
      w: () => 2,
      x: () => 3,
    });
    const run = newId();
    const handle = await workflow.start({}, { workflowID: run });
    await handle.getResult().catch(() => {});
    const refused = { code: "PLAN.RUN_UNAVAILABLE", run, reason: "driver" };
    const own = await errorOf(readThenWrite({}, { runtime, run }));
    expect(own.failure).toEqual(refused);
    expect(own.message).toContain(`belongs to the workflow \`${run}\` of DBOS`);
    expect((await errorOf(resumeRun(toolsOf(readThenWrite), run, { runtime }))).failure).toEqual(
      refused,
    );
    // Neither does DBOS take a run that a call has begun.
    const other = newId();
    await errorOf(readThenWrite({}, { runtime, run: other }));
    expect((await errorOf(workflow.start({}, { workflowID: other }))).failure).toEqual({
      ...refused,
      run: other,
    });
    expect(runs.eventsOf(other)).not.toContain("resumed");
  });

  describe("a step that needs an approval", () => {
    const caller = { tenant: "acme", subject: "ada" };
    const setUpApproval = async () => {
      const runs = createMemoryRuns();
      const plan = planOf([reads("1", "a"), writes("2", "w", { after: ["1"] })], {
        output: (from) => from.step_2.output,
      });
      const project = governed(
        { a: () => 1, w: () => 2 },
        {},
        {
          options: { runs },
          tools: { w: { approval: { ttlMs: 60_000, details: true } } as Any },
        },
      );
      const { runtime } = project;
      const version = `${Math.random()}`;
      const begin = () =>
        launch(database().url, () => planWorkflow(plan, { name, runtime }), version);
      const run = newId();
      const suspended = (): Promise<Any> => waitForRun(toolsOf(plan), run, { runtime, caller });
      return { ...project, begin, plan, run, runs, suspended };
    };

    test("the workflow waits for a person, and then goes on", async () => {
      const { begin, log, run, runtime, suspended } = await setUpApproval();
      const handle = await (await begin()).start({}, { caller, workflowID: run });
      const { request, step } = await suspended();
      expect(step).toBe("2");
      await untilItWaits(run);
      // Without an approval it waits on.
      await goOn(run);
      await untilItWaits(run, 2);
      await runtime.approve(request, { subject: "eve" });
      await goOn(run);
      expect(await handle.getResult()).toEqual({ run, status: "success" });
      expect(log).toEqual(["+a", "-a", "+w", "-w"]);
      expect((await stepsOf(run)).filter(([each]) => !each.startsWith("DBOS."))).toEqual([
        ["1", kept],
        ["2", { state: "suspended" }],
        ["2", { state: "suspended" }],
        ["2", kept],
      ]);
    });

    test("another process waits on, and calls the plan only when it goes on", async () => {
      const { begin, ledger, run, runs, runtime, suspended } = await setUpApproval();
      await (await begin()).start({}, { caller, workflowID: run });
      const { request } = await suspended();
      await untilItWaits(run);
      const events = runs.eventsOf(run);
      const { length } = ledger.records;
      await shutDown();
      await begin();
      await until(async () => (await DBOS.getWorkflowStatus(run))?.status === "PENDING");
      expect(runs.eventsOf(run)).toEqual(events);
      expect(ledger.records).toHaveLength(length);
      const approval = await runtime.approve(request, { subject: "eve" });
      await goOn(run, { approval });
      expect(await DBOS.getResult(run)).toEqual({ run, status: "success" });
    });

    test("the plan fails if a person denies", async () => {
      const { begin, run, runtime, suspended } = await setUpApproval();
      const handle = await (await begin()).start({}, { caller, workflowID: run });
      const { request } = await suspended();
      const approval = await runtime.deny(request, { subject: "eve" });
      await goOn(run, typeof approval === "string" ? { approval } : {});
      await expect(handle.getResult()).rejects.toMatchObject({ run, step: "2" });
    });
  });

  test("a write whose outcome is unknown is named, and waits for a person", async () => {
    const { log, runs, workflow } = await setUp(readThenWrite, {
      a: () => 1,
      w: () => Promise.reject(new Error("no answer")),
      x: () => 3,
    });
    const run = newId();
    const handle = await workflow.start({}, { workflowID: run });
    await untilItWaits(run);
    const call = await callOf(runs, run, "2");
    expect((await stepsOf(run)).slice(0, 3)).toEqual([
      ["1", kept],
      ["2", { state: "failed", code: "UNKNOWN.INTERNAL" }],
      ["2", { state: "outcome-unknown", call }],
    ]);
    await settleStep(runs, { id: run }, { as: "done", call, answer: "found", because: "seen" });
    await goOn(run);
    expect(await handle.getResult()).toEqual({ run, status: "success" });
    expect(log).toEqual(["+a", "-a", "+w", "-w", "+x", "-x"]);
  });

  test("a plan that fails can be rewound, and DBOS stores no message of a tool", async () => {
    let isBroken = true;
    const { log, workflow } = await setUp(
      planOf([writes("1", "w"), reads("2", "a", { after: ["1"] })]),
      {
        a: () => {
          if (isBroken) throw new Error("confidential");
        },
        w: () => 1,
      },
    );
    const run = newId();
    const handle = await workflow.start({}, { workflowID: run });
    const error = await handle.getResult().catch((thrown: unknown) => thrown);
    const facts = { code: "UNKNOWN.INTERNAL", run, step: "2" };
    expect(isPlanWorkflowError(error) && { ...error }).toMatchObject(facts);
    // Another process gets it from the database.
    const stored = await DBOS.retrieveWorkflow(run)
      .getResult()
      .catch((thrown: unknown) => thrown);
    expect(isPlanWorkflowError(stored) && { ...stored }).toMatchObject(facts);
    const rows = await database().run(
      `SELECT s::text FROM dbos.workflow_status s WHERE workflow_uuid = '${run}'`,
    );
    expect(JSON.stringify(rows)).not.toContain("confidential");
    isBroken = false;
    await DBOS.rewindWorkflow(run);
    expect(await DBOS.getResult(run)).toEqual({ run, status: "success" });
    expect(log).toEqual(["+w", "-w", "+a", "-a", "+a", "-a"]);
  });

  test("a cancelled workflow aborts its call, and goes on when DBOS resumes it", async () => {
    let aborts = 0;
    let isWaiting = true;
    const { log, workflow } = await setUp(
      planOf([reads("1", "a"), reads("2", "b", { after: ["1"] })]),
      {
        a: () => 1,
        b: (_, { signal }) => {
          if (!isWaiting) return 2;
          return new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              aborts += 1;
              reject(signal.reason);
            });
          });
        },
      },
    );
    const run = newId();
    const handle = await workflow.start({}, { workflowID: run });
    await until(() => log.includes("+b"));
    await DBOS.cancelWorkflow(run);
    await expect(handle.getResult()).rejects.toThrow(/cancelled/);
    expect(aborts).toBe(1);
    isWaiting = false;
    await (await DBOS.resumeWorkflow(run)).getResult();
    expect(log).toEqual(["+a", "-a", "+b", "-b", "+b", "-b"]);
  });

  test("accepted work is asked for until it is done", async () => {
    let polls = 0;
    const server = await serve((response, { method }) => {
      if (method === "POST") response.writeHead(202, { location: "/operations/7" }).end();
      else if ((polls += 1) === 3) json(response, 200, { url: "/files/1" });
      else response.writeHead(202).end();
    });
    const report = write("report", {
      binding: http<Any, Any, Any>({
        method: "POST",
        request: () => ({ url: [`${server.url}/reports`], body: { day: 1 } }),
        poll: { intervalMs: 1, mostPolls: 2 },
      }),
    });
    const plan = planOf([calling("1", "report", "write", report, { suspends: true })]);
    const { workflow } = await setUp(plan, {}, { pollSeconds: 0.05 });
    const handle = await workflow.start({});
    expect(await handle.getResult()).toMatchObject({ status: "success" });
    expect(server.received.map(({ method }) => method)).toEqual(["POST", "GET", "GET", "GET"]);
    expect((await stepsOf(handle.workflowID)).at(0)).toEqual(["1", { state: "suspended" }]);
  });

  test("changed tools wait for a person, who may accept them", async () => {
    const plan = (manifest: string) =>
      planOf([reads("1", "a"), { ...reads("2", "w", { after: ["1"] }), manifest }]);
    const runs = createMemoryRuns();
    let isBroken = true;
    const { log, runtime } = createProject(
      {
        a: () => 1,
        w: () => {
          if (isBroken) throw new Error("broken");
          return 2;
        },
      },
      { runs },
    );
    const register = (manifest: string) => () => planWorkflow(plan(manifest), { name, runtime });
    const version = `${Math.random()}`;
    const workflow = await launch(database().url, register("m-w"), version);
    const run = newId();
    await (await workflow.start({}, { workflowID: run })).getResult().catch(() => {});
    await shutDown();
    await launch(database().url, register("m-new"), version);
    await DBOS.rewindWorkflow(run);
    await untilItWaits(run);
    isBroken = false;
    await goOn(run, { forced: "ada: only a description" });
    expect(await DBOS.getResult(run)).toEqual({ run, status: "success" });
    expect(log).toEqual(["+a", "-a", "+w", "-w", "+w", "-w"]);
  });

  test("reads run side by side, and another process follows what was recorded", async () => {
    const running = new Set<string>();
    let most = 0;
    const at = async (id: string): Promise<string> => {
      running.add(id);
      most = Math.max(most, running.size);
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
      running.delete(id);
      return id;
    };
    const plan = planOf(
      [
        reads("1", "a", { list: () => ["a", "b", "c", "d", "e"], params: (_, id) => ({ id }) }),
        reads("2", "a", { params: () => ({ id: "f" }) }),
        reads("3", "a", { after: ["2"], params: () => ({ id: "g" }) }),
        writes("4", "w", { after: ["1", "3"] }),
      ],
      { output: (from) => [from.step_1.output, from.step_3.output] },
    );
    let isBroken = true;
    const { begin, log, runs, workflow } = await setUp(plan, {
      a: ({ id }) => at(id),
      w: () => {
        if (isBroken) throw new Error("broken");
      },
    });
    const run = newId();
    await workflow.start({}, { workflowID: run });
    await untilItWaits(run);
    expect(most).toBeGreaterThan(1);
    const before = log.length;
    // A process that crashed has recorded a later step, and not an earlier one.
    const [, lost] = await stepsOf(run);
    await shutDown();
    await database().run(
      `DELETE FROM dbos.operation_outputs WHERE workflow_uuid = '${run}' AND function_id = 1`,
    );
    isBroken = false;
    await begin();
    const call = await callOf(runs, run, "4");
    await settleStep(runs, { id: run }, { as: "not-done", call, because: "seen" });
    await goOn(run);
    expect(await DBOS.getResult(run)).toEqual({ run, status: "success" });
    expect(log.slice(before)).toEqual(["+w", "-w"]);
    const steps = await stepsOf(run);
    expect(steps[1]).toEqual(["(interrupted)", { state: "not-made" }]);
    expect(steps.filter(([each]) => each === lost?.[0])).toEqual([lost]);
  });

  test("a failure of the store of runs fails the workflow, which can be rewound", async () => {
    const { log, runs, workflow } = await setUp(readThenWrite, {
      a: () => 1,
      w: () => 2,
      x: () => 3,
    });
    const run = newId();
    const unavailable = new RunStoreError("unavailable", "the store is away");
    runs.failAt("hold", unavailable);
    const refused = await errorOf(workflow.start({}, { workflowID: run }));
    expect(refused.failure).toEqual({ code: "PLAN.RUN_UNAVAILABLE", run, reason: "store" });
    runs.failAt(3, unavailable);
    const handle = await workflow.start({}, { workflowID: run });
    await expect(handle.getResult()).rejects.toMatchObject({ code: "PLAN.RUN_UNAVAILABLE", run });
    await DBOS.rewindWorkflow(run);
    expect(await DBOS.getResult(run)).toEqual({ run, status: "success" });
    expect(log.filter((each) => each.startsWith("+"))).toEqual(["+a", "+w", "+x"]);
  });

  test("a store that has lost an answer fails the workflow, and no call is repeated", async () => {
    const { begin, log, runs, workflow } = await setUp(readThenWrite, {
      a: () => 1,
      w: () => 2,
      x: () => 3,
    });
    const run = newId();
    await (await workflow.start({}, { workflowID: run })).getResult();
    const before = log.length;
    // The store is restored from a backup.
    const kept = await runs.read({ id: run });
    await shutDown();
    runs.remove(run);
    await (await runs.hold({ id: run }, kept?.beginning))?.release();
    await begin();
    await DBOS.rewindWorkflow(run, { startStep: 2 });
    const error = await DBOS.getResult(run).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "PLAN.RUN_UNAVAILABLE", step: "1" });
    expect(log).toHaveLength(before);
  });

  test("a start fails in time if DBOS can't reach its database", async () => {
    const runs = createMemoryRuns();
    const { runtime } = createProject({ a: () => 1 }, { runs });
    let isAway = false;
    const proxy = await serverProxy(database().url, () => isAway);
    const plan = planOf([reads("1", "a")]);
    const options = { name, runtime, startTimeoutMs: 300 };
    const workflow = await launch(proxy.url, () => planWorkflow(plan, options));
    isAway = true;
    const run = newId();
    const refused = { code: "PLAN.RUN_UNAVAILABLE", run, reason: "driver" };
    expect((await errorOf(workflow.start({}, { workflowID: run }))).failure).toEqual(refused);
    expect((await errorOf(goOn(run, { timeoutMs: 300 }))).failure).toEqual(refused);
    isAway = false;
    // DBOS goes on with what it was asked for.
    expect(await DBOS.getResult(run)).toEqual({ run, status: "success" });
  });
});
