import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A fenced block of a page. */
export interface PageBlock {
  readonly language: string;
  /** Path of the block's file, from `title=` in the info string. */
  readonly path: string | undefined;
  /** True if the info string contains `run`: a test then runs the block. */
  readonly isRun: boolean;
  readonly text: string;
}

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** The text of a file of the repository. */
export function readPage(path: string): string {
  return readFileSync(`${repository}${path}`, "utf8");
}

/** Lists the pages below a folder of docs/, as paths in the repository. */
export function pagesBelow(folder: string): readonly string[] {
  return readdirSync(`${repository}${folder}`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .toSorted();
}

/** Adds a SKILL.md for each skill of which a page shows only the metadata file. */
export function withSkillFiles(
  files: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const missing = Object.keys(files).flatMap((path) => {
    const [, folder = "", name = ""] =
      /^(skills\/([^/]+))\/metadata\.(?:yaml|json)$/.exec(path) ?? [];
    return folder === "" || `${folder}/SKILL.md` in files ? [] : [[`${folder}/SKILL.md`, name]];
  });
  const skills = missing.map(([path = "", name = ""]) => [
    path,
    `---\nname: ${name}\ndescription: An example of a page. Use it to test the page.\n---\n\nAn example.\n`,
  ]);
  return { ...files, ...Object.fromEntries(skills) };
}

/** Lists the fenced blocks of a page in order. A longer fence may contain shorter ones. */
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
