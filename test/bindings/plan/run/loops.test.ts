import { describe, expect, test } from "vitest";
import { createProject, errorOf, failed, idle, planOf, reads, writes } from "./plan-project.js";

const list = (from: { params: { items: readonly unknown[] } }) => from.params.items;
const params = (_: unknown, item: unknown) => ({ item });
const output = (from: { step_1: { output: unknown } }) => from.step_1.output;

describe("a loop", () => {
  test("a loop of reads shares the limit of the plan, and its output keeps the order", async () => {
    let running = 0;
    let most = 0;
    const serve = async ({ item }: { item: number }) => {
      running += 1;
      most = Math.max(most, running);
      // Later items end first.
      for (let turn = item; turn < 20; turn += 1) await idle();
      running -= 1;
      return item * 10;
    };
    const { runtime } = createProject({ a: serve, b: serve });
    const plan = planOf(
      [reads("1", "a", { list, params }), reads("2", "b", { params: () => ({ item: 18 }) })],
      { output, concurrency: 3 },
    );
    const result = await plan({ items: [12, 13, 14, 15, 16] }, { runtime });
    expect(result.data).toEqual([120, 130, 140, 150, 160]);
    expect(most).toBe(3);
  });

  test("a loop of writes makes one call after another", async () => {
    const { log, runtime } = createProject({ w: ({ item }) => idle().then(() => item) });
    const plan = planOf([writes("1", "w", { list, params })], { output });
    expect((await plan({ items: ["a", "b", "c"] }, { runtime })).data).toEqual(["a", "b", "c"]);
    expect(log).toEqual(["+w", "-w", "+w", "-w", "+w", "-w"]);
  });

  test("a loop over an empty list has an empty output", async () => {
    const { log, runtime } = createProject({ a: () => 1 });
    const plan = planOf([reads("1", "a", { list, params })], { output });
    expect((await plan({ items: [] }, { runtime })).data).toEqual([]);
    expect(log).toEqual([]);
  });

  test("a list with too many items ends the plan before the first call", async () => {
    const { log, runtime } = createProject({ a: () => 1 });
    const plan = planOf([reads("1", "a", { list, params, maxItems: 2 })], { output });
    expect((await plan({ items: [1, 2] }, { runtime })).data).toEqual([1, 1]);
    const error = await errorOf(plan({ items: [1, 2, 3] }, { runtime }));
    expect(error.failure).toEqual({
      code: "PLAN.TOO_MANY_ITEMS",
      step: "1",
      items: 3,
      limit: 2,
    });
    expect(error).toMatchObject({ step: "1", outcome: "not-done" });
    expect(log.filter((each) => each === "+a")).toHaveLength(2);
  });

  const handlers = {
    a: ({ item }: { item: string }) => (item === "x" ? failed("not_found") : item),
  };
  const items = ["a", "x", "b"];

  test("an item's `continue` leaves null at its place, and `skip` leaves the item out", async () => {
    const { runtime } = createProject(handlers);
    const plan = (then: "continue" | "skip") =>
      planOf([reads("1", "a", { list, params, on: { not_found: then } })], { output });
    expect((await plan("continue")({ items }, { runtime })).data).toEqual(["a", null, "b"]);
    expect((await plan("skip")({ items }, { runtime })).data).toEqual(["a", "b"]);
  });

  test("an item's `stop` ends the plan with its answer, and no further item begins", async () => {
    const { log, runtime } = createProject(handlers);
    const plan = planOf([writes("1", "a", { list, params })], { output });
    expect(await plan({ items }, { runtime })).toEqual({
      status: "not_found",
      error: "it is not_found",
      step: "1",
    });
    expect(log.filter((each) => each === "+a")).toHaveLength(2);
  });

  test("the first item in order decides if several end the plan", async () => {
    const { runtime } = createProject({
      a: async ({ item }) => {
        for (let turn = item; turn < 3; turn += 1) await idle();
        return failed(`status_${item}`);
      },
    });
    const plan = planOf([reads("1", "a", { list, params })], { output });
    expect(await plan({ items: [0, 1, 2] }, { runtime })).toMatchObject({ status: "status_0" });
  });

  test("an item's failure names the item as STEP:INDEX, in the error and in the ledger", async () => {
    const { ledger, runtime } = createProject({
      a: ({ item }) => {
        if (item === "x") throw new Error("no");
        return item;
      },
    });
    const plan = planOf([writes("1", "a", { list, params })], { output });
    const error = await errorOf(plan({ items }, { runtime }));
    expect(error).toMatchObject({ step: "1:1", tool: "desk/a", outcome: "unknown" });
    const steps = ledger.records.flatMap((each) => ("step" in each ? [each.step] : []));
    expect([...new Set(steps)]).toEqual(["1:0", "1:1"]);
  });
});
