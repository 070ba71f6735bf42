import { expect, test } from "vitest";
import { compileFiles, linesOf } from "../../support/compile.js";

const skill = (name: string, tool: string): string =>
  `---\nname: ${name}\ndescription: Does it.\ntools_schema:\n  ${tool}:\n    description: Does it.\n---\n`;

test("two tools that a model would know by one name are refused, and both places shown", async () => {
  const files = {
    "skills/a/SKILL.md": skill("a", "b__c"),
    "skills/a__b/SKILL.md": skill("a__b", "c"),
    "skills/d/SKILL.md": skill("d", "c"),
  };
  const compilation = await compileFiles(files);
  const errors = compilation.diagnostics.filter((each) => each.severity === "error");
  expect(linesOf({ diagnostics: errors }, files)).toEqual([
    "skills/a__b/SKILL.md:5:3 error name/collision: models would see two tools with the name `a__b__c`",
  ]);
  expect(errors[0]?.related).toMatchObject([{ span: { file: "skills/a/SKILL.md" } }]);
  expect(compilation.files).toEqual([]);
});
