import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { policyPatterns } from "../../../src/compiler/config/policy-files.js";
import { readDiagnosticEntries } from "../../../src/compiler/read/diagnostics.js";
import { readGlobs } from "../../../src/compiler/read/read-globs.js";
import { reportUnreadPolicies } from "../../../src/compiler/read/unread-policies.js";
import { createReport } from "../../../src/core/report.js";

const policy = "forbid (principal, action, resource);\n";

function setUp(...paths: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), "skillc-policies-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), policy);
  }
  return root;
}

async function read(root: string, policies = "policies", isWritten = false) {
  const report = createReport(readDiagnosticEntries);
  const { files, unread } = await readGlobs(root, policyPatterns({ policies }), report);
  const known = new Set([...files.keys(), ...unread.keys()]);
  const setting = isWritten ? { file: "skillc.yaml", start: 0, end: 0 } : undefined;
  await reportUnreadPolicies(root, { name: policies, setting, known }, report);
  return {
    read: [...files.keys()],
    helps: report.diagnostics().map(({ help }) => help),
    told: report.diagnostics().map(({ code, message, severity }) => {
      expect(severity).toBe("error");
      return `${code} ${message}`;
    }),
  };
}

test.each([
  ["sub/a.cedar", "`policies/sub/a.cedar` is in a subfolder, where skillc reads no policy"],
  ["a.CEDAR", "`a.CEDAR` is not the name of a policy, so skillc does not read it"],
  [".a.cedar", "`.a.cedar` is not the name of a policy, so skillc does not read it"],
  [".cedar", "`.cedar` is not the name of a policy, so skillc does not read it"],
  ["a.ceder", "`a.ceder` is not the name of a policy, so skillc does not read it"],
  ["a.cedr", "`a.cedr` is not the name of a policy, so skillc does not read it"],
  ["a.ceadr", "`a.ceadr` is not the name of a policy, so skillc does not read it"],
  ["a.cedars", "`a.cedars` is not the name of a policy, so skillc does not read it"],
  ["a.cedar.txt", "`a.cedar.txt` is not the name of a policy, so skillc does not read it"],
  [
    "a.cedar.disabled",
    "`a.cedar.disabled` is not the name of a policy, so skillc does not read it",
  ],
  ["a.cedar.bak", "`a.cedar.bak` is not the name of a policy, so skillc does not read it"],
  ["a.cedar~", "`a.cedar~` is not the name of a policy, so skillc does not read it"],
])("reports a policy whose name keeps it from being read: %s", async (path, message) => {
  expect(await read(setUp("policies/b.cedar", `policies/${path}`))).toMatchObject({
    read: ["policies/b.cedar"],
    told: [`read/policy-not-read ${message}`],
  });
});

test.each(["../shared.cedar", "../../nowhere.cedar", "b.cedar"])(
  "reports a policy that is a link, wherever it leads: %s",
  async (target) => {
    const root = setUp("shared.cedar", "policies/b.cedar");
    symlinkSync(target, join(root, "policies/a.cedar"));
    expect(await read(root)).toMatchObject({
      read: ["policies/b.cedar"],
      told: ["read/policy-not-read `policies/a.cedar` is a link, which skillc does not follow"],
    });
  },
);

test.each([
  [
    "sub/a.test.yaml",
    "`policies/sub/a.test.yaml` is in a subfolder, where skillc reads no test of policies",
    "move it up",
  ],
  [
    "a.test.YAML",
    "`a.test.YAML` is not the name of a test of policies, so skillc does not read it",
    "`a.test.yaml`",
  ],
  [
    "a.tests.yaml",
    "`a.tests.yaml` is not the name of a test of policies, so skillc does not read it",
    "`a.test.yaml`",
  ],
  [
    "a_test.yml",
    "`a_test.yml` is not the name of a test of policies, so skillc does not read it",
    "`a.test.yaml`",
  ],
  [
    "a.test.json",
    "`a.test.json` is not the name of a test of policies, so skillc does not read it",
    "`a.test.yaml`",
  ],
  [
    ".a.test.yaml",
    "`.a.test.yaml` is not the name of a test of policies, so skillc does not read it",
    "`a.test.yaml`",
  ],
  [
    "a.test.yalm",
    "`a.test.yalm` is not the name of a test of policies, so skillc does not read it",
    "`a.test.yaml`",
  ],
  [
    "a.test.yaml.txt",
    "`a.test.yaml.txt` is not the name of a test of policies, so skillc does not read it",
    "`a.test.yaml`",
  ],
  [
    "test.yaml",
    "`test.yaml` is not the name of a test of policies, so skillc does not read it",
    "`policies.test.yaml`",
  ],
])("reports a test whose name keeps it from being read: %s", async (path, message, help) => {
  const { helps, read: files, told } = await read(setUp("policies/b.test.yml", `policies/${path}`));
  expect(files).toEqual(["policies/b.test.yml"]);
  expect(told).toEqual([`read/policy-not-read ${message}`]);
  expect(helps.join()).toContain(help);
});

test("reports a test that is a link", async () => {
  const root = setUp("shared.test.yaml", "policies/b.cedar");
  symlinkSync("../shared.test.yaml", join(root, "policies/a.test.yaml"));
  expect((await read(root)).told).toEqual([
    "read/policy-not-read `policies/a.test.yaml` is a link, which skillc does not follow",
  ]);
});

test("reports a folder of policies behind a link", async () => {
  const root = setUp("shared/a.cedar", "policies/b.cedar");
  symlinkSync("../shared", join(root, "policies/shared"));
  expect((await read(root)).told).toEqual([
    "read/policy-not-read `policies/shared` is a link, which skillc does not follow",
  ]);
});

test("reports policies behind a link with the usual name as policies", async () => {
  const root = setUp("shared/a.cedar");
  symlinkSync("shared", join(root, "policies"));
  const { read: files, told } = await read(root);
  expect({ files, told: [...new Set(told)] }).toEqual({
    files: [],
    told: ["read/not-in-project `policies` is a link, which skillc does not follow"],
  });
});

test("reports a pipe or a folder with the name of a policy, and does not wait for it", async () => {
  const root = setUp("policies/folder.cedar/a.txt");
  execFileSync("mkfifo", [join(root, "policies/pipe.cedar")]);
  expect((await read(root)).told).toEqual([
    "read/policy-not-read `policies/folder.cedar` has the name of a policy, but is not a file",
    "read/policy-not-read `policies/pipe.cedar` has the name of a policy, but is not a file",
  ]);
});

test("requires the folder of policies that skillc.yaml names", async () => {
  const root = setUp("policies/a.cedar", "file");
  expect((await read(root, "polices", true)).told).toEqual([
    "read/no-policies-folder there is no folder `polices` in the project",
  ]);
  expect((await read(root, "file", true)).told).toEqual([
    "read/no-policies-folder no folder of policies is `file` in the project",
  ]);
  expect((await read(setUp("a.txt"))).told).toEqual([]);
});

test("reports neither files that are read nor files that are no policy", async () => {
  const root = setUp(
    "policies/a.cedar",
    "policies/a.test.yaml",
    "policies/.#a.test.yaml",
    "policies/latest.yaml",
    "policies/README.md",
    "policies/notes/readme.txt",
    "policies/node_modules/x/b.cedar",
    "policies/.#a.cedar",
    "policies/._a.cedar",
    "policies/a.cedar~",
    "policies/#a.cedar#",
    "policies/.a.cedar.swp",
    "policies/a.cedar.orig",
    "policies/a.cedar.md",
    "policies/schema.cedarschema",
    "policies/entities.json",
  );
  expect((await read(root)).told).toEqual([]);
});

test("suggests the correct name for a misspelt policy", async () => {
  const { helps } = await read(setUp("policies/b.ceder", "policies/c.cedar.txt"));
  expect(helps).toEqual(["rename it to `b.cedar`", "rename it to `c.cedar`"]);
});
