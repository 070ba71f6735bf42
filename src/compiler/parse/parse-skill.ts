/**
 * Parses texts to trees in which every node has a span. This stage only knows that a skill has two
 * files.
 *
 * - `front-matter.ts` splits SKILL.md. `parse-yaml.ts` reads YAML through `compose-yaml.ts`, which
 * limits the cost of the `yaml` package, and `syntax-tree.ts` builds skillc's nodes
 * - `parse-json.ts`: JSON, which is YAML if on one line; `parse-file.ts`: either format, as plain
 * data
 * - `scalar-spelling.ts`: position of each character of a value, through escapes and folds
 * - `yaml-error.ts`: errors of the YAML parser in plain words, at the place to change
 * (`line-around.ts`); `repeated-keys.ts`
 */
import type { Report } from "../../core/report.js";
import type { SkillSyntax } from "../../core/skill-syntax.js";
import type { SourceFile } from "../../core/source-file.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import { type FrontMatter, splitFrontMatter } from "./front-matter.js";
import { parseTree } from "./parse-json.js";
import { parseYaml } from "./parse-yaml.js";

/**
 * Parses the two files of a skill.
 *
 * @param folder the skill's folder, relative to the project root, with `/`
 * @param metadataFile metadata.json or metadata.yaml
 * @param treeOf parses the metadata file
 * @returns undefined if the front matter can't be read; the errors are in `report`
 */
export function parseSkill(
  folder: string,
  skillFile: SourceFile,
  metadataFile: SourceFile | undefined,
  report: Report,
  treeOf: typeof parseTree = parseTree,
): SkillSyntax | undefined {
  const root = metadataFile && treeOf(metadataFile, report);
  const parts = splitFrontMatter(skillFile.text);
  if (parts.kind === "late" || parts.kind === "unclosed" || parts.kind === "unopened") {
    reportMisplaced(parts, skillFile.path, report);
    return undefined;
  }
  const frontMatter = parts.kind === "present" ? parseYaml(skillFile, parts, report) : undefined;
  if (parts.kind === "present" && frontMatter === undefined) return undefined;
  if (frontMatter && !isEmpty(frontMatter) && !isMapping(frontMatter, report)) return undefined;
  if (frontMatter === undefined || isEmpty(frontMatter)) reportAbsent(skillFile.path, report);
  return {
    folder,
    file: skillFile,
    body: bodyOf(skillFile, parts.bodyStart),
    ...(frontMatter?.kind === "map" && { frontMatter }),
    ...(metadataFile && root && { metadata: { file: metadataFile, root } }),
  };
}

function bodyOf(file: SourceFile, start: number): SkillSyntax["body"] {
  return { text: file.text.slice(start), span: { file: file.path, start, end: file.text.length } };
}

/** True if there are only comments and blank lines between the two markers. */
function isEmpty(node: SyntaxNode): boolean {
  return node.kind === "scalar" && node.value === null && node.span.start === node.span.end;
}

function isMapping(node: SyntaxNode, report: Report): boolean {
  if (node.kind === "map") return true;
  report.add({
    code: "parse/front-matter-not-a-mapping",
    span: node.span,
    message: "front matter must be a mapping of keys to values",
    help: "write `key: value` lines between the two `---`",
  });
  return false;
}

function reportAbsent(file: string, report: Report): void {
  report.add({
    code: "parse/no-front-matter",
    span: { file, start: 0, end: 0 },
    message: "the file has no front matter",
    help: "start it with a line `---`, then `name:` and `description:`, then a line `---`",
  });
}

function reportMisplaced(
  { kind, start, end }: Extract<FrontMatter, { readonly kind: keyof typeof misplaced }>,
  file: string,
  report: Report,
): void {
  report.add({ ...misplaced[kind], span: { file, start, end } });
}

const misplaced = {
  late: {
    code: "parse/late-front-matter",
    message: "front matter must start on the first line of the file",
    help: "remove the lines above it",
  },
  unclosed: {
    code: "parse/unclosed-front-matter",
    message: "the front matter that starts here has no end",
    help: "put a line `---` after its last key",
  },
  unopened: {
    code: "parse/unopened-front-matter",
    message: "this looks like front matter, but no line `---` opens it",
    help: "put a line `---` above it, as the first line of the file",
  },
} as const;
