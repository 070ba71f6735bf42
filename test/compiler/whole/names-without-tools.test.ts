/** Names of skills without tools: nothing of them is a file or a function, so any name will do. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readCatalogModules } from "../../../src/compiler/emit/catalog-text.js";
import { compileFiles, linesOf } from "../../support/compile.js";

function project(
  names: readonly string[],
  withTool: readonly string[] = [],
): Readonly<Record<string, string>> {
  const text = (name: string) =>
    `---\nname: ${JSON.stringify(name)}\ndescription: Knows things.\n---\n`;
  const tools = '{ "tools": { "get": { "description": "Get it.", "id": "string" } } }';
  return Object.fromEntries([
    ...names.map((name, index) => [`skills/s${index}/SKILL.md`, text(name)]),
    ...withTool.flatMap((name, index) => [
      [`skills/t${index}/SKILL.md`, text(name)],
      [`skills/t${index}/metadata.json`, tools],
    ]),
  ]);
}

/** The names that the generated catalog has, as the command line reads it. */
async function namesIn(files: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  const compiled = await compileFiles(files);
  const errors = linesOf(compiled, files).filter((line) => line.includes(" error "));
  expect(errors).toEqual([]);
  const modules = new Map(compiled.files.map(({ path, text }) => [path, text]));
  const catalog = readCatalogModules("catalog.ts", modules);
  return catalog?.skills.map((skill) => skill["name"]).toSorted() ?? [];
}

test.each([
  [["import"]],
  [["default"]],
  [["null"]],
  [["let"]],
  [["catalog"]],
  [["Catalog", "SkillName", "ToolId", "Handlers", "catalog-skill"]],
  [["await", "then", "undefined", "arguments", "static", "__proto__", "constructor"]],
  [["foo-bar", "foo_bar", "fooBar"]],
  [["技能-甲", "技能-乙", "😀", "-"]],
  [["con", "nul", "con.txt"]],
  [["2fa", "_2fa"]],
])("skills without tools may have these names: %j", async (names) => {
  expect(await namesIn(project(names))).toEqual(names.toSorted());
});

test("a skill without tools may be named like one that has some", async () => {
  const files = project(["foo_bar", "desk", "catalog"], ["foo-bar", "Desk"]);
  expect(await namesIn(files)).toEqual(["Desk", "catalog", "desk", "foo-bar", "foo_bar"]);
});

test("any two names of skills without tools make a catalog that reads back", async () => {
  const word = fc.constantFrom(
    "import",
    "importt",
    "import2",
    "a-b",
    "a_b",
    "甲",
    "_",
    "$",
    "class",
  );
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(word, { minLength: 1, maxLength: 6 }), async (names) => {
      expect(await namesIn(project(names))).toEqual(names.toSorted());
    }),
    { numRuns: 10, seed: 1 },
  );
});

test("schemas of skills without tools whose names are no file names stand apart", async () => {
  const schema = (type: string) => JSON.stringify({ $defs: { id: { type } } });
  const files = {
    ...project(["技能-甲", "技能-乙", "con"]),
    "skills/s0/ids.json": schema("string"),
    "skills/s1/ids.json": schema("integer"),
    "skills/s2/ids.json": schema("boolean"),
    "skills/desk/SKILL.md": "---\nname: desk\ndescription: Looks after orders.\n---\n",
    "skills/desk/metadata.json": JSON.stringify({
      tools: {
        get: {
          description: "Get it.",
          parameters: {
            type: "object",
            properties: Object.fromEntries(
              ["a", "b", "c"].map((name, index) => [
                name,
                { $ref: `../s${index}/ids.json#/$defs/id` },
              ]),
            ),
          },
        },
      },
    }),
  };
  const compiled = await compileFiles(files);
  expect(linesOf(compiled, files).filter((line) => line.includes(" error "))).toEqual([]);
  const folders = compiled.files.flatMap(({ path }) => /^([^/]+)\/schemas\//.exec(path)?.[1] ?? []);
  expect(new Set(folders).size).toBe(3);
  expect(folders).not.toContain("con");
});
