import { expect, test } from "vitest";
import { sqlSettings } from "../../src/bindings/sql/settings.js";
import { configKeys } from "../../src/compiler/config/config-schema.js";
import { parseConfig } from "../../src/compiler/config/parse-config.js";
import { collectDiagnostics } from "../../src/core/report.js";
import { blocksOf, readPage } from "../support/page-blocks.js";

const page = readPage("docs/skills/project-settings.md");

test("the example of docs/skills/project-settings.md is valid", () => {
  const example = blocksOf(page).find(({ path }) => path === "skillc.yaml");
  const { diagnostics, report } = collectDiagnostics();
  const file = { path: "skillc.yaml", text: example?.text ?? "" };
  const config = parseConfig(file, report);
  expect(
    sqlSettings.read(config.settings["databases"], report).databases.map(({ name }) => name),
  ).toEqual(["WAREHOUSE_URL", "REPORTS_URL"]);
  expect(diagnostics).toEqual([]);
});

// The keys of a database are checked in skill-pages.test.ts.
test("docs/skills/project-settings.md names every key of skillc.yaml", () => {
  expect(configKeys.filter((key) => !page.includes(`| \`${key}\``))).toEqual([]);
});
