import { expect, test } from "vitest";
import { compileFiles } from "../../../support/compile.js";

test("a program that is a missing script is one error, which names the script", async () => {
  const { diagnostics } = await compileFiles({
    "skills/repository/SKILL.md": "---\nname: repository\ndescription: Counts lines.\n---\n",
    "skills/repository/metadata.yaml": `tools_schema:
  count:
    description: Counts lines.
    parameters: { type: object, required: [day], properties: { day: { type: integer } } }
    binding: { type: command, command: [./count.py, "{day}"] }
`,
  });
  expect(diagnostics.map(({ message }) => message)).toEqual(["there is no file `./count.py`"]);
});
