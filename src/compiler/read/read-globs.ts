import { isAbsolute, join } from "node:path";
import picomatch from "picomatch";
import { glob } from "tinyglobby";
import type { Finding } from "../../core/diagnostic.js";
import type { Project } from "../../core/project.js";
import { compareText, type Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { findLink } from "../../runtime/files/own-place.js";
import { readTextFile } from "./read-file.js";

/**
 * Files that settings name, by path relative to the project root, sorted by path; one that can't be read is reported. A pattern that matches nothing
 * adds nothing: whoever named it says so. Only files of the project are read, where they are: not one outside, nor by a link, whose lines would then be shown
 * in a diagnostic.
 *
 * @param root the project's folder: absolute, or relative to the working directory
 */
export async function readGlobs(
  root: string,
  patterns: readonly string[],
  report: Report,
): Promise<Required<Pick<Project, "files" | "unread">>> {
  const files = new Map<string, SourceFile>();
  const unread = new Map<string, Finding>();
  if (patterns.length === 0) return { files, unread };
  const refuse = (path: string, message: string): void => {
    const help = "put the file itself into the project";
    const span = { file: path, start: 0, end: 0 };
    const finding: Finding = { code: "read/not-in-project", span, message, help };
    report.add(finding);
    unread.set(path, finding);
  };
  const inside: string[] = [];
  for (const pattern of patterns) {
    const fault = faultOf(root, pattern);
    if (fault === undefined) inside.push(pattern);
    else refuse(pattern, fault);
  }
  const ignore = ["**/node_modules/**"];
  // A link that a wildcard meets is passed over: it may lead to the whole disk.
  const options = { cwd: root, ignore, expandDirectories: false, followSymbolicLinks: false };
  for (const path of (await glob(inside, options)).toSorted(compareText)) {
    const read = await readTextFile(join(root, path), path);
    if (read.kind === "file") files.set(path, read.file);
    if (read.kind !== "unread") continue;
    const help = "split it: skillc.yaml may name several files, in their order";
    const isLarge = read.finding.code === "read/too-large";
    report.add(isLarge ? { ...read.finding, help } : read.finding);
    unread.set(path, read.finding);
  }
  return { files, unread };
}

/** What keeps a pattern from being looked for; undefined when nothing does. */
function faultOf(root: string, pattern: string): string | undefined {
  if (leadsOut(pattern)) return `\`${pattern}\` leads out of the project`;
  const link = findLink(root, picomatch.scan(pattern).base);
  return link === undefined ? undefined : `\`${link}\` is a link, which is not followed`;
}

/** Whether a pattern names, or may come by, folders outside the project. */
function leadsOut(pattern: string): boolean {
  return (
    isAbsolute(pattern) ||
    /^[A-Za-z]:|[{,(|][/]/.test(pattern) ||
    /(?:^|[^\w.])\.\.(?:[^\w.]|$)/.test(pattern)
  );
}
