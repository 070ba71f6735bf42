import { posix } from "node:path";
import type { Project } from "../core/project.js";

/** Lists folders with a SKILL.md or skill.md, in the order of their paths. */
export function skillFolders(project: Project): readonly string[] {
  const folders = [...project.files.keys()]
    .filter((path) => ["SKILL.md", "skill.md"].includes(posix.basename(path)))
    .map((path) => posix.dirname(path));
  return [...new Set(folders)];
}

/**
 * File names beside SKILL.md that may declare a skill's tools and settings; if several exist, the
 * first is read.
 */
export const metadataNames: readonly string[] = ["metadata.json", "metadata.yaml", "metadata.yml"];

/** Estimates the number of a skill's tools from the bindings in its text. */
export function toolsWritten(folder: string, { files }: Project): number {
  return ["SKILL.md", "skill.md", ...metadataNames].reduce((sum, name) => {
    const text = files.get(posix.join(folder, name))?.text ?? "";
    return sum + (text.match(/^[ \t]*"?binding"?[ \t]*:/gm)?.length ?? 0);
  }, 0);
}
