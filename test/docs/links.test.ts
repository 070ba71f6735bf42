/**
 * Every link from one page of the repository to another leads to a file, and to a heading or an
 * anchor in it. No committed page links to the generated reference, which a clone does not have.
 */
import { existsSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { referenceFolder, referencePages } from "../../src/cli/reference-pages.js";
import { readPage } from "../support/page-blocks.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));

const reference = `docs/${referenceFolder}/`;

const committed = [
  ...readdirSync(repository).filter((name) => name.endsWith(".md")),
  ...readdirSync(posix.join(repository, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
    .filter((page) => !page.startsWith(reference)),
  "examples/graphql/README.md",
  ...["src", "test", "bench"].flatMap((folder) =>
    readdirSync(posix.join(repository, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => posix.basename(name) === "README.md")
      .map((name) => `${folder}/${name}`),
  ),
];

const texts: ReadonlyMap<string, string> = new Map([
  ...committed.map((page) => [page, readPage(page)] as const),
  ...(await referencePages()).map(({ path, text }) => [`docs/${path}`, text] as const),
]);

/** The page without fenced blocks and code spans, in which brackets are no links. */
function proseOf(page: string): string {
  return page
    .replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, "")
    .replaceAll(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, (span) => span.replaceAll(/[[\]()]/g, ""));
}

/** Anchors as GitHub makes them of headings, and those that a page sets itself. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = page.replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, "");
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  const own = [...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = ""]) => id);
  return new Set([...headings, ...own]);
}

const anchors = new Map([...texts].map(([page, text]) => [page, anchorsOf(text)]));

function isBroken(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : posix.join(posix.dirname(page), path);
  if (target.startsWith(reference) ? !page.startsWith(reference) : !exists(target)) return true;
  if (target.startsWith(reference) && !texts.has(target)) return true;
  return anchor !== undefined && !(anchors.get(target)?.has(anchor) ?? false);
}

function exists(path: string): boolean {
  return existsSync(posix.join(repository, path));
}

test("every link between pages leads somewhere", () => {
  const links = [...texts].flatMap(([page, text]) =>
    [...proseOf(text).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = ""]) => ({
      page,
      link,
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ page, link }) => isBroken(page, link))).toEqual([]);
});
