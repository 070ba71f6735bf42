import { describe, expect, test } from "vitest";
import type { ProjectFiles } from "../../../src/core/diagnostic-entry.js";
import { policyTestDiagnosticEntries } from "../../../src/policy/test-diagnostics.js";
import { makeProject, skillc } from "../support/command-line.js";

interface Told {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly line: number;
  }[];
  readonly cases: readonly {
    readonly name: string;
    readonly passed: boolean;
    readonly decision: string;
    readonly decidedBy: readonly string[];
  }[];
  readonly coverage: {
    readonly percent: number;
    readonly policies: readonly { readonly id: string; readonly cases: number }[];
  };
}

async function tested(files: ProjectFiles, ...argv: readonly string[]) {
  const { code, stdout } = await skillc(makeProject(files), ["policy", "test", "--json", ...argv]);
  return { code, told: JSON.parse(stdout) as Told };
}

describe.each(Object.entries(policyTestDiagnosticEntries))("%s", (code, entry) => {
  test("occurs in its example, and not after the fix", async () => {
    const example = await tested(entry.example);
    expect(
      example.told.diagnostics
        .map((each) => each.code)
        .filter((each) => each !== "skill/not-portable"),
    ).toEqual([code]);
    expect(example.code).toBe(1);
    const fixed = await tested(entry.fixed);
    expect(fixed.code).toBe(0);
    expect(fixed.told.cases).toMatchObject([
      { passed: true, decision: "deny", decidedBy: ["refund-limit"] },
    ]);
  });
});

const skill = `---
name: order-desk
description: Gives money back.
tools_schema:
  refund:
    description: Refunds an order.
    governance:
      scopes: [orders.write]
      approval: { when: "context.args.amount_cents > 50000" }
    parameters:
      type: object
      properties:
        amount_cents: { type: integer, default: 100 }
        __entity: { type: string }
  get-order:
    description: Gets an order.
    id: string
---
Refund what was paid.
`;

const policies = `permit(principal in Role::"clerk", action in Action::"skill:order-desk", resource);
@id("limit") forbid(principal, action == Action::"order-desk/refund", resource) when { context.args.amount_cents > 100000 };
@id("other") forbid(principal, action, resource) when { context.origin == "system" };
`;

const project = (cases: string, settings = "governance: strict\n"): ProjectFiles => ({
  "skillc.yaml": settings,
  "skills/order-desk/SKILL.md": skill,
  "policies/desk.cedar": policies,
  "policies/desk.test.yaml": cases,
});

const clerk = "{ tenant: acme, roles: [clerk], scopes: [orders.write], origin: llm }";

describe("skillc policy test", () => {
  test("decides by scopes, policies, approvals and the implicit permit, with defaults filled in", async () => {
    const { code, told } = await tested(
      project(`cases:
  - { name: default, caller: ${clerk}, tool: order-desk/refund, decision: allow, policies: [policies/desk.cedar#1] }
  - { name: approval, caller: ${clerk}, tool: order-desk/refund, arguments: { amount_cents: 60000 }, decision: approval }
  - { name: limit, caller: ${clerk}, tool: order-desk/refund, arguments: { amount_cents: 1e15, __entity: x }, decision: deny, policies: [limit] }
  - { name: scopes, caller: { roles: [clerk] }, tool: order-desk/refund, decision: deny, policies: [scopes] }
  - { name: strict, caller: { origin: llm }, tool: order-desk/get-order, arguments: { id: "1" }, decision: deny, policies: [no-permit] }
  - { name: nobody, tool: order-desk/get-order, arguments: { id: "1" }, decision: deny, policies: [no-permit] }
  - { name: api, caller: { origin: api }, tool: order-desk/get-order, arguments: { id: "1" }, decision: allow, policies: [implicit-permit] }
`),
    );
    expect(told.diagnostics.filter((each) => each.code !== "skill/not-portable")).toEqual([]);
    expect(told.cases.map(({ name, passed }) => [name, passed])).toEqual(
      ["default", "approval", "limit", "scopes", "strict", "nobody", "api"].map((name) => [
        name,
        true,
      ]),
    );
    expect(told.coverage).toEqual({
      percent: 75,
      policies: [
        { id: "policies/desk.cedar#1", cases: 2 },
        { id: "limit", cases: 1 },
        { id: "other", cases: 0 },
        { id: "approval of order-desk/refund", cases: 1 },
      ],
    });
    expect(code).toBe(0);
  });

  test("decides about a file by the path that a call would read", async () => {
    const { told } = await tested({
      "skillc.yaml": "files: { folders: [data] }\n",
      "skills/desk/SKILL.md": `---
name: desk
description: Sends files.
tools_schema:
  up:
    description: Uploads a file.
    f: { type: object, x-skillc-file: true }
    binding: { type: http, method: POST, url: "\${API_URL}/up", body: { raw: "{f}" } }
---
Upload it.
`,
      "policies/desk.cedar": `@id("only-public")
forbid(principal, action, resource)
unless { context.args.f has path && context.args.f.path like "data/public/*" };
`,
      "policies/desk.test.yaml": `cases:
  - { name: public, tool: desk/up, arguments: { f: { path: data/public/a.txt } }, decision: allow }
  - { name: spelled, tool: desk/up, arguments: { f: { path: ./data/x/../public/a.txt } }, decision: allow }
  - { name: private, tool: desk/up, arguments: { f: { path: data/public/../private/a.txt } }, decision: deny }
  - { name: wrong, tool: desk/up, arguments: { f: { base64: "?" } }, decision: deny }
`,
    });
    expect(told.cases.map(({ name, passed }) => [name, passed])).toEqual([
      ["public", true],
      ["spelled", true],
      ["private", true],
    ]);
    expect(told.diagnostics.filter((each) => each.code !== "skill/not-portable")).toMatchObject([
      { code: "policy-test/arguments", line: 5, message: expect.stringContaining("`/f`") },
    ]);
  });

  test("reports a failing case at its place, with the rule that decided", async () => {
    const { code, told } = await tested(
      project(`cases:
  - name: too much
    caller: ${clerk}
    tool: order-desk/refund
    arguments: { amount_cents: 200000 }
    decision: allow
  - name: by another
    caller: ${clerk}
    tool: order-desk/refund
    arguments: { amount_cents: 200000 }
    decision: deny
    policies: [other]
`),
    );
    expect(told.diagnostics.filter((each) => each.code === "policy-test/failed")).toMatchObject([
      { line: 6, message: "`too much`: the call is denied, by `limit`" },
      {
        line: 12,
        message: "`by another`: the call is denied, by `limit`",
        help: 'fix the policies, or write `policies: ["limit"]`',
      },
    ]);
    expect(code).toBe(1);
  });

  test("requires the coverage that an option sets, and prints it", async () => {
    const files = project(
      `cases:\n  - { name: a, caller: ${clerk}, tool: order-desk/refund, decision: allow }\n`,
    );
    expect((await tested(files, "--min-coverage", "25")).code).toBe(0);
    expect((await tested(files, "--min-coverage", "26")).code).toBe(1);
    const { code, stderr, stdout } = await skillc(makeProject(files), [
      "policy",
      "test",
      "--min-coverage",
      "80",
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain("policies/desk.cedar#1              1");
    expect(stdout).toMatch(/other +none/);
    expect(stderr).toContain("25 % is less than `--min-coverage 80`");
  });

  test("explains what is missing if there are no policies or no tests", async () => {
    const root = makeProject({
      "skills/order-desk/SKILL.md": skill.replace(/ {4}governance:[^]*?(?= {4}parameters)/, ""),
    });
    const without = await skillc(root, ["policy", "test"]);
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringContaining("has no policies and no governance"),
    ]);
    const { "policies/desk.test.yaml": _, ...untested } = project("");
    const { code, stderr } = await skillc(makeProject(untested), ["policy", "test"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("there are no tests in `policies/`"),
    ]);
  });

  test("decides nothing while a policy has an error", async () => {
    const { code, told } = await tested({
      ...project("cases: []"),
      "policies/desk.cedar": "permit(nobody);",
    });
    expect(told.diagnostics.map((each) => each.code)).toContain("policy/syntax");
    expect([code, told.cases]).toEqual([1, []]);
  });
});

describe("a file of policies", () => {
  test("gets rejected at once if it has 10 MB", async () => {
    const files = { ...project("cases: []"), "policies/large.cedar": policies.padEnd(10_000_000) };
    const { code, stdout } = await skillc(makeProject(files), ["check", "--json"]);
    expect((JSON.parse(stdout) as Told).diagnostics).toContainEqual(
      expect.objectContaining({
        code: "read/too-large",
        file: "policies/large.cedar",
        help: "split it: skillc reads every file of the folder",
      }),
    );
    expect(code).toBe(1);
  });

  test("counts only for the whole project, not for one of its skills", async () => {
    const root = makeProject({
      ...project("cases: []"),
      "skills/other/SKILL.md": "---\nname: other\ndescription: Answers.\n---\nAnswer.\n",
    });
    const { code } = await skillc(root, ["check", "skills/other"]);
    expect(code).toBe(0);
  });
});
