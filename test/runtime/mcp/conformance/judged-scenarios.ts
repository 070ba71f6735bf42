import type { ExpectedFailures } from "./expected-failures.js";
import type { Check, SuiteResult } from "./suite.js";

/** A scenario, and how its checks ended. */
export interface JudgedScenario {
  readonly name: string;
  /** `skipped` if no check applies to the server. */
  readonly result: "passed" | "skipped" | "expected failure" | "unexpected failure" | "stale entry";
  /** Number of checks that passed, and of those that apply to the server. */
  readonly checks: string;
  /** Reasons of expected failures, or the messages of the suite. */
  readonly reasons: readonly string[];
}

/** Compares a suite's results with the failures that are expected. Warnings count as failures. */
export function judge(results: SuiteResult, expected: ExpectedFailures): readonly JudgedScenario[] {
  const ran = Array.from(results, ([name, checks]) => judgeOne(name, checks, expected));
  const failed = new Set(
    Array.from(results).flatMap(([name, checks]) =>
      failuresIn(checks).flatMap(({ id }) => [name, `${name}:${id}`]),
    ),
  );
  const stale = Object.keys(expected).filter((key) => !failed.has(key));
  return [
    ...ran,
    ...stale.map(
      (name) => ({ name, checks: "", result: "stale entry", reasons: staleReasons }) as const,
    ),
  ];
}

/** The check that every message fits the specification, for which no scenario is excused. */
const onTheWire = "wire-schema-valid";
const staleReasons = ["it did not fail"];

function judgeOne(name: string, all: readonly Check[], expected: ExpectedFailures): JudgedScenario {
  const passed = all.filter(({ status }) => status === "SUCCESS").length;
  const failed = failuresIn(all);
  const checks = `${passed} of ${passed + failed.length}`;
  const failures = failed.map(({ errorMessage, id }) => ({
    reason: expected[`${name}:${id}`] ?? (id === onTheWire ? undefined : expected[name]),
    text: `${id}: ${errorMessage ?? "no message"}`,
  }));
  const unexpected = failures.filter(({ reason }) => reason === undefined);
  if (unexpected.length > 0)
    return {
      name,
      checks,
      result: "unexpected failure",
      reasons: unexpected.map(({ text }) => text),
    };
  const reasons = [...new Set(failures.map(({ reason }) => reason ?? ""))];
  if (reasons.length > 0) return { name, checks, result: "expected failure", reasons };
  return { name, checks, result: passed > 0 ? "passed" : "skipped", reasons };
}

function failuresIn(checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
}

/** Prints a line for each scenario: its name, its result, its checks, and reasons. */
export function tableOf(scenarios: readonly JudgedScenario[]): string {
  const rows = scenarios.map(({ checks, name, reasons, result }) => [
    name,
    result,
    checks,
    reasons.join("; "),
  ]);
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
