import { describe, expect, test } from "vitest";
import { configDiagnosticEntries } from "../../../src/compiler/config/diagnostics.js";
import { parseConfig } from "../../../src/compiler/config/parse-config.js";
import { parseDiagnosticEntries } from "../../../src/compiler/parse/diagnostics.js";
import { createReport } from "../../../src/core/report.js";

function read(text: string) {
  const report = createReport({ ...configDiagnosticEntries, ...parseDiagnosticEntries });
  const { governance, mcp } = parseConfig({ path: "skillc.yaml", text }, report);
  return { governance, mcp, found: report.diagnostics() };
}

const usual = { answerWithinMs: 50_000, maxResultChars: 100_000 };

describe("the MCP server of skillc.yaml", () => {
  test.each([
    ["skills: skills", undefined],
    ["mcp:", usual],
    ["mcp: {}", usual],
    ["mcp: { app: ./src/../src/app.ts }", { ...usual, app: "./src/app.ts" }],
    ["mcp: { app: '@acme/app' }", { ...usual, app: "@acme/app" }],
    ["mcp: { answer_within: 2m }", { ...usual, answerWithinMs: 120_000 }],
    ["mcp: { answer_within: 1500 }", { ...usual, answerWithinMs: 1500 }],
    ["mcp: { max_result_chars: 5000 }", { ...usual, maxResultChars: 5000 }],
    [
      "mcp: { caller: { tenant: acme, subject: ada, roles: [a], scopes: [b.c] } }",
      { ...usual, caller: { tenant: "acme", subject: "ada", roles: ["a"], scopes: ["b.c"] } },
    ],
    [
      "mcp: { auth: { resource: 'https://m.example/mcp', issuers: [{ issuer: '${ISSUER}' }], claims: { tenant: org } } }",
      {
        ...usual,
        auth: {
          resource: "https://m.example/mcp",
          issuers: [{ issuer: "${ISSUER}" }],
          claims: { tenant: "org" },
        },
      },
    ],
  ])("reads `%s`, and makes no project governed", (text, mcp) => {
    expect(read(text)).toEqual({ governance: undefined, mcp, found: [] });
  });

  test.each([
    ["mcp: 12", "config/wrong-type"],
    ["mcp: { ap: ./app.ts }", "config/unknown-key"],
    ["mcp: { app: ../app.ts }", "config/module"],
    ["mcp: { app: /app.ts }", "config/module"],
    ["mcp: { app: 7 }", "config/wrong-type"],
    ["mcp: { answer_within: 0s }", "config/wrong-value"],
    ["mcp: { answer_within: soon }", "config/wrong-value"],
    ["mcp: { max_result_chars: 10 }", "config/wrong-value"],
    ["mcp: { caller: { origin: api } }", "config/unknown-key"],
    ["mcp: { caller: { subject: '' } }", "config/wrong-value"],
    ["mcp: { caller: ada }", "config/wrong-type"],
    ["mcp: { auth: { issuers: [{ issuer: 'https://a.example' }] } }", "config/missing-key"],
    ["mcp: { auth: { resource: 'https://m.example', issuers: [] } }", "config/wrong-value"],
    [
      "mcp: { auth: { resource: mcp, issuers: [{ issuer: 'https://a.example' }] } }",
      "config/wrong-value",
    ],
  ])("reports `%s`, and keeps the defaults", (text, code) => {
    const { found, mcp } = read(text);
    expect(found).toMatchObject([{ code }]);
    expect(mcp).toMatchObject(usual);
  });
});
