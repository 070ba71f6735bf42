/** Every diagnostic of the whole compiler occurs in its example, and its fix has no error. */
import { describe, expect, test } from "vitest";
import { createRegistry } from "../../../src/bindings/registry.js";
import { diagnosticEntriesOf } from "../../../src/compiler/diagnostics.js";
import { checkDiagnosticEntries } from "../../../src/compiler/check/diagnostics.js";
import type { ProjectFiles } from "../../../src/core/diagnostic-entry.js";
import { compileUntyped } from "./compile-untyped.js";

const onDisk = "it is about the disk: test/compiler/read";
const byCommandLine = "it is found by the command line, with git's or a module's help: test/cli";

/** Codes that files in memory can't give, and where they are tested. */
const elsewhere: Readonly<Record<string, string>> = {
  "read/no-skills-folder": onDisk,
  "read/no-skills": onDisk,
  "read/no-skill-folder": onDisk,
  "read/misnamed-skill": onDisk,
  "read/misnamed-config": onDisk,
  "read/nested-skill": onDisk,
  "read/two-skill-files": onDisk,
  "read/two-metadata-files": onDisk,
  "read/misnamed-metadata": onDisk,
  "read/too-large": onDisk,
  "read/not-utf-8": onDisk,
  "read/unreadable": onDisk,
  "read/merge-conflict": onDisk,
  "read/link": onDisk,
  "read/not-in-project": onDisk,
  "read/no-policies-folder": onDisk,
  "read/policy-not-read": onDisk,
  "policy/cedar-missing": "it is about what is installed: test/policy",
  "credential/secrets-not-ignored": byCommandLine,
  "rollback/may-need-key": "`skillc check --env` finds it: test/cli/commands",
  "rollback/no-key": "`skillc check --env` finds it: test/cli/commands",
  "generate/type-error": byCommandLine,
};

const diagnostics = diagnosticEntriesOf(createRegistry());

async function codesOf(files: ProjectFiles): Promise<readonly string[]> {
  const { diagnostics } = await compileUntyped(files);
  return diagnostics.map(({ code, severity }) => `${severity} ${code}`);
}

test("every code that is tested elsewhere exists", () => {
  expect(Object.keys(elsewhere).filter((code) => !(code in diagnostics))).toEqual([]);
});

describe.each(Object.entries(diagnostics).filter(([code]) => !(code in elsewhere)))(
  "%s",
  (code, entry) => {
    test("occurs in its example", async () => {
      const found = await codesOf(entry.example);
      expect(found).toContain(`${entry.severity} ${code}`);
      const others = found.filter((each) => each.startsWith("error") && !each.endsWith(` ${code}`));
      // An example of a kind's own, or of what can't be read, may break other rules with it.
      expect(code in checkDiagnosticEntries ? others : []).toEqual([]);
    });

    test("does not occur after the fix, nor does any error", async () => {
      const found = await codesOf(entry.fixed);
      expect(found.filter((each) => each.endsWith(` ${code}`) || each.startsWith("error"))).toEqual(
        [],
      );
    });
  },
);
