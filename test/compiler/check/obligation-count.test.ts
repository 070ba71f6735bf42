import { expect, test } from "vitest";
import { diagnose } from "../whole/compile-untyped.js";

const names = Array.from({ length: 501 }, (_, index) => `m${index}`);

const skill = `---
name: desk
description: Looks after orders.
tools:
  get-order:
    description: Gets an order.
    parameters: { type: object, properties: {} }
    returns: { type: object, additionalProperties: false, properties: { ${names.map((name) => `${name}: { type: string }`).join(", ")} } }
    binding: { type: http, method: GET, url: "\${ORDERS_URL}/orders" }
---
`;

async function found(count: number, tools: string) {
  const obligations = names
    .slice(0, count)
    .map((name) => `  - { name: o-${name}, do: drop, at: /${name}, tools: [${tools}] }\n`);
  const { diagnostics } = await diagnose({
    "skillc.yaml": `obligations:\n${obligations.join("")}`,
    "skills/desk/SKILL.md": skill,
  });
  return diagnostics.filter(({ code }) => code !== "skill/not-portable");
}

test("obligations with the same effect on the type count as one", async () => {
  const obligations = names.map(
    (name) =>
      `  - { name: o-${name}, do: redact, at: "", pattern: ${name}, tools: [desk/get-order] }\n`,
  );
  const { diagnostics } = await diagnose({
    "skillc.yaml": `obligations:\n${obligations.join("")}`,
    "skills/desk/SKILL.md": skill,
  });
  expect(diagnostics.map(({ code }) => code)).toEqual(["skill/not-portable"]);
});

test("more obligations for one tool than TypeScript follows are reported by that name", async () => {
  expect(await found(500, "desk/get-order")).toEqual([]);
  const all = await found(501, "desk/get-order");
  expect(all.map(({ code, message, span: { file } }) => [code, message, file])).toEqual([
    [
      "governance/too-many-obligations",
      "501 `obligations` of skillc.yaml change the answer of `desk/get-order`; at most 500 may",
      "skills/desk/SKILL.md",
    ],
  ]);
});
