import { describe, expect, test } from "vitest";
import type { Catalog } from "../../../../src/runtime/model/catalog.js";
import { createTestRuntime } from "../../../../src/runtime/testing/index.js";
import { skill, tool } from "../../../runtime/model/example-catalog.js";
import { type Any, errorOf, planOf, reads, calling, write, writes } from "./plan-project.js";

const names = ["a", "w", "plan"];
// The types of handlers come from generated code.
const catalog = {
  skills: [
    skill("desk", {
      description: "A desk.",
      tools: names.map((name) => tool(name, { needs_handler: name !== "plan" })),
    }),
  ],
} as Catalog;

const success = (data: unknown) => ({ status: "success", data });

const plan = planOf(
  [
    reads("1", "a"),
    writes("2", "w", { after: ["1"], params: (from) => ({ id: from.step_1.output.id }) }),
  ],
  { output: (from) => from.step_2.output },
);

describe("a plan in a test's runtime", () => {
  test("a plan without a fake runs, and its steps are answered by their fakes", async () => {
    const runtime = createTestRuntime(catalog, {
      "desk/a": success({ id: 7 }),
      "desk/w": ({ id }: Any) => success(`made ${id}`),
    });
    expect(await plan({}, { runtime })).toEqual({ status: "success", data: "made 7" });
    expect(runtime.calls().map((each) => [each.tool, each.step, each.params])).toEqual([
      ["desk/plan", undefined, {}],
      ["desk/a", "1", {}],
      ["desk/w", "2", { id: 7 }],
    ]);
  });

  test("a step without a fake is a mistake of the test", async () => {
    const runtime = createTestRuntime(catalog, {
      "desk/a": success({ id: 7 }),
    });
    const error = await errorOf(plan({}, { runtime }));
    expect(error.name).toBe("FakeError");
    expect(error.message).toContain("`desk/w` has no fake");
  });

  test("a fake of the plan answers in its place", async () => {
    const runtime = createTestRuntime(catalog, {
      "desk/plan": success("faked"),
    });
    expect(await plan({}, { runtime })).toEqual(success("faked"));
    expect(runtime.calls()).toHaveLength(1);
  });

  test("writes of a plan need no fakes in shadow mode", async () => {
    const runtime = createTestRuntime(
      catalog,
      { "desk/a": success({ id: 7 }) },
      { mode: "shadow" },
    );
    const tool = write("w", {
      binding: {
        kind: "example",
        prepare: ({ id }: Any) => ({
          credentials: [],
          reach: () => [],
          describe: () => ({ id }),
          send: () => expect.unreachable(),
        }),
      },
    });
    const shadowed = planOf([
      reads("1", "a"),
      calling("2", "w", "write", tool, {
        after: ["1"],
        params: (from) => ({ id: from.step_1.output.id }),
      }),
    ]);
    expect(await shadowed({}, { runtime })).toEqual({
      status: "shadow",
      steps: [{ step: "2", tool: "desk/w", request: { id: 7 } }],
    });
  });
});
