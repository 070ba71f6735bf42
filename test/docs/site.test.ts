/** The site that `npm run docs:site` builds from docs/: its sidebar, its anchors and its links. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createMarkdownRenderer } from "vitepress";
import { describe, expect, test } from "vitest";
import {
  escapeBraces,
  githubAnchor,
  linkReference,
  markShortCode,
  showTitles,
  unlinkRepositoryFiles,
} from "../../docs/.vitepress/markdown.js";
import { readReferenceLinks } from "../../docs/.vitepress/reference-links.js";
import { type SidebarItem, sidebarOf } from "../../docs/.vitepress/sidebar.js";
import { allDiagnosticEntries } from "../../src/cli/diagnostics/all-diagnostic-entries.js";
import { referencePages } from "../../src/cli/reference-pages.js";
import { makeProject } from "../cli/support/command-line.js";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));

function linksOf(items: readonly SidebarItem[]): readonly string[] {
  return items.flatMap(({ link, items: below = [] }) => [
    ...(link === undefined ? [] : [link]),
    ...linksOf(below),
  ]);
}

describe("sidebarOf", () => {
  test("lists every page of docs once", () => {
    const pages = readdirSync(docs, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `/${name.replace(/(?:(^|\/)index)?\.md$/, "$1")}`);
    expect(linksOf(sidebarOf(docs)).toSorted()).toEqual(pages.toSorted());
  });

  test("takes titles from pages, and the order from the links of index.md", () => {
    const root = makeProject({
      "index.md": "# Home\n\n[queues](queues/index.md#all), [b](b.md)\n",
      "a.md": "# Alpha\n",
      "b.md": "# The `b` key\n",
      "import/again.md": "# Import again\n",
      "queues/index.md": "# Queues\n\n[z](z.md)\n",
      "queues/a.md": "# A queue\n",
      "queues/z.md": "# Zebra\n",
      ".vitepress/x.md": "# Hidden\n",
    });
    expect(sidebarOf(root)).toEqual([
      {
        text: "Overview",
        items: [
          { text: "Introduction", link: "/" },
          { text: "The b key", link: "/b" },
          { text: "Alpha", link: "/a" },
        ],
      },
      {
        text: "Queues",
        collapsed: true,
        items: [
          { text: "Introduction", link: "/queues/" },
          { text: "Zebra", link: "/queues/z" },
          { text: "A queue", link: "/queues/a" },
        ],
      },
      { text: "Import", collapsed: true, items: [{ text: "Import again", link: "/import/again" }] },
    ]);
  });
});

test("codes of diagnostics and commands have addresses in the generated reference", async () => {
  const pages = await referencePages();
  const root = makeProject(Object.fromEntries(pages.map(({ path, text }) => [path, text])));
  const links = readReferenceLinks(root);
  const codes = Object.keys(allDiagnosticEntries());
  expect(codes.filter((code) => !links.has(code))).toEqual([]);
  expect(links.get("http/bad-origin")).toBe("/reference/diagnostics/http#httpbad-origin");
  expect(links.get("skillc db types --help")).toBe("/reference/commands#skillc-db-types");
  expect(links.get("skillc explain CODE")).toBe("/reference/diagnostics/");
});

test("an anchor is the one that GitHub gives the heading", () => {
  expect(githubAnchor("Integers beyond 2^53: `int64`, `a_b`")).toBe(
    "integers-beyond-253-int64-a_b",
  );
});

describe("plugins of markdown-it", async () => {
  const links = new Map([["http/bad-origin", "/reference/diagnostics/http#httpbad-origin"]]);
  const markdown = await createMarkdownRenderer(docs, {
    attrs: { disable: true },
    config(it) {
      it.use(showTitles)
        .use(markShortCode)
        .use(escapeBraces)
        .use(unlinkRepositoryFiles)
        .use(linkReference, links);
    },
  });
  const render = (text: string): string =>
    markdown.render(text, { relativePath: "queues/index.md" });

  test("the code of a diagnostic links to its section", () => {
    expect(render("see `http/bad-origin`")).toContain(
      'see <a href="/reference/diagnostics/http.html#httpbad-origin"><code class="short">http/bad-origin</code></a>',
    );
    expect(render("see `http/other`")).toContain('see <code class="short">http/other</code>');
  });

  test("a code in a link or a heading gets no link of its own", () => {
    expect(render("[`http/bad-origin`](x.md)")).toContain(
      '<a href="./x.html"><code class="short">http/bad-origin</code></a>',
    );
    expect(render("# `http/bad-origin`")).not.toContain("httpbad-origin.html");
  });

  test("a link to a file outside of docs is text", () => {
    expect(render("[a](../../skills/a.md) and [b](../b.md)")).toContain(
      '<span>a</span> and <a href="./../b.html">b</a>',
    );
  });

  test("the title of a block stands above the block", () => {
    expect(render("```yaml title=a/<b>.yaml\nx: 1\n```")).toContain(
      '<div class="titled-block"><p class="block-title">a/&lt;b&gt;.yaml</p><div class="language-yaml',
    );
  });

  test("long code may be broken", () => {
    expect(render(`\`${"long ".repeat(9)}\``)).toContain("<code>long ");
  });

  test("double braces in text and in code are no expression of Vue", () => {
    expect(render("{{a}} `{{b}}`")).toContain(
      '&#123;&#123;a}} <code class="short">&#123;&#123;b}}</code>',
    );
  });
});
