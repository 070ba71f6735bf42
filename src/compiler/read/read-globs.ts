import { join } from "node:path";
import { glob } from "tinyglobby";
import type { Finding } from "../../core/diagnostic.js";
import type { Project } from "../../core/project.js";
import { compareText, type Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { readTextFile } from "./read-file.js";

/**
 * Files that settings name, by path relative to the project root, sorted by path; one that can't be read is reported. A pattern that matches nothing
 * adds nothing: whoever named it says so.
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
  const ignore = ["**/node_modules/**"];
  const paths = await glob([...patterns], { cwd: root, ignore, expandDirectories: false });
  for (const path of paths.toSorted(compareText)) {
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
