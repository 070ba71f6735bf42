/**
 * Docs, examples and `skillc explain` write skills in one form: `tools_schema` in metadata.yaml.
 * Only docs/skills/reference.md lists the other spellings that skillc reads.
 */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { allDiagnosticEntries } from "../../src/cli/diagnostics/all-diagnostic-entries.js";
import { handlerStarter, httpStarter } from "../../src/cli/commands/init-files.js";
import type { ProjectFiles } from "../../src/core/diagnostic-entry.js";
import { blocksOf, pagesBelow, readPage } from "../support/page-blocks.js";

const listing = "docs/skills/reference.md";
const pages = ["README.md", "examples/graphql/README.md", ...pagesBelow("docs")].filter(
  (page) => page !== listing && !page.startsWith("docs/reference/"),
);

/** Names each file of a skill that declares tools in another form. */
function otherSpellings(files: ProjectFiles): readonly string[] {
  return Object.entries(files).flatMap(([path, text]) => {
    if (/(?:^|\/)metadata\.(?:json|yml)$/.test(path)) return [path];
    const [, front = ""] = /^---\n([^]*?)^---$/m.exec(text) ?? [];
    const isOther =
      /^(?: {2})?tools(?:_schema)?:/m.test(front) ||
      (path.endsWith("metadata.yaml") && /^tools:/m.test(text));
    return isOther ? [path] : [];
  });
}

test("each page of the docs shows tools under tools_schema in metadata.yaml", () => {
  expect(pages.length).toBeGreaterThan(90);
  const found = pages.flatMap((page) => {
    const text = readPage(page);
    const blocks = blocksOf(text).map(({ language, path, text: block }, index) => {
      const ending = language === "yaml" ? "metadata.yaml" : `block.${language}`;
      return [`${page} ${index} ${path ?? ending}`, block] as const;
    });
    const named = text.includes("metadata.json") ? [`${page} names metadata.json`] : [];
    return [...named, ...otherSpellings(Object.fromEntries(blocks))];
  });
  expect(found).toEqual([]);
});

test("the page that lists the other spellings shows each file and key", () => {
  const text = readPage(listing);
  for (const spelling of ["metadata.yml", "metadata.json", "metadata.tools", "params", "owlclaw:"])
    expect(text).toContain(spelling);
});

test("every skill of the repository and of init has its tools under tools_schema in metadata.yaml", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const paths = ["skills", "examples/graphql/skills"].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((path) => /\/(?:SKILL\.md|metadata\.\w+)$/.test(path)),
  );
  const own = Object.fromEntries(paths.map((path) => [path, readPage(path)]));
  for (const files of [own, handlerStarter.files, httpStarter.files]) {
    expect(otherSpellings(files)).toEqual([]);
    const metadata = Object.entries(files).filter(([path]) => path.endsWith("/metadata.yaml"));
    expect(metadata.length).toBeGreaterThan(0);
    for (const [, text] of metadata) expect(parse(text)).toHaveProperty("tools_schema");
  }
});

/** Codes about the other spellings themselves. */
const aboutSpellings = new Set([
  "parse/invalid-json",
  "read/two-metadata-files",
  "skill/not-portable",
  "skill/tools-declared-twice",
  "skill/tools-not-a-mapping",
]);

test("the examples of explain have their tools under tools_schema in metadata.yaml", () => {
  const found = Object.entries(allDiagnosticEntries()).flatMap(([code, { example, fixed }]) =>
    [example, fixed].some((files) => otherSpellings(files).length > 0) ? [code] : [],
  );
  expect(found.toSorted()).toEqual([...aboutSpellings].toSorted());
});
