import { expect, test } from "vitest";
import { fileKey, toolFileName } from "../../../src/core/file-name.js";
import { compileFiles } from "../../support/compile.js";

test("no tool's module has the name of one that is written for every skill", async () => {
  const tools = JSON.stringify({ greet: { description: "Greet.", name: "string" } });
  const { files } = await compileFiles({
    "skills/desk/SKILL.md": `---\nname: desk\ndescription: Greets.\ntools: ${tools}\n---\n`,
  });
  const modules = files.flatMap(({ path }) => /^desk\/([^.]+)\.ts$/.exec(path)?.[1] ?? []);
  const ofSkill = modules.filter((name) => name !== "greet");
  expect(ofSkill).toContain("catalog");
  const taken = ofSkill.filter((name) => fileKey(toolFileName(name)) === fileKey(name));
  // A new output needs its name in `toolFileName`.
  expect(taken).toEqual([]);
});
