import { expect, test } from "vitest";
import { expectedFailures, expectedFailuresOfEarlier } from "./expected-failures.js";
import { serveFixture } from "./fixture-server.js";
import { type JudgedScenario, judge, tableOf } from "./judged-scenarios.js";
import { runSuite } from "./suite.js";

const isGood = ({ result }: JudgedScenario) => !/unexpected|stale/.test(result);

test("the server fails only expected scenarios of the specification of 2026-07-28", async () => {
  const args = ["--requirements", "2026-07-28"];
  const results = await runSuite({ suite: "conformance", args }, await serveFixture());
  const judged = judge(results, expectedFailures);
  console.log(`MCP's conformance suite for 2026-07-28\n${tableOf(judged)}`);
  expect(judged.filter((each) => !isGood(each))).toEqual([]);
  expect(results.size).toBeGreaterThan(45);
});

test("the server fails only expected scenarios of earlier specifications", async () => {
  const args = ["--suite", "all"];
  const results = await runSuite({ suite: "conformance-of-earlier", args }, await serveFixture());
  const judged = judge(results, expectedFailuresOfEarlier);
  console.log(`MCP's conformance suite for earlier specifications\n${tableOf(judged)}`);
  expect(judged.filter((each) => !isGood(each))).toEqual([]);
  expect(results.size).toBeGreaterThan(30);
});

test.each(["directory", "enumeration", "manifest"])(
  "the server fails no scenario of the Skills extension about its %s",
  async (part) => {
    const args = ["--scenario", `sep-2640-skills-${part}`];
    const results = await runSuite({ suite: "conformance", args }, await serveFixture());
    const judged = judge(results, {});
    console.log(tableOf(judged));
    expect(judged.filter((each) => !isGood(each))).toEqual([]);
  },
);
