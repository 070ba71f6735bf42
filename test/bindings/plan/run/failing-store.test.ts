/** A store of runs that fails at each moment: the error of the plan, its outcome, and how the run goes on. */
import { rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { resumeRun } from "../../../../src/runtime/runs/resume.js";
import { RunStoreError, type RunStoreProblem } from "../../../../src/runtime/runs/store.js";
import { ownDatabase } from "../../../runtime/ledger/kinds.js";
import { folderPlace, postgresPlace } from "../../../runtime/runs/places.js";
import { postgresService } from "../../../support/postgres.js";
import { describeWithService } from "../../../support/service.js";
import { governed } from "./governed-project.js";
import { createMemoryRuns } from "./memory-runs.js";
import { createProject, errorOf, planOf, reads, writes } from "./plan-project.js";

const plan = planOf([reads("1", "a"), writes("2", "w", { after: ["1"] })], {
  output: (from) => from.step_2.output,
});
const tools = { desk__plan: async () => plan };
const success = { status: "success", data: "made" };
const problems: readonly RunStoreProblem[] = [
  "unavailable",
  "full",
  "read-only",
  "changed",
  "other-key",
];

/** Moments of the run, how often the write was made until then, and the outcome. */
const moments = [
  ["hold", 0, "not-done"],
  [0, 0, "not-done"],
  [1, 0, "not-done"],
  [2, 0, "not-done"],
  [3, 1, "unknown"],
  [4, 1, "unknown"],
] as const;

describe("a store that fails once", () => {
  test.each(
    moments.flatMap(([moment, made, outcome]) =>
      problems.map((problem) => [problem, moment, made, outcome] as const),
    ),
  )(
    "the problem `%s` at the moment %s ends the plan after %i writes with the outcome %s",
    async (problem, moment, made, outcome) => {
      const runs = createMemoryRuns();
      const { log, runtime } = createProject({ a: () => 1, w: () => "made" }, { runs });
      runs.failAt(moment, new RunStoreError(problem, "the store says why", "do this"));
      const error = await errorOf(plan({}, { runtime, run: "r" }));
      expect(error).toMatchObject({
        name: "ToolError",
        failure: { code: "PLAN.RUN_UNAVAILABLE", run: "r", reason: "store" },
        outcome,
        cause: { problem },
      });
      expect(error.message).toContain("the store says why; do this");
      const writesMade = () => log.filter((each) => each === "+w");
      expect(writesMade()).toHaveLength(made);
      // The store works again.
      const next = await plan({}, { runtime, run: "r" }).catch((thrown: unknown) => thrown);
      const unknown = { code: "PLAN.OUTCOME_UNKNOWN", outcome: "unknown" };
      expect(next).toMatchObject(moment === 3 ? unknown : success);
      expect(writesMade()).toHaveLength(1);
    },
  );

  test("a run that can't be suspended after a write ends the plan with an unknown outcome", async () => {
    const runs = createMemoryRuns();
    const { runtime } = governed(
      { a: () => 1, w: () => "made" },
      {},
      { options: { runs }, tools: { w: { approval: { conditional: false, ttlMs: 1000 } } } },
    );
    const twoWrites = planOf([writes("1", "a"), writes("2", "w", { after: ["1"] })]);
    runs.failAt(2, new RunStoreError("full", "there is no space"));
    const options = { runtime, run: "r", caller: { subject: "ada" } };
    expect(await errorOf(twoWrites({}, options))).toMatchObject({
      code: "PLAN.RUN_UNAVAILABLE",
      outcome: "unknown",
    });
    expect(await twoWrites({}, options)).toMatchObject({ status: "suspended", step: "2" });
  });
});

describe("a folder that somebody changes while the plan runs", () => {
  const run = { id: "r" };

  test.each<[string, (path: string) => void]>([
    ["removes the events", (path) => rmSync(path)],
    ["adds to the events", (path) => writeFileSync(path, "x", { flag: "a" })],
    ["cuts the events", (path) => truncateSync(path, statSync(path).size - 1)],
  ])("the plan ends with an unknown outcome if somebody %s during a write", async (_, change) => {
    const place = folderPlace();
    const runs = place.open();
    const { runtime } = createProject(
      { a: () => 1, w: () => (change(place.eventsOf(run)), "made") },
      { runs },
    );
    expect(await errorOf(plan({}, { runtime, run: "r" }))).toMatchObject({
      failure: { code: "PLAN.RUN_UNAVAILABLE", reason: "lost" },
      outcome: "unknown",
    });
  });

  test("a changed event stops the run before anything is sent", async () => {
    const place = folderPlace();
    let isBroken = true;
    const { log, runtime } = createProject(
      {
        a: () => 1,
        w: () => {
          if (isBroken) throw new Error("broken");
        },
      },
      { runs: place.open() },
    );
    await errorOf(plan({}, { runtime, run: "r" }));
    isBroken = false;
    const calls = log.length;
    const entries = await place.entries(run);
    await place.setEntries(run, entries.toSpliced(1, 1));
    for (const call of [
      () => plan({}, { runtime, run: "r" }),
      () => resumeRun(tools, "r", { runtime }),
    ])
      expect(await errorOf(call())).toMatchObject({
        failure: { code: "PLAN.RUN_UNAVAILABLE", reason: "store" },
        outcome: "not-done",
        cause: { problem: "changed" },
      });
    expect(log).toHaveLength(calls);
  });
});

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  describe("a database that changes while the plan runs", () => {
    const failing = (schema: string, code: string) =>
      `CREATE FUNCTION ${schema}.failing() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'secret' USING ERRCODE = '${code}'; END $$;
       CREATE TRIGGER failing BEFORE INSERT ON ${schema}.event EXECUTE FUNCTION ${schema}.failing()`;

    test.each<[string, string, (schema: string) => string]>([
      ["is full", "full", (schema) => failing(schema, "53100")],
      ["may not be written", "read-only", (schema) => failing(schema, "42501")],
      ["is a standby", "read-only", (schema) => failing(schema, "25006")],
      ["loses its tables", "not-migrated", (schema) => `DROP SCHEMA ${schema} CASCADE`],
    ])(
      "the plan ends with an unknown outcome if the database %s during a write",
      async (_, problem, change) => {
        const place = await postgresPlace(database());
        const runs = place.open();
        onTestFinished(() => runs.close());
        const { runtime } = createProject(
          {
            a: () => 1,
            async w() {
              await database().run(change(place.schema));
              return "made";
            },
          },
          { runs },
        );
        const error = await errorOf(plan({}, { runtime, run: "r" }));
        expect(error).toMatchObject({
          failure: { code: "PLAN.RUN_UNAVAILABLE", run: "r", reason: "store" },
          outcome: "unknown",
          cause: { name: "RunStoreError", problem, help: expect.any(String) },
        });
        expect(error.message).not.toContain("secret");
      },
    );
  });
});
