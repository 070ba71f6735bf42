import { posix } from "node:path";
import { quote } from "../../core/names.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import { nearestName, suggestion } from "../../schema/suggestion.js";
import type { ResolveContext } from "./context.js";

type Context = Pick<ResolveContext, "paths" | "report" | "whyUnread">;

export function reportOutside(path: string, from: SyntaxNode, { report }: Context): void {
  report.add({
    code: "file/outside-skills",
    span: from.span,
    message: `${quote(path)} is not a path below the skills folder`,
    help: "move the file into the skill's folder and name it like `./file.json`: skillc reads nothing else and fetches nothing",
  });
}

/** The path that is advised is good wherever the skill's folder is looked in, as it is for what Protobuf imports. */
export function reportNotInSkill(path: string, from: SyntaxNode, { report }: Context): void {
  report.add({
    code: "file/not-in-skill",
    span: from.span,
    message: `${quote(path)} is not a path below the skill's folder`,
    help: `copy the file below the skill's folder, and name it by its path from there: ${quote(pathInside(path))}`,
  });
}

/** @param to where the link leads, in the project */
export function reportLink(path: string, to: string, from: SyntaxNode, { report }: Context): void {
  report.add({
    code: "file/not-in-skill",
    span: from.span,
    message: `${quote(path)} is a link to ${quote(to)}, which is not below the skill's folder`,
    help: "put a copy of the file in the link's place",
  });
}

/** Without the steps that lead out. */
function pathInside(path: string): string {
  return posix.normalize(path).replace(/^(?:\.\.\/)+/, "");
}

interface AbsentFile {
  /** Of the skill. */
  readonly folder: string;
  /** Relative to the project root. */
  readonly located: string;
  /** As written. */
  readonly path: string;
}

export function reportAbsent(
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
        ? `it would be ${quote(located)}`
        : suggestion(named(posix.relative(folder, near), path)),
  });
}

/** A file of nearly that name, in the same folder. */
function fileLike(located: string, paths: Iterable<string>): string | undefined {
  const beside = [...paths].filter((each) => posix.dirname(each) === posix.dirname(located));
  const near = nearestName(
    posix.basename(located),
    beside.map((each) => posix.basename(each)),
  );
  return near && posix.join(posix.dirname(located), near);
}

/** Written as the other one is: Protobuf's imports have no `./`. */
function named(path: string, other: string): string {
  return path.startsWith("../") || !other.startsWith(".") ? path : `./${path}`;
}
