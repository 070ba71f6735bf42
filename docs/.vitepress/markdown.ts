/** Plugins of markdown-it for the site. The pages stay plain Markdown, which GitHub shows as well. */
import { posix } from "node:path";
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";

/** The anchor that GitHub gives a heading, so that a link works on both. */
export function githubAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Shows the `title=` of a fenced block above the block. */
export function showTitles(markdown: MarkdownRenderer): void {
  const render = markdown.renderer.rules["fence"];
  if (render === undefined) return;
  markdown.renderer.rules["fence"] = (tokens, index, ...rest) => {
    const block = render(tokens, index, ...rest);
    const title = / title=(\S+)/.exec(tokens[index]?.info ?? "")?.[1];
    if (title === undefined) return block;
    return `<div class="titled-block"><p class="block-title">${markdown.utils.escapeHtml(title)}</p>${block}</div>`;
  };
}

/** Keeps Vue from reading `{{…}}` outside of fenced blocks as an expression. */
export function escapeBraces(markdown: MarkdownRenderer): void {
  const { rules } = markdown.renderer;
  for (const name of ["text", "code_inline"]) {
    const render = rules[name];
    if (render === undefined) continue;
    rules[name] = (...args) => render(...args).replaceAll("{{", "&#123;&#123;");
  }
}

/** Marks short inline code, which is not to be broken at its hyphens: `generate --check`. */
export function markShortCode(markdown: MarkdownRenderer): void {
  eachInline(markdown, "mark_short_code", (_, token) => {
    if (token.type === "code_inline" && token.content.length < 32) token.attrJoin("class", "short");
    return [token];
  });
}

/** Turns inline code into a link if the reference has a section for the code. */
export function linkReference(
  markdown: MarkdownRenderer,
  links: ReadonlyMap<string, string>,
): void {
  eachInline(markdown, "link_reference", (tokens, token, newToken) => {
    const open = tokens.findLastIndex(({ type }) => type === "link_open");
    const isInLink = open > tokens.findLastIndex(({ type }) => type === "link_close");
    const href = links.get(token.content);
    if (token.type !== "code_inline" || href === undefined || isInLink) return [token];
    const start = newToken("link_open", "a", 1);
    start.attrSet("href", href);
    return [start, token, newToken("link_close", "a", -1)];
  });
}

/** Shows links to files outside of docs as plain text: the site does not have these files. */
export function unlinkRepositoryFiles(markdown: MarkdownRenderer): void {
  eachInline(markdown, "unlink_repository_files", (tokens, token, newToken, page) => {
    if (token.type === "link_open" && leavesDocs(page, token.attrGet("href") ?? ""))
      return [newToken("repository_file_open", "span", 1)];
    const last = tokens.findLast(({ type }) => /^(?:link|repository_file)_open$/.test(type));
    if (token.type === "link_close" && last?.type === "repository_file_open")
      return [newToken("repository_file_close", "span", -1)];
    return [token];
  });
}

/** @param page path of the page below docs */
function leavesDocs(page: string, href: string): boolean {
  return href.startsWith("../") && posix.join(posix.dirname(page), href).startsWith("../");
}

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

type NewToken = (type: string, tag: string, nesting: -1 | 0 | 1) => Token;

/** Replaces each token of text by the tokens that `change` returns, before VitePress checks links. */
function eachInline(
  markdown: MarkdownRenderer,
  name: string,
  change: (before: readonly Token[], token: Token, newToken: NewToken, page: string) => Token[],
): void {
  markdown.core.ruler.push(name, (state) => {
    const { relativePath = "" }: Partial<MarkdownEnv> = state.env;
    for (const [index, block] of state.tokens.entries()) {
      if (state.tokens[index - 1]?.type === "heading_open" || block.children === null) continue;
      const changed: Token[] = [];
      for (const token of block.children)
        changed.push(
          ...change(changed, token, (...args) => new state.Token(...args), relativePath),
        );
      block.children = changed;
    }
  });
}
