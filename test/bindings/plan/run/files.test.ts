/** Files of steps, if the plan's caller must not name files of this machine. */
import { expect, test } from "vitest";
import { resumeRun } from "../../../../src/runtime/runs/resume.js";
import { createMemoryRuns } from "./memory-runs.js";
import { type Any, calling, createProject, errorOf, planOf, reads, write } from "./plan-project.js";

/** A plan that passes its parameter on as a file. */
function setUp() {
  const sent: Any[] = [];
  const state = { fails: false };
  const { runtime } = createProject(
    {
      look: () => {
        if (state.fails) throw new Error("down");
        return {};
      },
      send: ({ file }) => void sent.push(Buffer.from(file.bytes).toString()),
    },
    { runs: createMemoryRuns() },
  );
  const send = write("send", { files: { at: [["file"]], folders: ["."] } });
  const plan = planOf([
    reads("0", "look"),
    calling("1", "send", "write", send, { params: (from) => ({ file: from.params.file }) }),
  ]);
  return { plan, runtime, sent, state };
}

const contentOnly = { files: "content-only" } as const;
const file = { path: "package.json" };
const refused = {
  code: "SCHEMA.VALIDATION_FAILED",
  message: expect.stringContaining("must not name a path"),
};

test("a step takes no path of a caller that must not name one", async () => {
  const { plan, runtime, sent } = setUp();
  expect(await errorOf(plan({ file }, { runtime, ...contentOnly }))).toMatchObject(refused);
  expect(sent).toEqual([]);
  await plan({ file }, { runtime });
  expect(sent).toHaveLength(1);
});

test("a step of a plan in a plan takes no such path either", async () => {
  const { plan, runtime, sent } = setUp();
  const outer = planOf([calling("1", "plan", "write", plan, { params: (from) => from.params })], {
    name: "outer",
  });
  expect(await errorOf(outer({ file }, { runtime, ...contentOnly }))).toMatchObject(refused);
  expect(sent).toEqual([]);
});

test("a run that is resumed takes no such path either", async () => {
  const { plan, runtime, sent, state } = setUp();
  state.fails = true;
  await errorOf(plan({ file }, { runtime, run: "r", ...contentOnly }));
  state.fails = false;
  const tools = { desk__plan: async () => plan };
  expect(await errorOf(resumeRun(tools, "r", { runtime }))).toMatchObject(refused);
  expect(sent).toEqual([]);
});
