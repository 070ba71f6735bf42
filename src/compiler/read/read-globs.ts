import { readdir } from "node:fs/promises";
import { isAbsolute, join, posix } from "node:path";
import picomatch from "picomatch";
import { glob } from "tinyglobby";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { Project } from "../../core/project.js";
import { compareText, type Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { findLink } from "@skillc/runtime/internal";
import { nearestName } from "../../schema/suggestion.js";
import { readTextFile } from "./read-file.js";

/**
 * Reads the files that settings name, with paths relative to the project root, sorted by path.
 * Reports unreadable files. A pattern without matches adds nothing, and its caller reports that.
 * Does not read files outside of the project, or behind a link, because diagnostics would show
 * their lines.
 *
 * @param root the project's folder, absolute or relative to the working directory
 */
export async function readGlobs(
  root: string,
  patterns: readonly string[],
  report: Report,
): Promise<Required<Pick<Project, "files" | "unread" | "near">>> {
  const files = new Map<string, SourceFile>();
  const unread = new Map<string, UnratedDiagnostic>();
  if (patterns.length === 0) return { files, unread, near: new Map() };
  const refuse = (path: string, message: string): void => {
    const help = "put the file itself into the project";
    const span = { file: path, start: 0, end: 0 };
    const diagnostic: UnratedDiagnostic = { code: "read/not-in-project", span, message, help };
    report.add(diagnostic);
    unread.set(path, diagnostic);
  };
  const allowed = (
    names: readonly string[],
    referenceProblem: typeof patternProblem,
  ): readonly string[] =>
    names.filter((name) => {
      const problem = referenceProblem(root, name);
      if (problem !== undefined) refuse(name, problem);
      return problem === undefined;
    });
  const inside = [...allowed(patterns, patternProblem)];
  const ignore = ["**/node_modules/**"];
  // Skip links that a wildcard matches, because they may lead to the whole disk.
  const options = { cwd: root, ignore, expandDirectories: false, followSymbolicLinks: false };
  const found = (await glob(inside, options)).toSorted(compareText);
  // Check the matches too: `\.\./x` doesn't look like a path out of the project.
  for (const path of allowed(found, problemOfFile)) {
    const read = readTextFile(join(root, path), path);
    if (read.kind === "file") files.set(path, read.file);
    if (read.kind !== "unread") continue;
    const help = path.endsWith(".cedar")
      ? "split it: skillc reads every file of the folder"
      : "split it: skillc.yaml may name several files, in their order";
    const isLarge = read.diagnostic.code === "read/too-large";
    report.add(isLarge ? { ...read.diagnostic, help } : read.diagnostic);
    unread.set(path, read.diagnostic);
  }
  return {
    files,
    unread,
    near: await nearFiles(root, inside, [...files.keys(), ...unread.keys()]),
  };
}

/** Finds a file with a similar name in the same folder, for each path without a file. */
async function nearFiles(
  root: string,
  paths: readonly string[],
  known: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const near = new Map<string, string>();
  for (const path of paths) {
    if (picomatch.scan(path).isGlob || known.includes(posix.normalize(path))) continue;
    const folder = posix.dirname(path);
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    const names = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []));
    const nearest = nearestName(posix.basename(path), names);
    if (nearest !== undefined) near.set(path, posix.join(folder, nearest));
  }
  return near;
}

/** Returns the reason why a pattern isn't searched; undefined if it is. */
function patternProblem(root: string, pattern: string): string | undefined {
  const { base } = picomatch.scan(pattern);
  if (leadsOut(pattern) || isAbsolute(base)) return `\`${pattern}\` leads out of the project`;
  return linkOnTheWay(root, base);
}

function problemOfFile(root: string, path: string): string | undefined {
  const isOutside = isAbsolute(path) || posix.normalize(path).startsWith("../");
  return isOutside ? `\`${path}\` leads out of the project` : linkOnTheWay(root, path);
}

function linkOnTheWay(root: string, path: string): string | undefined {
  const link = findLink(root, path);
  return link === undefined ? undefined : `\`${link}\` is a link, which skillc does not follow`;
}

/** Checks if a pattern names folders outside the project, or passes through one. */
function leadsOut(pattern: string): boolean {
  return (
    isAbsolute(pattern) ||
    /^[A-Za-z]:|[{,(|][/]/.test(pattern) ||
    /(?:^|[^\w.])\.\.(?:[^\w.]|$)/.test(pattern)
  );
}
