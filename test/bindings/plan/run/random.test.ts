/** Random plans: whatever their order and their limits, each promise about the order holds. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { settleStep } from "../../../../src/runtime/runs/index.js";
import { runs } from "../../../support/runs.js";
import { createMemoryRuns } from "./memory-runs.js";
import { type Any, createProject, planOf, reads, writes } from "./plan-project.js";

interface RandomStep {
  readonly isWrite: boolean;
  /** Earlier steps, by their distance. */
  readonly after: readonly number[];
  /** Number of items of a loop; undefined for one call. */
  readonly items: number | undefined;
}

const randomSteps: fc.Arbitrary<readonly RandomStep[]> = fc.array(
  fc.record({
    isWrite: fc.boolean(),
    after: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
    items: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
  }),
  { maxLength: 12 },
);

/** The plan, with each output the sum of the outputs that it waits for, and one. */
function planFrom(steps: readonly RandomStep[], concurrency: number) {
  const declared = steps.map(({ after, isWrite, items }, at) => {
    const earlier = [...new Set(after.map((far) => at - far).filter((each) => each >= 0))];
    const sum = (from: Any) =>
      1 + earlier.reduce((all, each) => all + total(from[`step_${each}`]), 0);
    const ids = earlier.map(String);
    const common = {
      after: ids,
      needs: ids,
      params: (from: Any, item: Any) => ({ at, item, sum: sum(from) }),
      ...(items !== undefined && { list: () => Array.from({ length: items }, (_, each) => each) }),
    };
    return isWrite ? writes(`${at}`, "w", common) : reads(`${at}`, "a", common);
  });
  const output = (from: Any) => steps.map((_, at) => total(from[`step_${at}`]));
  return planOf(declared, { concurrency, output });
}

const total = ({ output }: { readonly output: number | readonly number[] }): number =>
  Array.isArray(output) ? output.reduce((sum, each) => sum + each, 0) : Number(output);

/** What the plan gives if its steps are made one after another. */
function expected(steps: readonly RandomStep[]): readonly number[] {
  const totals: number[] = [];
  for (const [at, { after, items = 1 }] of steps.entries()) {
    const earlier = new Set(after.map((far) => at - far).filter((each) => each >= 0));
    const sum = 1 + [...earlier].reduce((all, each) => all + (totals[each] ?? 0), 0);
    totals.push(sum * items);
  }
  return totals;
}

test("a random plan gives what its steps give one after another, within its limits", async () => {
  await fc.assert(
    fc.asyncProperty(
      randomSteps,
      fc.integer({ min: 1, max: 5 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
      async (steps, concurrency, delays) => {
        let running = 0;
        let most = 0;
        const open = new Map<number, number>();
        let overlaps = 0;
        const serve = async ({ at, sum }: Any) => {
          running += 1;
          most = Math.max(most, running);
          const own = (open.get(at) ?? 0) + 1;
          open.set(at, own);
          if (own > 1 && steps[at]?.isWrite === true) overlaps += 1;
          for (let turn = delays.next().value; turn > 0; turn -= 1)
            await new Promise((resolve) => setImmediate(resolve));
          open.set(at, (open.get(at) ?? 0) - 1);
          running -= 1;
          return sum;
        };
        const { runtime } = createProject({ a: serve, w: serve });
        const result = await planFrom(steps, concurrency)({}, { runtime });
        expect(result.data).toEqual(expected(steps));
        expect(most).toBeLessThanOrEqual(concurrency);
        // The writes of a loop are made one after another.
        expect(overlaps).toBe(0);
      },
    ),
    { numRuns: runs(200) },
  );
});

test("a random plan that crashes at random events ends as if it had not, with each write made once", async () => {
  await fc.assert(
    fc.asyncProperty(
      randomSteps,
      fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 4 }),
      async (steps, crashes) => {
        const store = createMemoryRuns();
        const made: string[] = [];
        const { runtime } = createProject(
          {
            a: ({ sum }) => sum,
            w: ({ at, item = "", sum }) => {
              made.push(`${at}:${item}`);
              return sum;
            },
          },
          { runs: store },
        );
        const plan = planFrom(steps, 3);
        const goOn = () => plan({}, { runtime, run: "r" }).catch((error: unknown) => error as Any);
        for (const at of crashes) {
          store.crashAt(at);
          await goOn();
          store.restart();
        }
        let answer = await goOn();
        // A person finds out that the write was made.
        while (answer.code === "PLAN.OUTCOME_UNKNOWN") {
          const { call, step: key } = answer.failure;
          const found = { call, as: "done", answer: outputOf(steps, key) } as const;
          await settleStep(store, { id: "r" }, { ...found, because: "seen" });
          answer = await goOn();
        }
        expect(answer).toEqual({ status: "success", data: expected(steps) });
        const writes = steps.map(({ isWrite, items = 1 }) => (isWrite ? items : 0));
        expect(made).toHaveLength(writes.reduce((sum, each) => sum + each, 0));
        expect(new Set(made).size).toBe(made.length);
      },
    ),
    { numRuns: runs(200) },
  );
});

/** The output of one call. */
function outputOf(steps: readonly RandomStep[], key: string): number {
  const at = Number(key.split(":")[0]);
  const items = steps[at]?.items ?? 1;
  return (expected(steps)[at] ?? 0) / items;
}
