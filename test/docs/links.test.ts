/** Every link from one page of the repository to another leads to a file, and to a heading or an anchor in it. */
import { existsSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readPage } from "../support/page-blocks.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));

const pages = [
  ...readdirSync(repository).filter((name) => name.endsWith(".md")),
  ...readdirSync(posix.join(repository, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  "examples/graphql/README.md",
  ...["src", "test", "bench"].flatMap((folder) =>
    readdirSync(posix.join(repository, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => posix.basename(name) === "README.md")
      .map((name) => `${folder}/${name}`),
  ),
];

/** The page without fenced blocks and code spans, in which brackets are no links. */
function proseOf(page: string): string {
  return readPage(page)
    .replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, "")
    .replaceAll(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, (span) => span.replaceAll(/[[\]()]/g, ""));
}

/** Anchors as GitHub makes them of headings, and those that a page sets itself. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = readPage(page).replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, "");
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  const own = [...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = ""]) => id);
  return new Set([...headings, ...own]);
}

const anchors = new Map(pages.map((page) => [page, anchorsOf(page)]));

function isBroken(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : posix.join(posix.dirname(page), path);
  if (!existsSync(posix.join(repository, target))) return true;
  return anchor !== undefined && !(anchors.get(target)?.has(anchor) ?? false);
}

test("every link between pages leads somewhere", () => {
  const links = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = ""]) => ({
      page,
      link,
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ page, link }) => isBroken(page, link))).toEqual([]);
});
