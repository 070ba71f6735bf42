import { expect, test } from "vitest";
import { changeRules, verdicts } from "../../src/compiler/compare-tools/rules.js";
import { readPage } from "../support/page-blocks.js";

test("docs/governance/change-rules.md has exactly the rules of `skillc compare` in its table", () => {
  const section = readPage("docs/governance/change-rules.md").split("| change ")[1] ?? "";
  const [table = ""] = section.split("\n\n");
  const rows = table
    .split("\n")
    .slice(2)
    .map((row) => row.split("|").map((cell) => cell.trim()));
  const found = rows.map(([, change, verdict, why]) => [change, verdict, why]);
  const rules = verdicts.flatMap((verdict) =>
    Object.values(changeRules)
      .filter((each) => each.verdict === verdict)
      .map(({ change, why }) => [change, verdict, why]),
  );
  expect(found).toEqual(rules);
});
