/** The skill of docs/governance/caller-values.md and the settings of docs/sql/connect-a-database.md are one project. */
import { expect, test } from "vitest";
import { blocksOf, readPage } from "../support/page-blocks.js";
import { compileFiles } from "../support/compile.js";

test("the skill of docs/governance/caller-values.md compiles with the settings and the policy of docs/sql/connect-a-database.md", async () => {
  const skill = blocksOf(readPage("docs/governance/caller-values.md")).find(({ path }) =>
    path?.endsWith("tenant-orders/metadata.yaml"),
  );
  const beside = blocksOf(readPage("docs/sql/connect-a-database.md")).flatMap(({ path, text }) =>
    path?.startsWith("row-security/") ? [[path.slice("row-security/".length), text] as const] : [],
  );
  const files = {
    ...Object.fromEntries(beside),
    "skills/tenant-orders/SKILL.md":
      "---\nname: tenant-orders\ndescription: Looks after the orders of a customer.\n---\n\nBe careful.\n",
    [skill?.path ?? ""]: skill?.text ?? "",
  };
  expect(Object.keys(files)).toEqual([
    "skillc.yaml",
    "db/schema.sql",
    "skills/tenant-orders/SKILL.md",
    "skills/tenant-orders/metadata.yaml",
  ]);
  const { diagnostics, files: output } = await compileFiles(files);
  expect(diagnostics.filter(({ code }) => code !== "skill/not-portable")).toEqual([]);
  const textOf = (wanted: string) => output.find(({ path }) => path === wanted)?.text;
  expect(textOf("tenant-orders/find-order.ts")).toContain('["app.tenant", { caller: "tenant" }]');
  expect(textOf("tenant-orders/read-invoice.ts")).toContain('caller: ["tenant", "subject"]');
});
