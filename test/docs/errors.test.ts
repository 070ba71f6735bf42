import { readFileSync } from "node:fs";
import { ts } from "ts-morph";
import { check } from "prettier";
import { expect, test } from "vitest";
import { renderToolErrorReference, renderToolErrors } from "../../src/cli/commands/docs-errors.js";
import { toolErrors } from "../../src/cli/tool-errors.js";

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** The literal types in the declaration of a type of src/runtime/errors.ts: the one place where codes and reasons are declared. */
function literalsOf(name: string): readonly string[] {
  const file = ts.createSourceFile("e.ts", read("src/runtime/errors.ts"), ts.ScriptTarget.ES2023);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal))
      found.push(node.literal.text);
    ts.forEachChild(node, visit);
  };
  const declared = file.statements.filter(
    (each) =>
      (ts.isTypeAliasDeclaration(each) || ts.isInterfaceDeclaration(each)) &&
      each.name.text === name,
  );
  declared.forEach(visit);
  return found;
}

const pages = [
  ["errors", renderToolErrors],
  ["error-reference", renderToolErrorReference],
] as const;

test.each(pages)(
  "docs/runtime/%s.md is what `npm run docs` writes, and prettier leaves it unchanged",
  async (name, render) => {
    const page = read(`docs/runtime/${name}.md`);
    expect(page).toBe(render(toolErrors));
    expect(await check(page, { parser: "markdown", printWidth: 100 })).toBe(true);
  },
);

test("the error pages have every code, reason, subject and kind of the union, and no other code", () => {
  const page = read("docs/runtime/error-reference.md");
  const codes = literalsOf("ToolFailure").filter((each) => each.includes("."));
  expect(codes.length).toBeGreaterThan(5);
  expect(page.match(/^## \S+$/gm)).toEqual(codes.map((each) => `## ${each}`));
  const rows = read("docs/runtime/errors.md").matchAll(/^\| \[`(\S+)`\]/gm);
  expect([...rows].map(([, code]) => code)).toEqual(codes);
  const words = ["ToolFailure", "SchemaSubject", "MissingPrerequisite"].flatMap(literalsOf);
  expect(words).toContain("aborted");
  const others = words.filter((each) => !codes.includes(each));
  expect(others.filter((each) => !page.includes(`\`${each}\``))).toEqual([]);
});

test("README links to the page of errors", () => {
  expect(read("README.md")).toContain("](docs/runtime/errors.md)");
});
