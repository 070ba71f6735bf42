/** What docs/governance.md shows of policies is what there is. */
import { expect, test } from "vitest";
import { makeProject, skillc } from "../cli/support/command-line.js";
import { readPage } from "../support/page-blocks.js";

const blocks = Object.fromEntries(
  [...readPage("docs/governance.md").matchAll(/^```\w+ title=(\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, title = "", text = ""]) => [title, text],
  ),
);

const files = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, blocks[name] ?? ""]));

test("the policies of docs/governance.md decide their tests as the page says", async () => {
  const root = makeProject(
    files("skills/order-desk/SKILL.md", "policies/refunds.cedar", "policies/refunds.test.yaml"),
  );
  const { code, stdout } = await skillc(root, ["policy", "test"]);
  expect(stdout).toBe(blocks["policy-test"]);
  expect(code).toBe(0);
});
