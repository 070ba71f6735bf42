import { expect, test } from "vitest";
import { compileFiles } from "../../support/compile.js";

async function sourcesOf(files: Readonly<Record<string, string>>) {
  const { files: written } = await compileFiles(files);
  const sources = written.map(({ path, text }): readonly [string, string | undefined] => [
    path,
    / from (.*?); do not edit/.exec(text)?.[1],
  ]);
  return Object.fromEntries(sources.filter(([path]) => path.startsWith("desk/")));
}

const about = "name: desk\ndescription: Greets.\n";
const tools = { greet: { description: "Greet.", name: "string" } };

test("a header names the file that its module was made from", async () => {
  const inFrontMatter = `---\n${about}tools: ${JSON.stringify(tools)}\n---\n`;
  const skill = "skills/desk/SKILL.md";
  expect(await sourcesOf({ [skill]: inFrontMatter })).toEqual({
    "desk/catalog.ts": skill,
    "desk/greet.ts": skill,
    "desk/greet.validate.ts": skill,
    "desk/handlers.ts": skill,
    "desk/index.ts": skill,
    "desk/tools.ts": skill,
    "desk/versions.ts": skill,
  });

  const metadata = "skills/desk/metadata.json";
  expect(
    await sourcesOf({ [skill]: `---\n${about}---\n`, [metadata]: JSON.stringify({ tools }) }),
  ).toEqual({
    "desk/catalog.ts": "skills/desk/",
    "desk/greet.ts": metadata,
    "desk/greet.validate.ts": metadata,
    "desk/handlers.ts": metadata,
    "desk/index.ts": metadata,
    "desk/tools.ts": metadata,
    "desk/versions.ts": skill,
  });
});
