import { posix } from "node:path";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import type { ResolveContext, SkillFiles } from "./context.js";

/** The files that a skill may name: below the skills folder, relative to the skill's own. */
export function skillFiles(folder: string, context: ResolveContext): SkillFiles {
  const { report } = context;
  const locate = (path: string, from: SyntaxNode | undefined): string | undefined => {
    const located = pathBelow(context.skillsFolder, folder, path);
    if (located !== undefined && context.readFile(located) !== undefined) return located;
    if (from === undefined) return undefined;
    if (located === undefined) reportOutside(path, from, report);
    else reportAbsent(located, path, from, context);
    return undefined;
  };
  return {
    readTree(path, from) {
      const located = locate(path, from);
      return located === undefined ? undefined : context.readTree(located);
    },
    readFile(path, from) {
      const located = locate(path, from);
      return located === undefined ? undefined : context.readFile(located);
    },
  };
}

/** The path relative to the project root; undefined when it is a URL, absolute, or leads out of the skills folder. */
function pathBelow(skillsFolder: string, folder: string, path: string): string | undefined {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:|^[/~]|[\\\0]/.test(path) || path === "") return undefined;
  const located = posix.normalize(posix.join(folder, path));
  const root = posix.normalize(skillsFolder === "" ? "." : skillsFolder).replace(/\/$/, "");
  if (root === ".") return located === ".." || located.startsWith("../") ? undefined : located;
  return located.startsWith(`${root}/`) ? located : undefined;
}

function reportOutside(path: string, from: SyntaxNode, report: Report): void {
  report.add({
    code: "file/outside-skills",
    span: from.span,
    message: `${quote(path)} is not a path below the skills folder`,
    help: "move the file into the skill's folder and name it like `./file.json`: skillc reads nothing else and fetches nothing",
  });
}

function reportAbsent(
  located: string,
  path: string,
  from: SyntaxNode,
  { report, whyUnread }: ResolveContext,
): void {
  const unread = whyUnread?.(located);
  report.add(
    unread === undefined
      ? {
          code: "file/not-found",
          span: from.span,
          message: `there is no file ${quote(path)}`,
          help: `it would be ${quote(located)}`,
        }
      : { ...unread, related: [{ span: from.span, message: "the skill refers to it here" }] },
  );
}
