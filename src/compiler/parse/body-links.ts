/** A link in Markdown. */
export interface BodyLink {
  /** Target as written, without angle brackets and escapes of Markdown. */
  readonly url: string;
  /** Offsets of the link in the text. */
  readonly start: number;
  readonly end: number;
}

/** A node of Markdown's syntax tree, as far as links need it. */
interface MarkdownNode {
  readonly url?: string;
  readonly position?: {
    readonly start: { readonly offset?: number };
    readonly end: { readonly offset?: number };
  };
  readonly children?: readonly MarkdownNode[];
}

/**
 * Lists the links, images and definitions of links of a Markdown text, in order. Code has no links.
 * Prettier's parser decides, because skillc has it anyway. It is loaded on demand. Links after a
 * line in about a hundred lists are left out, because the parser takes too long for them.
 */
export async function bodyLinks(markdown: string): Promise<readonly BodyLink[]> {
  if (!markdown.includes("](") && !markdown.includes("]:")) return [];
  const { parsers } = await import("prettier/plugins/markdown");
  // Prettier passes its options too, which this parser ignores. It returns mdast's tree.
  const root = (await parsers.markdown.parse(untilDeepLine(markdown), {} as never)) as MarkdownNode;
  return linksIn(root);
}

/** Indentation and markers of quotes and lists at the beginning of a line. */
const lineBegin = /^[ \t>*+\-\d.)]+/;
/** Number of spaces before the text of about a hundred lists inside of each other. */
const deepestList = 100;

/** Returns the text before the first line in too many lists. */
function untilDeepLine(markdown: string): string {
  let at = 0;
  for (const line of markdown.split("\n")) {
    const [begin = ""] = lineBegin.exec(line) ?? [];
    if (begin.replaceAll(/\S/g, "").length >= deepestList) return markdown.slice(0, at);
    at += line.length + 1;
  }
  return markdown;
}

/** Doesn't call itself, because an author may nest thousands of quotes. */
function linksIn(root: MarkdownNode): readonly BodyLink[] {
  const found: BodyLink[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { children = [], position, url } = node;
    const start = position?.start.offset ?? 0;
    if (url !== undefined) found.push({ url, start, end: position?.end.offset ?? start });
    for (const child of children.toReversed()) open.push(child);
  }
  return found;
}
