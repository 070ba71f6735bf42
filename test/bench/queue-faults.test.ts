import fc from "fast-check";
import { expect, test } from "vitest";
import { isKept, type Run } from "../../bench/queue-faults/count.js";
import { judge } from "../../bench/queue-faults/judge.js";
import type { LedgerEnd } from "../../bench/queue-faults/ledger-ends.js";
import { faultKinds, planBursts, planFaults } from "../../bench/queue-faults/plan.js";
import { countTable } from "../../bench/queue-faults/print.js";
import type { End, Published } from "../../bench/queue-faults/publish.js";
import type { SubjectTool } from "../../bench/queue-faults/subject.js";

const tool: SubjectTool = {
  name: "tool",
  limitMs: 5000,
  mayRepeat: false,
  call: () => Promise.reject(new Error("nobody calls it")),
};
const resolved: End = { kind: "resolved", status: "success" };
const rejectedAs = (outcome: string): End => ({
  kind: "rejected",
  code: "PROVIDER.TIMEOUT",
  outcome,
});
const told = (status: string): LedgerEnd =>
  status === "success" ? { status, code: undefined } : { status, code: "PROVIDER.TIMEOUT" };

/** A call, with what the ledger and the broker have of it. */
interface Case extends Partial<Published> {
  readonly end: End;
  readonly ledger?: readonly LedgerEnd[];
  readonly stored?: number;
}

function runOf(cases: readonly Case[], more: Partial<Run> = {}): Run {
  const published = cases.map((each, at) => ({ tool, ms: 10, ...each, id: String(at) }));
  const byTrace = new Map(cases.map(({ ledger = [] }, at) => [String(at), ledger]));
  return {
    published,
    ledger: { byTrace, problems: 0 },
    stored: cases.flatMap(({ stored = 0 }, at) => Array<string>(stored).fill(String(at))),
    faults: [],
    ...more,
  };
}

const broken = (run: Run) =>
  judge(run)
    .filter((each) => !isKept(each))
    .map(({ what }) => what);

const fine: readonly Case[] = [
  { end: resolved, ledger: [told("success")], stored: 1 },
  { end: rejectedAs("not-done"), ledger: [told("failed")] },
  { end: rejectedAs("unknown"), ledger: [told("unknown")] },
  { end: rejectedAs("unknown"), ledger: [told("unknown")], stored: 1 },
  { end: resolved, ledger: [told("success")], stored: 2, tool: { ...tool, mayRepeat: true } },
];

test("a run that keeps every promise is reported as counts", () => {
  const counts = judge(runOf(fine, { faults: ["cut", "drop", "cut"] }));
  const all = new Map(counts.map(({ what, count }) => [what, count]));
  expect(counts.every(isKept)).toBe(true);
  expect(Object.fromEntries(all)).toMatchObject({
    published: 5,
    "resolved: success": 2,
    "rejected: PROVIDER.TIMEOUT, not-done": 1,
    "rejected: PROVIDER.TIMEOUT, unknown": 2,
    "ledger: succeeded": 2,
    "ledger: failed": 1,
    "ledger: unknown": 2,
    "messages in the broker": 4,
    "duplicates in the broker, where they may be": 1,
    "longest call of 5000 ms": 10,
    "fault: cut": 2,
    "fault: drop": 1,
  });
});

const ledgerDiffers = "ended otherwise than the ledger tells";

test.each<[what: string, broken: Case, others: readonly string[]]>([
  ["resolved, and missing in the broker", { end: resolved, ledger: [told("success")] }, []],
  [
    "resolved with another status",
    { end: { kind: "resolved", status: "unroutable" }, ledger: [told("unroutable")] },
    [],
  ],
  [
    "rejected, and not in the ledger as failed or unknown",
    { end: rejectedAs("unknown") },
    [ledgerDiffers],
  ],
  [ledgerDiffers, { end: rejectedAs("unknown"), ledger: [told("failed")] }, []],
  [ledgerDiffers, { end: resolved, ledger: [told("success"), told("success")], stored: 1 }, []],
  [
    "rejected as `not-done`, and in the broker",
    { end: rejectedAs("not-done"), ledger: [told("failed")], stored: 1 },
    [],
  ],
  [
    "duplicates in the broker, where none may be",
    { end: resolved, ledger: [told("success")], stored: 2 },
    [],
  ],
  [
    "longest call of 5000 ms",
    { end: rejectedAs("unknown"), ledger: [told("unknown")], ms: 6001 },
    [],
  ],
])("reports a broken promise: %s", (what, each, others) => {
  expect(broken(runOf([...fine, each])).toSorted()).toEqual([what, ...others].toSorted());
  expect(countTable("title", judge(runOf([...fine, each])))).toMatch(/│ broken │/);
});

test("reports a message that nobody published, and a ledger that doesn't verify", () => {
  const run = runOf(fine);
  expect(broken({ ...run, stored: [...run.stored, "stranger"] })).toEqual([
    "in the broker, and never published",
  ]);
  expect(broken({ ...run, ledger: { ...run.ledger, problems: 1 } })).toEqual([
    "faults in the ledger's chain",
  ]);
});

test("the same seed gives the same calls and faults again", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 200 }), (seed, count) => {
      const bursts = planBursts(seed, count, 3);
      expect(bursts).toEqual(planBursts(seed, count, 3));
      expect(bursts.flatMap(({ tools }) => tools)).toHaveLength(count);
      const plan = { rounds: 4, restartEvery: 2 };
      const faults = planFaults(seed, plan);
      expect(faults).toEqual(planFaults(seed, plan));
      const times = (kind: string) => faults.filter((each) => each.kind === kind).length;
      expect(faultKinds.map(times)).toEqual([4, 4, 4, 4, 2]);
    }),
    { numRuns: 20 },
  );
});
