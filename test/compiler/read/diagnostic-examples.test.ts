import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesOfSettings } from "../../../src/bindings/kind-settings.js";
import { folderSetting, ignored, parseConfig } from "../../../src/compiler/config/parse-config.js";
import { readGlobs } from "../../../src/compiler/read/read-globs.js";
import { readDiagnosticEntries } from "../../../src/compiler/read/diagnostics.js";
import { reportUnreadPolicies } from "../../../src/compiler/read/unread-policies.js";
import { policyPatterns } from "../../../src/compiler/config/policy-files.js";
import { readProject } from "../../../src/compiler/read-project.js";
import type { ProjectFiles } from "../../../src/core/diagnostic-entry.js";
import { createReport } from "../../../src/core/report.js";

async function codesOf(project: ProjectFiles): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), "skillc-example-"));
  for (const [path, text] of Object.entries(project)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const report = createReport(readDiagnosticEntries);
  const { configFile } = await readProject(root, report);
  const config = parseConfig(configFile, ignored);
  const named = [...filesOfSettings(config), ...policyPatterns(config)];
  const { files, unread } = await readGlobs(root, named, report);
  const known = new Set([...files.keys(), ...unread.keys()]);
  const setting = configFile && folderSetting(configFile, "policies");
  await reportUnreadPolicies(root, { name: config.policies, setting, known }, report);
  rmSync(root, { recursive: true });
  return report.diagnostics().map((each) => each.code);
}

/** No text can bring these about: their examples show what the file would look like. */
const withoutExample = new Set(["read/not-utf-8", "read/link"]);
const sensitive = process.platform !== "darwin" && process.platform !== "win32";

describe("the example of a code", () => {
  const entries = Object.entries(readDiagnosticEntries).filter(
    ([code]) => !withoutExample.has(code) && (sensitive || code !== "read/two-skill-files"),
  );
  it.each(entries)("causes the diagnostic %s, and its fix does not", async (code, entry) => {
    expect(await codesOf(entry.example)).toContain(code);
    expect(await codesOf(entry.fixed)).toEqual([]);
  });
});
