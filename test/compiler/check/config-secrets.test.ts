import { expect, test } from "vitest";
import { checkDiagnosticEntries } from "../../../src/compiler/check/diagnostics.js";
import { checkConfigSecrets } from "../../../src/compiler/check/check-config-secrets.js";
import { createReport } from "../../../src/core/report.js";

const text = "skills: skills\nsecrets:\n  ORDERS_TOKEN: local-value\n";

function check(secretNames: readonly string[], secretsIgnored: boolean | undefined) {
  const report = createReport(checkDiagnosticEntries);
  const config = {
    skills: "skills",
    out: "generated",
    policies: "policies",
    secretNames,
    bindings: [],
    settings: {},
  };
  checkConfigSecrets({ config, configFile: { path: "skillc.yaml", text }, secretsIgnored, report });
  return report.diagnostics();
}

test("secrets in a file that git would commit are a warning at their key", () => {
  const [warning, ...others] = check(["ORDERS_TOKEN"], false);
  expect(others).toEqual([]);
  expect(warning?.severity).toBe("warning");
  expect(text.slice(warning?.span.start, warning?.span.end)).toBe("secrets");
});

test.each([
  ["git ignores the file", ["ORDERS_TOKEN"], true],
  ["there is no repository", ["ORDERS_TOKEN"], undefined],
  ["there are no secrets", [], false],
] as const)("causes no finding if %s", (_, names, ignored) => {
  expect(check(names, ignored)).toEqual([]);
});
