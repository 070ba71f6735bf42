/** Tests of `settleStep` that pass with every store of runs. */
import { expect, test } from "vitest";
import {
  RunHeld,
  type RunEvent,
  type RunStore,
  settleStep,
  type StepSettlement,
} from "../../../src/runtime/runs/index.js";
import type { RunsPlace } from "./places.js";
import { beginning, held, keep, withoutTimes } from "./store-promises.js";

const run = { id: "order-7", tenant: "acme" };
const one = { key: "1", call: "call-1" };
const begun: RunEvent = { type: "begun", ...one };
const because = "the shop lists it";
const done: StepSettlement = { call: "call-1", as: "done", answer: { id: 7 }, because };
const notDone: StepSettlement = { call: "call-1", as: "not-done", because };

export function settlePromises(open: () => RunsPlace | Promise<RunsPlace>): void {
  const opened = async (events: readonly RunEvent[]) => {
    const store = (await open()).open();
    await keep(store, run, events);
    return store;
  };
  const lastIn = async (store: RunStore) =>
    withoutTimes((await store.read(run))?.events.slice(-1))[0];

  test("a settled call has its answer in the run, and how the person knows", async () => {
    const store = await opened([begun]);
    expect(await settleStep(store, run, done)).toBe("1");
    const result = { status: "success", data: { id: 7 } };
    const settled = { type: "answered", key: "1", call: "call-1", result, settled: because };
    expect(await lastIn(store)).toEqual({ ...settled, at: undefined });
    // The run is free.
    await (await held(store, run)).release();
  });

  test("a call that was settled as not done may be made again", async () => {
    const store = await opened([begun]);
    expect(await settleStep(store, run, notDone)).toBe("1");
    expect(await lastIn(store)).toMatchObject({ type: "not-done", key: "1", settled: because });
  });

  test("an answer without data is null, if nothing in the plan reads it", async () => {
    const store = await opened([{ type: "begun", ...one, isRead: false }]);
    await settleStep(store, run, { call: "call-1", as: "done", because });
    expect(await lastIn(store)).toMatchObject({ result: { status: "success", data: null } });
  });

  const failure = { code: "PROVIDER.TIMEOUT", timeoutMs: 1 } as const;
  const error = { tool: "a/b", failure, message: "m", attempts: 1, outcome: "unknown" } as const;
  const result = { status: "success", data: 1 };
  const inner: RunEvent = { type: "begun", key: "1:0.pay", call: "call-1" };
  test.each<[string, string, readonly RunEvent[]]>([
    ["that the run has not begun", "no-call", []],
    ["whose answer the run has", "closed", [begun, { ...one, type: "answered", result }]],
    ["that the run may make again", "closed", [begun, { ...one, type: "not-done" }]],
    [
      "that the service has accepted",
      "closed",
      [begun, { ...one, type: "accepted", address: "/" }],
    ],
    ["that a later call repeated", "closed", [begun, { type: "begun", key: "1", call: "call-2" }]],
    [
      "that the plan went on without",
      "closed",
      [begun, { type: "passed", key: "1", on: "skip", error }],
    ],
    [
      "inside a plan that has ended",
      "closed",
      [inner, { type: "passed", key: "1:0", on: "skip", error }],
    ],
    ["of a run that has ended", "ended", [begun, { type: "ended", status: "cancelled" }]],
    [
      "that was settled before",
      "closed",
      [begun, { ...one, type: "answered", result, settled: "x" }],
    ],
  ])("refuses a call %s, and stores nothing", async (_, problem, events) => {
    const store = await opened(events);
    let isRecorded = false;
    const record = async () => void (isRecorded = true);
    await expect(settleStep(store, run, { ...done, record })).rejects.toMatchObject({
      name: "StepNotSettled",
      problem,
    });
    expect(isRecorded).toBe(false);
    expect((await store.read(run))?.events).toHaveLength(events.length);
    await (await held(store, run)).release();
  });

  test("refuses a call that was done without the data that the plan reads", async () => {
    const store = await opened([begun]);
    const settling = settleStep(store, run, { call: "call-1", as: "done", because });
    await expect(settling).rejects.toMatchObject({ problem: "no-answer" });
  });

  test("refuses to settle a call of another tenant's run, and of a run that somebody holds", async () => {
    const store = await opened([begun]);
    const elsewhere = settleStep(store, { id: run.id }, done);
    await expect(elsewhere).rejects.toMatchObject({ problem: "no-run" });
    const holder = await held(store, run);
    await expect(settleStep(store, run, done)).rejects.toBeInstanceOf(RunHeld);
    await holder.release();
    expect(await settleStep(store, run, done)).toBe("1");
  });

  test("the run stays as it is if `record` fails, and stores the finding after it", async () => {
    const store = await opened([begun]);
    const failing = () => Promise.reject(new Error("disk full"));
    await expect(settleStep(store, run, { ...done, record: failing })).rejects.toThrow("disk full");
    expect(await lastIn(store)).toMatchObject({ type: "begun" });
    let seen: unknown;
    const record = async () => void (seen = await lastIn(store));
    await settleStep(store, run, { ...done, record });
    expect(seen).toMatchObject({ type: "begun" });
  });

  test("a correction replaces a settlement until the run is resumed", async () => {
    const store = await opened([begun]);
    await settleStep(store, run, done);
    await settleStep(store, run, { ...notDone, correct: true });
    expect(await lastIn(store)).toMatchObject({ type: "not-done" });
    const holder = await held(store, run);
    await holder.append({ type: "resumed" });
    await holder.release();
    const late = settleStep(store, run, { ...done, correct: true });
    await expect(late).rejects.toMatchObject({ problem: "resumed" });
  });

  test("a run of a version that stored less can be settled", async () => {
    const store = (await open()).open();
    const old = await held(store, run, beginning);
    await old.append({ type: "begun", key: "2:0", call: "old" });
    await old.release();
    expect(await settleStep(store, run, { ...done, call: "old" })).toBe("2:0");
  });
}
