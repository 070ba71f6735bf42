import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readDiagnosticEntries } from "../../../src/compiler/read/diagnostics.js";
import { readProject } from "../../../src/compiler/read-project.js";
import { createReport } from "../../../src/core/report.js";

const skill = "---\nname: desk\ndescription: Answer customers.\n---\n";

async function read(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), "skillc-misnamed-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({ "skills/desk/SKILL.md": skill, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const report = createReport(readDiagnosticEntries);
  await readProject(root, report);
  return report
    .diagnostics()
    .map(({ code, help, severity, span }) => `${severity} ${code} ${span.file}: ${help}`);
}

test.each([
  "skillc.yml",
  "Skillc.yaml",
  "SKILLC.YAML",
  ".skillc.yaml",
  ".skillc.yml",
  "skilc.yaml",
  "sillkc.yaml",
  "skillc.yalm",
  "skillc.yam",
  "skillc.yaml.txt",
  "skillc.yml.txt",
  "skillc.json",
  "skillc.toml",
  "skillc.config.yaml",
  "skillc-config.yml",
  ".skillcrc.json",
])("settings under the name %s are an error", async (name) => {
  // A file system may hold some of these to be skillc.yaml.
  const [first, ...others] = await read({ [name]: "governance: strict\n" });
  expect(others).toEqual([]);
  expect(first).toBe(`error read/misnamed-config ${name}: rename it to \`skillc.yaml\``);
});

test("settings under a second name beside skillc.yaml are an error", async () => {
  expect(await read({ "skillc.yaml": "skills: skills\n", "skillc.yml": "" })).toEqual([
    "error read/misnamed-config skillc.yml: skillc reads `skillc.yaml` instead: keep one of the two",
  ]);
});

test("files of other programs, and templates of settings, are left alone", async () => {
  const names = [
    "skills.yaml",
    "skill.yml",
    "skills.json",
    "skillc.lock",
    "skillc.example.yaml",
    "skillc.yaml.example",
    "skillc.yaml.orig",
    "skillc.md",
    "skillc.ts",
    "skillet.yaml",
    "tsconfig.json",
    "config.yaml",
    "compose.yml",
  ];
  expect(await read(Object.fromEntries(names.map((name) => [name, ""])))).toEqual([]);
});

test.each([
  ["polices/a.cedar", "polices"],
  ["policy/a.cedar", "policy"],
  ["Policies/a.cedar", "Policies"],
  ["a.cedar", "a.cedar"],
])("a policy outside of the folder of policies is an error: %s", async (path, place) => {
  const [first = "", ...others] = await read({ [path]: "forbid (principal, action, resource);\n" });
  expect(others).toEqual([]);
  expect(first).toContain(`error read/policy-not-read ${place}: put policies directly into`);
});

test("a project that has or names its folder of policies may keep others elsewhere", async () => {
  const policy = "forbid (principal, action, resource);\n";
  expect(await read({ "policies/a.cedar": policy, "policy/b.cedar": policy })).toEqual([]);
  expect(await read({ "skillc.yaml": "policies: rules\n", "policy/b.cedar": policy })).toEqual([]);
  expect(await read({ "policy/readme.txt": policy, "cedar/a.cedar": policy })).toEqual([]);
});
