import { describe, expect, test } from "vitest";
import { configDiagnosticEntries } from "../../../src/compiler/config/diagnostics.js";
import { parseConfig } from "../../../src/compiler/config/parse-config.js";
import { parseDiagnosticEntries } from "../../../src/compiler/parse/diagnostics.js";
import { secretParts } from "../../../src/compiler/read/read-config-file.js";
import { createReport } from "../../../src/core/report.js";

function read(text: string) {
  const report = createReport({ ...configDiagnosticEntries, ...parseDiagnosticEntries });
  const { governance, runs } = parseConfig(
    { path: "skillc.yaml", text, hidden: secretParts(text) },
    report,
  );
  return { governance, runs, found: report.diagnostics() };
}

describe("the runs of skillc.yaml", () => {
  test.each([
    ["skills: skills", undefined],
    ["runs: ${RUNS_URL}", { place: "${RUNS_URL}" }],
    ["runs: ./.skillc/runs/", { place: ".skillc/runs" }],
    ["runs: state", { place: "state" }],
    ["key: ${RUNS_KEY}", { key: "${RUNS_KEY}" }],
    ['runs: state\nkey: "${RUNS_KEY}"', { place: "state", key: "${RUNS_KEY}" }],
  ])("reads `%s`, and makes no project governed", (text, runs) => {
    expect(read(text)).toEqual({ governance: undefined, runs, found: [] });
  });

  test.each([
    ["runs: postgres://me:hunter2@db.example/x", "config/wrong-value"],
    ["runs: $hunter2", "config/wrong-value"],
    ["runs: C:\\hunter2", "config/wrong-value"],
    ['runs: ""', "config/wrong-value"],
    ["runs: 12", "config/wrong-type"],
    ["runs: ../hunter2", "config/path"],
    ["runs: /hunter2", "config/path"],
    ["runs: { hunter2: x }", "config/wrong-type"],
    ["key: aHVudGVyMg==hunter2", "config/wrong-value"],
    ["key: ${RUNS KEY}", "config/wrong-value"],
    ["key: [hunter2]", "config/wrong-type"],
  ])("reports `%s` without repeating it", (text, code) => {
    const { found, runs } = read(text);
    expect(found).toMatchObject([{ code }]);
    expect(JSON.stringify(found.map(({ help, message }) => [help, message]))).not.toContain(
      "hunter2",
    );
    expect(runs).toBeUndefined();
  });
});
