import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A fenced block of a page. */
export interface PageBlock {
  readonly language: string;
  /** The path of the file that it is, from the info string's `title=`. */
  readonly path: string | undefined;
  /** Whether the info string says `run`: then a test runs it. */
  readonly isRun: boolean;
  readonly text: string;
}

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** The text of a file of the repository. */
export function readPage(path: string): string {
  return readFileSync(`${repository}${path}`, "utf8");
}

/** Every fenced block of a page, in order. A longer fence may hold shorter ones. */
export function blocksOf(page: string): readonly PageBlock[] {
  const fences = page.matchAll(
    /^(?<fence>`{3,})(?<language>\w+)(?<info>[^\n]*)\n(?<text>[\s\S]*?)^\k<fence>$/gm,
  );
  return [...fences].map(({ groups: { language = "", info = "", text = "" } = {} }) => ({
    language,
    path: / title=(\S+)/.exec(info)?.[1],
    isRun: / run\b/.test(info),
    text,
  }));
}
