import { posix } from "node:path";
import type { NamedFiles } from "../../kit/binding.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import { nearestName, suggestion } from "../../schema/suggestion.js";
import type { ResolveContext, SkillFiles } from "./context.js";

/**
 * Files that a skill may name: below the skills folder, by paths relative to the skill's own
 * folder.
 */
export function skillFiles(folder: string, context: ResolveContext): SkillFiles {
  const places = { folder, skills: context.skillsFolder };
  return {
    ...filesBy((path, from) => locate(path, from, places, context), context),
    own: filesBy((path, from) => locateOwn(path, from, places, context), context),
  };
}

/**
 * Returns a path relative to the project root; undefined, with a report at `from`, if there is no
 * such file.
 */
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

/** Adds the referring place to problems in a file that the skill refers to. */
function referredFrom({ span }: SyntaxNode, report: Report): Report {
  const here = { span, message: "the skill refers to it here" };
  return {
    ...report,
    add: (diagnostic) =>
      report.add({ ...diagnostic, related: [...(diagnostic.related ?? []), here] }),
  };
}

interface Places {
  /** Folder of the skill. */
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

/**
 * Returns the path relative to the project root. Undefined if it is a URL, is absolute, or leads
 * out of its folder.
 */
function pathBelow(within: string, folder: string, path: string): string | undefined {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:|^[/~]|[\\\0]/.test(path) || path === "") return undefined;
  const located = posix.normalize(posix.join(folder, path));
  const root = posix.normalize(within === "" ? "." : within).replace(/\/$/, "");
  if (root === ".") return located === ".." || located.startsWith("../") ? undefined : located;
  return located.startsWith(`${root}/`) ? located : undefined;
}

type Context = Pick<ResolveContext, "paths" | "report" | "whyUnread">;

function reportOutside(path: string, from: SyntaxNode, { report }: Context): void {
  report.add({
    code: "file/outside-skills",
    span: from.span,
    message: `${quote(path)} is not a path below the skills folder`,
    help: "move the file into the skill's folder and name it like `./file.json`: skillc reads nothing else and fetches nothing",
  });
}

/**
 * Reports a file that is not in the skill's folder. The suggested path must work for every reader
 * of the folder, such as Protobuf imports.
 */
function reportNotInSkill(path: string, from: SyntaxNode, { report }: Context): void {
  report.add({
    code: "file/not-in-skill",
    span: from.span,
    message: `${quote(path)} is not a path below the skill's folder`,
    help: `copy the file below the skill's folder, and name it by its path from there: ${quote(pathInside(path))}`,
  });
}

/** @param to target of the link, in the project */
function reportLink(path: string, to: string, from: SyntaxNode, { report }: Context): void {
  report.add({
    code: "file/not-in-skill",
    span: from.span,
    message: `${quote(path)} is a link to ${quote(to)}, which is not below the skill's folder`,
    help: "put a copy of the file in the link's place",
  });
}

/** Removes leading `../` steps. */
function pathInside(path: string): string {
  return posix.normalize(path).replace(/^(?:\.\.\/)+/, "");
}

interface AbsentFile {
  /** Folder of the skill. */
  readonly folder: string;
  /** Path relative to the project root. */
  readonly located: string;
  /** Path as written. */
  readonly path: string;
}

function reportAbsent(
  { folder, located, path }: AbsentFile,
  from: SyntaxNode,
  { paths, report, whyUnread }: Context,
): void {
  const unread = whyUnread?.(located);
  if (unread !== undefined) {
    report.add({
      ...unread,
      related: [{ span: from.span, message: "the skill refers to it here" }],
    });
    return;
  }
  const near = fileLike(located, paths?.() ?? []);
  report.add({
    code: "file/not-found",
    span: from.span,
    message: `there is no file ${quote(path)}`,
    help:
      near === undefined
        ? `skillc looked for ${quote(located)}`
        : suggestion(named(posix.relative(folder, near), path)),
  });
}

/** Finds a file with a similar name in the same folder. */
function fileLike(located: string, paths: Iterable<string>): string | undefined {
  const beside = [...paths].filter((each) => posix.dirname(each) === posix.dirname(located));
  const near = nearestName(
    posix.basename(located),
    beside.map((each) => posix.basename(each)),
  );
  return near && posix.join(posix.dirname(located), near);
}

/** Writes a path like the other one, because Protobuf's imports have no `./`. */
function named(path: string, other: string): string {
  return path.startsWith("../") || !other.startsWith(".") ? path : `./${path}`;
}
