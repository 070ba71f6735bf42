import { expect, test } from "vitest";
import { judge, tableOf } from "./judged-scenarios.js";
import type { Check } from "./suite.js";

const passed: Check = { id: "one", status: "SUCCESS" };
const failed: Check = { id: "two", status: "FAILURE", errorMessage: "wrong" };
const warned: Check = { id: "three", status: "WARNING" };

test("a failure that nobody expects is found, and a warning too", () => {
  const results = new Map([["a", [passed, failed, warned]]]);
  const reasons = ["two: wrong", "three: no message"];
  expect(judge(results, {})).toEqual([
    { name: "a", checks: "1 of 3", result: "unexpected failure", reasons },
  ]);
});

test("an entry for one check excuses no other check", () => {
  const results = new Map([["a", [failed, warned]]]);
  const reasons = ["three: no message"];
  expect(judge(results, { "a:two": "none of ours" })).toEqual([
    { name: "a", checks: "0 of 2", result: "unexpected failure", reasons },
  ]);
});

test("an entry for a scenario excuses no message that misses the specification", () => {
  const results = new Map([
    ["a", [failed, { id: "wire-schema-valid", status: "FAILURE" } as const]],
  ]);
  expect(judge(results, { a: "none of ours" })).toMatchObject([
    { result: "unexpected failure", reasons: ["wire-schema-valid: no message"] },
  ]);
});

test("an expected failure has the reason of its entry", () => {
  const results = new Map([["a", [passed, failed]]]);
  const entry = {
    name: "a",
    checks: "1 of 2",
    result: "expected failure",
    reasons: ["none of ours"],
  };
  expect(judge(results, { a: "none of ours" })).toEqual([entry]);
  expect(judge(results, { "a:two": "none of ours" })).toEqual([entry]);
});

test("an entry is stale if its scenario passes or did not run", () => {
  const results = new Map([["a", [passed]]]);
  expect(judge(results, { a: "none of ours", "b:one": "none of ours" })).toEqual([
    { name: "a", checks: "1 of 1", result: "passed", reasons: [] },
    { name: "a", checks: "", result: "stale entry", reasons: ["it did not fail"] },
    { name: "b:one", checks: "", result: "stale entry", reasons: ["it did not fail"] },
  ]);
});

test("a scenario without a check that applies is skipped", () => {
  const results = new Map([["a", [{ id: "one", status: "SKIPPED" } as const]]]);
  expect(judge(results, {})).toEqual([
    { name: "a", checks: "0 of 0", result: "skipped", reasons: [] },
  ]);
});

test("the table has a line for each scenario", () => {
  const results = new Map([
    ["a", [failed]],
    ["long", [passed]],
  ]);
  expect(tableOf(judge(results, { a: "none of ours" }))).toBe(
    "a     expected failure  0 of 1  none of ours\nlong  passed            1 of 1",
  );
});
