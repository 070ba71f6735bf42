import { describe, expect, it } from "vitest";
import { configDiagnosticEntries } from "../../../src/compiler/config/diagnostics.js";
import { parseConfig } from "../../../src/compiler/config/parse-config.js";
import { parseDiagnosticEntries } from "../../../src/compiler/parse/diagnostics.js";
import { parseSkill } from "../../../src/compiler/parse/parse-skill.js";
import type { ProjectFiles } from "../../../src/core/diagnostic-entry.js";
import { createReport } from "../../../src/core/report.js";

const diagnostics = { ...parseDiagnosticEntries, ...configDiagnosticEntries };

/** The codes that a project of one skill, `desk`, causes. */
function codesOf(project: ProjectFiles): string[] {
  const file = (path: string) => {
    const text = project[path];
    return text === undefined ? undefined : { path, text };
  };
  const report = createReport(diagnostics);
  parseConfig(file("skillc.yaml"), report);
  const skillFile = file("skills/desk/SKILL.md");
  if (skillFile) parseSkill("skills/desk", skillFile, file("skills/desk/metadata.json"), report);
  return report.diagnostics().map((each) => each.code);
}

describe("the example of a code", () => {
  it.each(Object.entries(diagnostics))(
    "causes the diagnostic %s, and its fix does not",
    (code, entry) => {
      expect(codesOf(entry.example)).toContain(code);
      expect(codesOf(entry.fixed)).toEqual([]);
    },
  );
});
