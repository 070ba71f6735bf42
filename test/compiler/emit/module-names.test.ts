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

test("a shared schema may have the name of one of the tool's own types", async () => {
  const titled = (title: string) =>
    JSON.stringify({ title, type: "object", properties: { id: { type: "string" } } });
  const { diagnostics, files } = await compileFiles({
    "skills/schemas/response.json": titled("GetPetResponse"),
    "skills/schemas/params.json": titled("GetPetParams"),
    "skills/pets/SKILL.md": "---\nname: pets\ndescription: Pets.\n---\n",
    "skills/pets/metadata.yaml": `tools_schema:
  get-pet:
    description: Gets a pet.
    parameters: { type: object, properties: { like: { $ref: ../schemas/params.json } } }
    binding:
      type: http
      method: POST
      url: https://a.example/pets
      response_schema: { $ref: ../schemas/response.json }
`,
  });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(files.find(({ path }) => path === "pets/get-pet.ts")?.text).toContain(
    "import type { GetPetResponse as ",
  );
});
