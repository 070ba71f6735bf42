import { expect, test } from "vitest";
import { makeProject, skillc } from "../cli/support/command-line.js";
import { blocksOf, readPage } from "../support/page-blocks.js";

/** A project whose tool has this version and this parameter `reason`. */
function project(version: string, reason: string) {
  return {
    "skills/order-desk/SKILL.md":
      "---\nname: order-desk\ndescription: Looks after orders.\n---\n\nRefund only paid orders.\n",
    "skills/order-desk/metadata.yaml": `tools_schema:
  refund-order:
    version: ${version}
    description: Refund a part of an order.
    order_id: string
    ${reason}
    binding: { type: http, method: POST, url: "\${ORDERS_URL}/refunds" }
`,
  };
}

test("`skillc compare` prints the output that docs/governance/compare.md shows", async () => {
  const blocks = blocksOf(readPage("docs/governance/compare.md"));
  const shown = blocks.find(({ path }) => path === "compare")?.text;
  const old = makeProject(project("1.0.0", "reason?: string"));
  const now = makeProject(project("1.1.0", "reason: string"));
  const { code, stdout } = await skillc(now, ["compare", old]);
  expect(code).toBe(1);
  expect(shown).not.toBe(undefined);
  expect(stdout).toContain(shown ?? "");
});
