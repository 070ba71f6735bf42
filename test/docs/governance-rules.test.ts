import { expect, test } from "vitest";
import { changeRules, verdicts } from "../../src/compiler/compare-tools/rules.js";
import { readPage } from "../support/page-blocks.js";

const page = readPage("docs/governance/change-rules.md");

/** Change and reason of each row in the table below a heading. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [, table = ""] = section.split("| change ");
  const [rows = ""] = table.split("\n\n");
  const cells = rows.split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
  return cells.slice(2).map(([, change = "", why = ""]) => [change, why]);
}

test.each([
  ["major", "Major changes"],
  ["minor", "Minor changes"],
  ["patch", "Patch changes"],
] as const)(
  "docs/governance/change-rules.md has exactly the %s rules of `skillc compare` below “%s”",
  (verdict, heading) => {
    const rules = Object.values(changeRules).filter((each) => each.verdict === verdict);
    expect(rowsBelow(heading)).toEqual(rules.map(({ change, why }) => [change, why]));
  },
);

test("docs/governance/change-rules.md has one table of rules for each verdict", () => {
  expect(page.split("| change ").length - 1).toBe(verdicts.length);
});
