/** The project of docs/governance/policies.md and its tests in docs/governance/policy-tests.md. */
import { expect, test } from "vitest";
import { makeProject, skillc } from "../cli/support/command-line.js";
import { blocksOf, readPage } from "../support/page-blocks.js";

const blocks = Object.fromEntries(
  ["policies", "policy-tests"]
    .flatMap((name) => blocksOf(readPage(`docs/governance/${name}.md`)))
    .flatMap(({ path, text }) => (path === undefined ? [] : [[path, text] as const])),
);

const files = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, blocks[name] ?? ""]));

test("the policies of docs/governance decide their tests as the page shows", async () => {
  const root = makeProject(
    files(
      "skills/order-desk/SKILL.md",
      "skills/order-desk/metadata.yaml",
      "policies/refunds.cedar",
      "policies/refunds.test.yaml",
    ),
  );
  const { code, stdout } = await skillc(root, ["policy", "test"]);
  expect(stdout).toBe(blocks["policy-test"]);
  expect(code).toBe(0);
});
