import { describe, expect, test } from "vitest";
import { createProject, gate, idle, planOf, reads, writes } from "./plan-project.js";

describe("order", () => {
  test("a step reads parameters, caller and outputs of earlier steps", async () => {
    const { runtime } = createProject({
      analyze: ({ text }) => ({ entities: text.split(" ") }),
      design: ({ entities, by }) => ({ endpoints: entities.map((each: string) => `/${each}`), by }),
    });
    const plan = planOf(
      [
        reads("1", "analyze", { params: (from) => ({ text: from.params.query }) }),
        reads("2", "design", {
          after: ["1"],
          needs: ["1"],
          reads: [["1", "entities"]],
          params: (from) => ({
            entities: from.step_1.output.entities,
            by: from.caller.subject,
          }),
        }),
      ],
      { output: (from) => from.step_2.output, outputNeeds: ["2"] },
    );
    const result = await plan({ query: "user order" }, { runtime, caller: { subject: "ada" } });
    expect(result).toEqual({
      status: "success",
      data: { endpoints: ["/user", "/order"], by: "ada" },
    });
  });

  test("a plan without an output answers null", async () => {
    const { runtime } = createProject({ a: () => 1 });
    expect(await planOf([reads("1", "a")])({}, { runtime })).toEqual({
      status: "success",
      data: null,
    });
  });

  test("a plan without steps answers", async () => {
    const { runtime } = createProject({});
    expect(await planOf([], { output: (from) => from.params.x })({ x: 1 }, { runtime })).toEqual({
      status: "success",
      data: 1,
    });
  });

  test("a write is a barrier: it waits for the steps in its `after`, and later steps wait for it", async () => {
    const { log, runtime } = createProject({ a: idle, b: idle, w: idle, c: idle });
    const plan = planOf([
      reads("1", "a"),
      reads("2", "b"),
      writes("3", "w", { after: ["1", "2"] }),
      reads("4", "c", { after: ["3"] }),
    ]);
    await plan({}, { runtime });
    expect(log).toEqual(["+a", "+b", "-a", "-b", "+w", "-w", "+c", "-c"]);
  });

  test("independent reads run at the same time, up to `concurrency`", async () => {
    let running = 0;
    let most = 0;
    const serve = async () => {
      running += 1;
      most = Math.max(most, running);
      await idle();
      running -= 1;
    };
    const { runtime } = createProject({ a: serve });
    const ten = Array.from({ length: 10 }, (_, at) => reads(`${at}`, "a"));
    await planOf(ten)({}, { runtime });
    expect(most).toBe(4);
    most = 0;
    await planOf(ten, { concurrency: 7 })({}, { runtime });
    expect(most).toBe(7);
    most = 0;
    await planOf(ten, { concurrency: 1 })({}, { runtime });
    expect(most).toBe(1);
  });

  test("a step begins once its own sources are ready, while others still run", async () => {
    const slow = gate();
    const { log, runtime } = createProject({ slow: () => slow.opened, a: () => 1, b: () => 2 });
    const plan = planOf([reads("1", "slow"), reads("2", "a"), reads("3", "b", { after: ["2"] })]);
    const call = plan({}, { runtime });
    await idle();
    expect(log).toEqual(["+slow", "+a", "-a", "+b", "-b"]);
    slow.open();
    await call;
  });

  test("runs 1,000 steps in a chain and 1,000 side by side", async () => {
    const { runtime } = createProject({ next: ({ n }) => n + 1 });
    const ids = Array.from({ length: 1000 }, (_, at) => at);
    const chain = planOf(
      ids.map((at) =>
        reads(`s${at}`, "next", {
          after: at === 0 ? [] : [`s${at - 1}`],
          params: (from) => ({ n: at === 0 ? 0 : from[`step_s${at - 1}`].output }),
        }),
      ),
      { output: (from) => from.step_s999.output },
    );
    expect(await chain({}, { runtime })).toMatchObject({ data: 1000 });
    const wide = planOf(
      ids.map((at) => reads(`s${at}`, "next", { params: () => ({ n: at }) })),
      { output: (from) => ids.reduce((sum, at) => sum + from[`step_s${at}`].output, 0) },
    );
    expect(await wide({}, { runtime })).toMatchObject({ data: 500_500 });
  });

  test("the ledger has the plan's call as the parent of each step's call, with the step's id", async () => {
    const { ledger, runtime } = createProject({ a: () => 1, w: () => 2 });
    const plan = planOf([reads("1", "a"), writes("2", "w", { after: ["1"] })]);
    await plan({}, { runtime, trace: "t-1" });
    const ends = ledger.records.filter(({ type }) => type === "end");
    const [a, w, whole] = ends;
    expect(ends).toMatchObject([
      { tool: "a", kind: "handler", step: "1", trace: "t-1" },
      { tool: "w", kind: "handler", step: "2", trace: "t-1" },
      { tool: "plan", kind: "plan", trace: "t-1" },
    ]);
    expect([a, w].map((each) => each && "parent" in each && each.parent)).toEqual([
      whole?.id,
      whole?.id,
    ]);
  });

  test("keeps a property named `__proto__` data on its way through steps", async () => {
    const data = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":1}');
    const { runtime } = createProject({ a: () => data, b: (params) => params });
    const plan = planOf(
      [reads("1", "a"), reads("2", "b", { after: ["1"], params: (from) => from.step_1.output })],
      { output: (from) => from.step_2.output },
    );
    const { data: got } = await plan({}, { runtime });
    expect(JSON.stringify(got)).toBe(JSON.stringify(data));
    expect(got.isAdmin).toBeUndefined();
  });
});
