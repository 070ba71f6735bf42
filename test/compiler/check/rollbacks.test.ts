import { expect, test } from "vitest";
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
