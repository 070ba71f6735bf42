import { expect, test } from "vitest";
import { compileFiles } from "../../support/compile.js";
import { diagnose } from "../whole/compile-untyped.js";

const skill = (name: string, rollback: string) => `---
name: ${name}
description: Looks after orders.
tools:
  create-order:
    description: Creates an order.
    rollback: ${rollback}
  cancel-order:
    description: Cancels an order.
---
`;

const found = async (rollback: string, more: Readonly<Record<string, string>> = {}) => {
  const files = { "skills/desk/SKILL.md": skill("desk", rollback), ...more };
  const { diagnostics } = await diagnose(files);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.map(({ code, help, message, skill }) => ({ code, help, message, skill }));
};

const other = { "skills/stock/SKILL.md": skill("stock", "cancel-order") };

test.each([
  "cancel-order",
  "{ tool: cancel-order }",
  "{ strategy: compensate, tool: cancel-order }",
  "desk/cancel-order",
  "stock/cancel-order",
])("`rollback: %s` names a tool", async (rollback) => {
  expect(await found(rollback, other)).toEqual([]);
});

test.each([
  [
    "{ tool: nothing-like-this }",
    "the project has no tool `nothing-like-this`",
    "name the tool that undoes",
  ],
  ["cancel-ordr", "the project has no tool `cancel-ordr`", "did you mean `cancel-order`?"],
  ["stock/create", "the project has no tool `stock/create`", ""],
])("`rollback: %s` names no tool of the project", async (rollback, message, help) => {
  expect(await found(rollback, other)).toEqual([
    {
      code: "tool/unknown-rollback",
      help: expect.stringContaining(help),
      message,
      skill: "desk",
    },
  ]);
});

test.each([
  ["true", "tool/wrong-type", "`rollback`"],
  ["''", "tool/wrong-type", ""],
  ["[cancel-order]", "tool/wrong-type", ""],
  ["{ by: hand }", "tool/wrong-value", "`strategy` is missing from `rollback`"],
  ["{ strategy: undo }", "tool/wrong-value", ""],
  ["{ tool: cancel-order, within_minutes: 30 }", "tool/unknown-key", "within_minutes"],
  ["{ strategy: compensate }", "tool/wrong-value", "`tool` is missing from `rollback`"],
  ["{ strategy: none }", "tool/wrong-value", "`reason` is missing from `rollback`"],
  ["{ strategy: none, reason: '' }", "tool/wrong-value", ""],
  ["{ strategy: effects, paths: [./a] }", "tool/unknown-key", "paths"],
  ["{ strategy: backup, paths: [] }", "tool/wrong-value", ""],
  ["{ strategy: none, reason: final, tool: cancel-order }", "tool/unknown-key", "tool"],
])("`rollback: %s` has the wrong form", async (rollback, code, message) => {
  const errors = await found(rollback, other);
  expect(errors.map((each) => each.code)).toEqual([code]);
  expect(errors[0]?.message).toContain(message);
});

test("reports nothing while a skill can't be read, because its tools are unknown", async () => {
  const broken = {
    "skills/stock/SKILL.md": skill("stock", "cancel-order").replace("tools:", "tools: ["),
  };
  const codes = (await found("stock/cancel-order", broken)).map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(0);
  expect(codes).not.toContain("tool/unknown-rollback");
});

test.each([
  ["effect: read", ["tool/needless-rollback"]],
  ["effect: write", []],
])("a POST with `%s` has the rollback that it needs", async (effect, codes) => {
  const binding = `{ type: http, method: POST, url: "https://a.example/", ${effect} }`;
  const text = skill("desk", `cancel-order\n    binding: ${binding}`);
  const { diagnostics } = await diagnose({ "skills/desk/SKILL.md": text });
  const told = diagnostics.map(({ code }) => code).filter((code) => code !== "skill/not-portable");
  expect(told).toEqual(codes);
});

/** Errors and warnings about the rollback of one write. */
async function aboutWrite(
  binding: string,
  keys: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
) {
  const lines = [
    "  change:",
    "    description: Changes something.",
    ...keys.map((key) => `    ${key}`),
  ];
  const { diagnostics } = await diagnose({
    "skills/desk/SKILL.md": "---\nname: desk\ndescription: Looks after orders.\n---\n",
    "skills/desk/metadata.yaml": `tools:\n${lines.join("\n")}\n    binding: ${binding}\n`,
    ...more,
  });
  return diagnostics
    .filter(({ code }) => code.startsWith("rollback/"))
    .map(({ code, severity }) => `${severity} ${code}`);
}

const post = '{ type: http, method: POST, url: "https://a.example/" }';
const host = "{ type: command, executor: host, command: [make] }";
const sandbox = "{ type: command, command: [make], allowed_paths: { write: [./work] } }";
const required = { "skillc.yaml": "rollback: required\n" };

test.each([
  [sandbox, [], ["error rollback/missing"]],
  [host, [], ["error rollback/missing"]],
  ["{ type: command, command: [make], allowed_paths: { read: [./work] } }", [], []],
  [sandbox, ["risk_level: read"], []],
  [sandbox, ["rollback: { strategy: effects }"], []],
  [host, ["rollback: { strategy: effects }"], ["error rollback/no-layer"]],
  [host, ["rollback: { strategy: none, reason: it only prints }"], []],
  [post, [], []],
  [post, ["risk_level: high"], ["warning rollback/advised"]],
  [post, ["risk_level: critical"], ["warning rollback/advised"]],
  [post, ["risk_level: high", "rollback: { strategy: none, reason: final }"], []],
  ["{ type: handler }", ["risk_level: high"], ["warning rollback/advised"]],
  ["{ type: handler, effect: read }", ["risk_level: high"], []],
] as const)("a write by `%s` with %j gets %j", async (binding, keys, found) => {
  expect(await aboutWrite(binding, keys)).toEqual(found);
});

test.each([
  ["{pattern}", "`pattern` is not a path parameter of the command"],
  ["./work/{folder}", "`folder` is not at the beginning of the path"],
  ["{folder}/{pattern}", "`pattern` is not at the beginning of the path"],
  ["{folder}/${NAME}", "something else than fixed text follows `folder`"],
  ["{folder...}", "`folder` is a single path"],
])("a command can't have a backup of `%s`", async (path, message) => {
  const { diagnostics } = await diagnose({
    "skills/desk/SKILL.md": "---\nname: desk\ndescription: Looks after files.\n---\n",
    "skills/desk/metadata.yaml": `tools:
  change:
    description: Changes files.
    folder: { type: string, format: path }
    pattern: string
    rollback: { strategy: backup, paths: ["${path}"] }
    binding: { type: command, command: [make, "{folder}", "name={pattern}"], allowed_paths: { write: [./work] } }
`,
  });
  const about = diagnostics.filter(({ code }) => code.startsWith("rollback/"));
  expect(about.map(({ code, message: text }) => [code, text])).toEqual([
    ["rollback/bad-path", message],
  ]);
});

test("`rollback: required` makes an error of the warning, and of nothing else", async () => {
  expect(await aboutWrite(post, ["risk_level: high"], required)).toEqual([
    "error rollback/missing",
  ]);
  expect(await aboutWrite(post, ["risk_level: medium"], required)).toEqual([]);
});

test("a plan needs no rollback, because its steps are undone one by one", async () => {
  const plan = "{ type: plan, steps: [{ id: 1, tool: change-one, bindings: {} }] }";
  const step = `\n  change-one:\n    description: Changes one thing.\n    risk_level: high\n    rollback: { strategy: none, reason: final }\n    binding: ${post}`;
  expect(await aboutWrite(`${plan}${step}`, ["risk_level: high"], required)).toEqual([]);
});

test.each([
  ["true", "config/wrong-value"],
  ["optional", "config/wrong-value"],
  ["[required]", "config/wrong-value"],
])("`rollback: %s` of skillc.yaml is an error", async (value, code) => {
  const { diagnostics } = await diagnose({
    "skillc.yaml": `rollback: ${value}\n`,
    "skills/stock/SKILL.md": skill("stock", "cancel-order"),
  });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map((each) => each.code)).toEqual([code]);
});

test("a circle of rollbacks compiles, and each tool depends on the other", async () => {
  const { diagnostics, lowered } = await compileFiles({
    "skills/desk/SKILL.md": "---\nname: desk\ndescription: Looks after orders.\n---\n",
    "skills/desk/metadata.yaml": `tools:
  open-order: { description: Opens., id: string, rollback: close-order, binding: { type: http, method: POST, url: "https://a.example/{id}/open" } }
  close-order: { description: Closes., id: string, rollback: open-order, binding: { type: http, method: POST, url: "https://a.example/{id}/close" } }
`,
  });
  expect(diagnostics).toEqual([]);
  const tools = lowered.flatMap((each) => each.tools);
  expect(tools.map(({ dependencies }) => Object.keys(dependencies ?? {}))).toEqual([
    ["desk/close-order"],
    ["desk/open-order"],
  ]);
});
