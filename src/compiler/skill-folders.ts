import { posix } from "node:path";
import type { Project } from "../core/project.js";

/** Folders that hold a SKILL.md or skill.md, in the order of their paths. */
export function skillFolders(project: Project): readonly string[] {
  const folders = [...project.files.keys()]
    .filter((path) => ["SKILL.md", "skill.md"].includes(posix.basename(path)))
    .map((path) => posix.dirname(path));
  return [...new Set(folders)];
}
