import { expect, test } from "vitest";
import type { ProjectFiles } from "../../../src/core/diagnostic-entry.js";
import { desk, faults, resolveProject } from "./skill-project.js";

const tools = "tools: { get: { description: Get it., id: string } }";
const skill = ["---", "name: desk", "description: Looks after orders.", "---", ""].join("\n");

/** The three places of settings. */
const places: Readonly<Record<string, (line: string) => ProjectFiles>> = {
  "front matter": (line) => desk(tools, line),
  "the owlclaw block": (line) => desk(tools, `owlclaw: { ${line} }`),
  "metadata.yaml": (line) => ({
    "skills/desk/SKILL.md": skill,
    "skills/desk/metadata.yaml": `${tools}\n${line}\n`,
  }),
};

async function codes(files: ProjectFiles): Promise<readonly string[]> {
  const { diagnostics } = await resolveProject(files);
  return diagnostics
    .filter(({ code }) => !["skill/not-portable", "skill/foreign-key"].includes(code))
    .map(({ code, severity, help }) => {
      const meant = /^did you mean `(\w+)`\?/.exec(help ?? "")?.[1] ?? "";
      return `${severity} ${code} ${meant}`;
    });
}

const misspelt = [
  ["requires_confirmaton: true", "requires_confirmation"],
  ["requires_confirmations: true", "requires_confirmation"],
  ["require_confirmation: true", "requires_confirmation"],
  ["requiresConfirmation: true", "requires_confirmation"],
  ["requires-confirmation: true", "requires_confirmation"],
  ["reqiures_confirmation: true", "requires_confirmation"],
  ['requires_confirmaton: "yes"', "requires_confirmation"],
  ["risk_levl: critical", "risk_level"],
  ["riskLevel: critical", "risk_level"],
  ["Risk-Level: critical", "risk_level"],
  ["risk_levels: critical", "risk_level"],
  ["prerequisite: { env: [A_TOKEN] }", "prerequisites"],
  ["prerequisits: { env: [A_TOKEN] }", "prerequisites"],
  ["accepts: { credential/placeholder: a test }", "accept"],
  ['Auth: { bearer: "${TOKEN}" }', "auth"],
  ['auths: { bearer: "${TOKEN}" }', "auth"],
  ['authentication: { bearer: "${TOKEN}" }', "auth"],
  ['authorization: { bearer: "${TOKEN}" }', "auth"],
  ["requires_approval: true", "requires_confirmation"],
] as const;

const cases = Object.keys(places).flatMap((place) =>
  misspelt.map(([line, meant]) => [line, place, meant] as const),
);

test.each(cases)("%s in %s is an error that names the setting", async (line, place, meant) => {
  const files = places[place]?.(line) ?? {};
  expect(await codes(files)).toEqual([`error skill/misspelt-setting ${meant}`]);
});

test.each([
  ["risk_lvl: critical", "risk_level"],
  ["require_confirmaton: true", "requires_confirmation"],
  ["risk: high", "risk_level"],
  ["requires: { env: [A_TOKEN] }", "prerequisites"],
  ['auht: { bearer: "${TOKEN}" }', "auth"],
  ["acept: { credential/placeholder: a test }", "accept"],
])("%s may be meant for a setting, so it is a warning", async (line, meant) => {
  expect(await codes(desk(tools, line))).toEqual([`warning skill/doubtful-setting ${meant}`]);
});

const misplaced = [
  ["governance: strict", "the project"],
  ["governance: { scopes: [orders.write] }", "a tool"],
  ["approval: {}", "a tool's `governance`"],
  ["approval: { when: context.args.total > 5, ttl: 15m }", "a tool's `governance`"],
  ["scopes: [orders.write]", "a tool's `governance`"],
  ["limits: { calls_per_minute: 5 }", "a tool's `governance`"],
  ["capabilities: ['net.http:get https://example.com']", "a tool's `governance`"],
  ["idempotency: keyed", "a tool's `governance`"],
  ["concurrency: serial", "a tool's `governance`"],
  ["mode: shadow", "a binding"],
  ["effect: write", "a binding"],
  ["grants: [{ to: { role: clerk }, scopes: [orders.write] }]", "the project"],
  ["quotas: [{ name: all, calls_per_day: 5 }]", "the project"],
  ["obligations: [{ name: hide, do: mask, at: /email }]", "the project"],
] as const;

test.each(
  Object.keys(places).flatMap((place) =>
    misplaced.map(([line, owner]) => [line, place, owner] as const),
  ),
)("%s in %s is an error that names %s", async (line, place, owner) => {
  const { diagnostics } = await resolveProject(places[place]?.(line) ?? {});
  const found = diagnostics.filter(({ code }) => code === "skill/misplaced-setting");
  expect(found.map(({ message, severity }) => `${severity}: ${message}`)).toEqual([
    `error: \`${line.split(":")[0] ?? ""}\` has no effect on a whole skill: it is a setting of ${owner}`,
  ]);
});

test.each([
  "governance: { owner: platform }",
  "approval: required",
  "approval:",
  "scopes: orders.write",
  "limits: { calls_per_minut: 5 }",
  "retry: { max_attempts: 1 }",
  "idempotency: natural",
  "timeout_ms: 500",
  "read_only: true",
  "body_template: { id: '{id}' }",
  "binding: { type: http, method: GET, url: 'https://example.com' }",
  "parameters: { type: object }",
  "params: { properties: { id: { type: string } } }",
  "returns: { type: string }",
  "deprecated: true",
])("a key that may be a tool's is a warning beside tools: %s", async (line) => {
  expect(await codes(desk(tools, line))).toEqual(["warning skill/doubtful-setting "]);
});

test("the message says where a misplaced setting belongs", async () => {
  expect(faults(await resolveProject(desk(tools, "approval: {}", "governance: strict")))).toEqual([
    "SKILL.md:5:1-9 error skill/misplaced-setting: `approval` has no effect on a whole skill: it is a setting of a tool's `governance` " +
      "(write it under `governance` of the tool; if it is another program's key, write `accept: { skill/misplaced-setting: … }`)",
    "SKILL.md:6:1-11 error skill/misplaced-setting: `governance` has no effect on a whole skill: it is a setting of the project " +
      "(write it in skillc.yaml; if it is another program's key, write `accept: { skill/misplaced-setting: … }`)",
  ]);
});

test.each([
  "scopes: [orders.write]",
  "approval: {}",
  "idempotency: keyed",
  "mode: shadow",
  "effect: write",
])("a tool's unknown key that belongs to a part of the tool names the part: %s", async (line) => {
  const lines = ["tools:", "  get:", "    description: Get it.", "    id: string", `    ${line}`];
  const { diagnostics } = await resolveProject(desk(...lines));
  const part = /mode|effect/.test(line) ? "binding" : "governance";
  expect(
    diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ code, help }) => [code, help]),
  ).toEqual([["tool/unknown-key", `write it under \`${part}\` of the tool`]]);
});

test.each([
  "metadata: { governance: { scopes: [orders.write] } }",
  "metadata: { owlclaw: { approval: {} } }",
  "metadata: { risk_level: critical }",
  "metadata: { owlclaw: { requires_confirmation: true } }",
  "settings: { requires_confirmation: true }",
])("a setting in a mapping that nobody reads is a warning: %s", async (line) => {
  const [first = "", ...others] = (await codes(desk(tools, line))).filter(
    (each) => !each.includes("portable"),
  );
  expect(others).toEqual([]);
  expect(first).toContain("warning skill/doubtful-setting");
});

/** Keys of the front matter of public skills, with a value that they have there. */
const foreign = [
  "license: MIT",
  "compatibility: Requires git and network access",
  "allowed-tools: Read Grep",
  "allowedTools: [Read, Grep]",
  "model: sonnet",
  "author: { name: Ada, url: https://example.com }",
  "author: Ada",
  "authors: [Ada, Bob]",
  "access: public",
  "accepts: [application/pdf]",
  "accent: blue",
  "effort: high",
  "version: 1.0.0",
  "category: devops",
  "tags: [a, b]",
  "keywords: [a, b]",
  "triggers: [a]",
  "risk: safe",
  "risk: unknown",
  "level: high",
  "source: community",
  "date_added: 2026-02-27",
  "user-invocable: false",
  "disable-model-invocation: true",
  "argument-hint: '[path]'",
  "context: fork",
  "agent: Explore",
  "hooks: { PreToolUse: [] }",
  "paths: ['**/*.ts']",
  "path: { a: b }",
  "shell: bash",
  "when_to_use: always",
  "homepage: https://example.com",
  "openclaw: { requires: { bins: [gh] } }",
  "clawdbot: { emoji: x }",
  "requires: [git]",
  "requirements: python 3.12",
  "dependencies: [a]",
  "permissions: [network]",
  "authentication: oauth2",
  "authorization: required",
  "oauth: true",
  "confirmation: ask the user",
  "confirm: once",
  "owner: platform",
  "last-reviewed: 2026-04-10",
  "side_effect: destructive",
  "inputs: [id]",
  "priority: 3",
  "mode: true",
  "mode: plan",
  "mode: active",
  "type: workflow",
  "url: https://example.com",
  "method: GET",
  "query: orders",
  "headers: { a: b }",
  "body: text",
  "group: sales",
  "display_name: Orders",
  "models: [opus]",
  "scope: project",
  "gmail: { scopes: [read] }",
  "capabilities: [search]",
  "capabilities: { search: true }",
  "concurrency: 3",
  "idempotency: true",
  "effect: none",
  "retry: true",
  "binding: { type: mcp, endpoint: x }",
  "parameters: [id]",
  "returns: a list",
  "deprecated: false",
  "rollback: git revert",
  "limit: 5",
  "topic: sales",
  "provider: acme",
  "store: app",
] as const;

test.each(foreign)("another program's key stays allowed beside tools: %s", async (line) => {
  expect(await codes(desk(tools, line))).toEqual([]);
  const beside = places["metadata.yaml"]?.(line) ?? {};
  expect(await codes(beside)).toEqual([]);
});

test.each([
  "risk-level: medium",
  "requires_approval: true",
  "authentication: { type: none }",
  "scopes: [repo]",
  "governance: strict",
])("a skill without tools may have any key: %s", async (line) => {
  expect(await codes(desk(line))).toEqual([]);
});

test("a setting under its own name leaves other words to other programs", async () => {
  expect(await codes(desk(tools, "risk_level: low", "risk: high"))).toEqual([]);
  const auth = 'auth: { bearer: "${TOKEN}" }';
  expect(await codes(desk(tools, auth, "authentication: { kind: oauth }"))).toEqual([]);
});

test("the message is at the key, and says how to keep another program's key", async () => {
  const files = desk(tools, "risk_levl: critical");
  expect(faults(await resolveProject(files))).toEqual([
    "SKILL.md:5:1-10 error skill/misspelt-setting: `risk_levl` has no effect: the setting is called `risk_level` " +
      "(did you mean `risk_level`? if it is another program's key, write `accept: { skill/misspelt-setting: … }`)",
  ]);
});
