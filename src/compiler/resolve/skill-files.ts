import { posix } from "node:path";
import type { NamedFiles } from "../../bindings/binding.js";
import type { Report } from "../../core/report.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import type { ResolveContext, SkillFiles } from "./context.js";
import { reportAbsent, reportLink, reportNotInSkill, reportOutside } from "./file-faults.js";

/** The files that a skill may name: below the skills folder, relative to the skill's own. */
export function skillFiles(folder: string, context: ResolveContext): SkillFiles {
  const places = { folder, skills: context.skillsFolder };
  return {
    ...filesBy((path, from) => locate(path, from, places, context), context),
    own: filesBy((path, from) => locateOwn(path, from, places, context), context),
  };
}

/** Gives a path relative to the project root; undefined, and reported where `from` is, when there is no such file. */
type Locate = (path: string, from: SyntaxNode | undefined) => string | undefined;

function filesBy(locate: Locate, { readFile, readTree, report }: ResolveContext): NamedFiles {
  return {
    readTree(path, from) {
      const located = locate(path, from);
      return located === undefined ? undefined : readTree(located, referredFrom(from, report));
    },
    readFile(path, from) {
      const located = locate(path, from);
      return located === undefined ? undefined : readFile(located);
    },
  };
}

/** What is wrong in a file that a skill refers to names the place where it does. */
function referredFrom({ span }: SyntaxNode, report: Report): Report {
  const here = { span, message: "the skill refers to it here" };
  return {
    ...report,
    add: (finding) => report.add({ ...finding, related: [...(finding.related ?? []), here] }),
  };
}

interface Places {
  /** The skill's. */
  readonly folder: string;
  readonly skills: string;
}

function locate(
  path: string,
  from: SyntaxNode | undefined,
  { folder, skills }: Places,
  context: ResolveContext,
): string | undefined {
  const located = pathBelow(skills, folder, path);
  if (located !== undefined && context.readFile(located) !== undefined) return located;
  if (from === undefined) return undefined;
  if (located === undefined) reportOutside(path, from, context);
  else reportAbsent({ folder, located, path }, from, context);
  return undefined;
}

function locateOwn(
  path: string,
  from: SyntaxNode | undefined,
  places: Places,
  context: ResolveContext,
): string | undefined {
  const { folder, skills } = places;
  const isOwn = pathBelow(folder, folder, path) !== undefined;
  if (!isOwn && pathBelow(skills, folder, path) !== undefined) {
    if (from !== undefined) reportNotInSkill(path, from, context);
    return undefined;
  }
  const located = locate(path, from, places, context);
  const linkTo = located === undefined ? undefined : context.readFile(located)?.linkTo;
  if (linkTo === undefined || linkTo.startsWith(`${folder}/`)) return located;
  if (from !== undefined) reportLink(path, linkTo, from, context);
  return undefined;
}

/** The path relative to the project root; undefined when it is a URL, absolute, or leads out of the folder that it has to be in. */
function pathBelow(within: string, folder: string, path: string): string | undefined {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:|^[/~]|[\\\0]/.test(path) || path === "") return undefined;
  const located = posix.normalize(posix.join(folder, path));
  const root = posix.normalize(within === "" ? "." : within).replace(/\/$/, "");
  if (root === ".") return located === ".." || located.startsWith("../") ? undefined : located;
  return located.startsWith(`${root}/`) ? located : undefined;
}
