/** Answers of hundreds of megabytes in runs: they are stored whole, or rejected with a clear error. */
import { describe, expect, onTestFinished, test } from "vitest";
import {
  createProject,
  errorOf,
  planOf,
  reads,
  writes,
} from "../../bindings/plan/run/plan-project.js";
import { postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { ownDatabase } from "../ledger/kinds.js";
import { folderPlace, postgresPlace, type RunsPlace } from "./places.js";
import { beginning, held } from "./store-promises.js";

const megabyte = 1024 * 1024;
const run = { id: "large" };
const textOf = (megabytes: number) => "x".repeat(megabytes * megabyte);
const answered = (key: string, result: unknown) =>
  ({ type: "answered", key, call: "c", result: result as never }) as const;
/** The machine may be busy, and nothing here depends on the time. */
const timeout = 300_000;

function largeAnswers(open: () => RunsPlace | Promise<RunsPlace>): void {
  test(
    "an answer of 100 MB is stored and read again",
    async () => {
      const place = await open();
      const store = place.open();
      const one = await held(store, run, beginning);
      const text = textOf(100);
      await one.append(answered("1", text));
      await one.append({ type: "begun", key: "2", call: "c" });
      await one.release();
      const [first, second] = (await held(place.open(), run)).events;
      expect(first?.type === "answered" && first.result === text).toBe(true);
      expect(second).toMatchObject({ type: "begun", key: "2" });
    },
    timeout,
  );

  test(
    "three answers of 60 MB that come at once are stored in order",
    async () => {
      const place = await open();
      const one = await held(place.open(), run, beginning);
      const text = textOf(60);
      const keys = Array.from({ length: 3 }, (_, n) => `${n}`);
      await Promise.all(keys.map((key) => one.append(answered(key, text))));
      await one.release();
      const kept = await place.open().read(run);
      expect(kept?.events.map((each) => "key" in each && each.key)).toEqual(keys);
    },
    timeout,
  );

  test.each<[string, () => unknown]>([
    ["300 MB", () => textOf(300)],
    [
      "550 MB, which is more than a string of JavaScript can have",
      () => Array<string>(11).fill(textOf(50)),
    ],
    ["45 MB that JSON writes six times as long", () => "\u0001".repeat(45 * megabyte)],
  ])(
    "an answer of %s is rejected, and the run goes on",
    async (_, make) => {
      const place = await open();
      // Such values block the process while they are made, and a lease ends in that time.
      const result = make();
      const one = await held(place.open(), run, beginning);
      await expect(one.append(answered("1", result))).rejects.toMatchObject({
        name: "RunStoreError",
        problem: "too-large",
        message: expect.stringContaining("256 MiB"),
        help: expect.any(String),
      });
      await one.append({ type: "begun", key: "2", call: "c" });
      expect((await place.open().read(run))?.events).toHaveLength(1);
    },
    timeout,
  );

  test(
    "parameters of 300 MB begin no run",
    async () => {
      const store = (await open()).open();
      await expect(store.hold(run, { ...beginning, params: textOf(300) })).rejects.toMatchObject({
        problem: "too-large",
      });
      expect(await store.read(run)).toBeUndefined();
    },
    timeout,
  );

  test(
    "a write whose answer is too large ends the plan with an unknown outcome, and is not made again",
    async () => {
      const store = (await open()).open();
      const { log, runtime } = createProject(
        { a: () => 1, w: () => textOf(300) },
        { runs: store, ledger: false },
      );
      const plan = planOf([reads("1", "a"), writes("2", "w", { after: ["1"] })]);
      expect(await errorOf(plan({}, { runtime, run: "r" }))).toMatchObject({
        failure: { code: "PLAN.RUN_UNAVAILABLE", reason: "store" },
        outcome: "unknown",
        cause: { problem: "too-large" },
      });
      expect(await errorOf(plan({}, { runtime, run: "r" }))).toMatchObject({
        code: "PLAN.OUTCOME_UNKNOWN",
        step: "2",
      });
      expect(log).toEqual(["+a", "-a", "+w", "-w"]);
    },
    timeout,
  );
}

describe("large answers in a folder", () => {
  largeAnswers(folderPlace);
});

await describeWithService(postgresService, () => {
  const database = ownDatabase();
  describe("large answers in PostgreSQL", () => {
    largeAnswers(async () => {
      const place = await postgresPlace(database(), { answerWithinMs: timeout, leaseMs: timeout });
      onTestFinished(async () => {
        await database().run(`DROP SCHEMA ${place.schema} CASCADE`);
      });
      return place;
    });
  });
});
