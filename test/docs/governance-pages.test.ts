/** Skills and settings on each page of docs/governance are one project, which compiles. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { blocksOf, readPage } from "../support/page-blocks.js";
import { compileFiles, linesOf } from "../support/compile.js";

const folder = new URL("../../docs/governance/", import.meta.url);

const pages = readdirSync(folder).flatMap((name) => {
  const blocks = blocksOf(readPage(`docs/governance/${name}`)).flatMap(({ path, text }) =>
    path?.startsWith("skills/") === true || path === "skillc.yaml" ? [[path, text] as const] : [],
  );
  const files = Object.fromEntries(blocks);
  const texts = Object.entries(files);
  // Statements need tables: test/docs/caller.test.ts compiles that page with those of another page.
  const isAlone = texts.every(([, text]) => !text.includes("type: sql"));
  const hasSkill = texts.some(([path]) => path.endsWith("/metadata.yaml"));
  return isAlone && hasSkill ? [{ name, files }] : [];
});

/** A SKILL.md beside each metadata.yaml that has none. */
function withText(files: Readonly<Record<string, string>>): Record<string, string> {
  const texts = Object.keys(files).flatMap((path) => {
    const skill = /^skills\/(.+)\/metadata\.yaml$/.exec(path)?.[1];
    if (skill === undefined) return [];
    const front = `---\nname: ${skill}\ndescription: Looks after orders.\n---\n\nBe careful.\n`;
    return [[`skills/${skill}/SKILL.md`, front] as const];
  });
  return { ...Object.fromEntries(texts), ...files };
}

test("most pages have a skill", () => {
  expect(pages.length).toBeGreaterThan(7);
});

test.each(pages)("the skills and settings of docs/governance/$name compile", async ({ files }) => {
  const all = withText(files);
  const compilation = await compileFiles(all);
  expect(linesOf(compilation, all)).toEqual([]);
  expect(compilation.files.length).toBeGreaterThan(0);
});
