import { posix } from "node:path";
import type { Report } from "../../core/report.js";
import { metadataNames } from "../metadata-names.js";
import { type FoundFile, isSkill } from "./walk-folder.js";

/**
 * Leaves out what looks like a skill, or like its metadata, and isn't. A skill's folder may have folders of its own (`references/`, `assets/`), and a
 * SKILL.md in one of them is material of that skill, such as a template.
 *
 * @param found sorted by path
 * @param skills the skills folder
 */
export function chooseSkillFiles(
  found: readonly FoundFile[],
  skills: string,
  report: Report,
): readonly FoundFile[] {
  const top = posix.normalize(skills);
  const folders = new Map<string, string>();
  for (const { path } of found) {
    const folder = posix.dirname(path);
    if (isSkill(posix.basename(path)) && folder !== top && !folders.has(folder))
      folders.set(folder, path);
  }
  const paths = new Set(found.map(({ path }) => path));
  return found.filter(({ path }) => {
    const name = posix.basename(path);
    const finding = isSkill(name)
      ? objection(path, top, folders)
      : folders.has(posix.dirname(path)) && metadataNames.includes(name)
        ? objectionToSecond(path, paths)
        : undefined;
    if (finding === undefined) return true;
    report.add({ ...finding, span: { file: path, start: 0, end: 0 } });
    return false;
  });
}

/** Why a metadata file is not read: another one is. */
function objectionToSecond(path: string, paths: ReadonlySet<string>) {
  const folder = posix.dirname(path);
  const first = metadataNames.find((name) => paths.has(posix.join(folder, name)));
  if (first === undefined || first === posix.basename(path)) return undefined;
  const message = `the folder holds \`${first}\` too, which is read in its place`;
  return { code: "read/two-metadata-files", message, help: "keep one of the two" } as const;
}

/** Why a file that is named like a skill is none. */
function objection(path: string, top: string, folders: ReadonlyMap<string, string>) {
  const folder = posix.dirname(path);
  if (folder === top) {
    const message = "this skill has no folder of its own";
    return {
      code: "read/no-skill-folder",
      message,
      help: "move it to a folder named like the skill",
    } as const;
  }
  const outer = outerSkill(folder, folders);
  if (outer !== undefined) {
    const message = `this file is part of the skill \`${outer}\` and not a skill itself`;
    return { code: "read/nested-skill", message } as const;
  }
  const first = folders.get(folder);
  if (first === path || first === undefined) return undefined;
  const message = `the folder holds \`${posix.basename(first)}\` too, which is read in its place`;
  return { code: "read/two-skill-files", message, help: "keep one of the two" } as const;
}

/** The folder of a skill around this folder. */
function outerSkill(folder: string, folders: ReadonlyMap<string, string>): string | undefined {
  const parent = posix.dirname(folder);
  if (parent === folder || parent === ".") return undefined;
  return folders.has(parent) ? parent : outerSkill(parent, folders);
}
