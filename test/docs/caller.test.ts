/** What docs/governance.md and docs/databases.md show of the caller is one project, which compiles. */
import { expect, test } from "vitest";
import { blocksOf, readPage } from "../support/page-blocks.js";
import { compileFiles } from "../support/compile.js";

test("the skill of docs/governance.md compiles with the settings and the policy of docs/databases.md", async () => {
  const skill = blocksOf(readPage("docs/governance.md")).find(({ path }) =>
    path?.endsWith("tenant-orders/SKILL.md"),
  );
  const beside = blocksOf(readPage("docs/databases.md")).flatMap(({ path, text }) =>
    path?.startsWith("row-security/") ? [[path.slice("row-security/".length), text] as const] : [],
  );
  const files = { ...Object.fromEntries(beside), [skill?.path ?? ""]: skill?.text ?? "" };
  expect(Object.keys(files)).toEqual([
    "skillc.yaml",
    "db/schema.sql",
    "skills/tenant-orders/SKILL.md",
  ]);
  const { diagnostics, files: output } = await compileFiles(files);
  expect(diagnostics.filter(({ code }) => code !== "skill/not-portable")).toEqual([]);
  const textOf = (wanted: string) => output.find(({ path }) => path === wanted)?.text;
  expect(textOf("tenant-orders/find-order.ts")).toContain('["app.tenant", { caller: "tenant" }]');
  expect(textOf("tenant-orders/read-invoice.ts")).toContain('caller: ["tenant", "subject"]');
});
