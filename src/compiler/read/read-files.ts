/**
 * Reads files and their texts from disk, and does nothing else.
 *
 * - `read-skill.ts`: a single skill. `walk-folder.ts` finds relevant files below a folder,
 * `read-globs.ts` those that settings name. `unread-policies.ts` finds files that look like
 * policies but aren't read; `misnamed-files.ts` finds names close to skillc.yaml or the policies
 * folder
 * - `read-file.ts`: the text of one file. `read-config-file.ts`: skillc.yaml. `find-root.ts`: its
 * folder
 */
import { findLink } from "@skillc/runtime/internal";
import { realpath } from "node:fs/promises";
import { join, posix, resolve, sep } from "node:path";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { Project } from "../../core/project.js";
import { compareText, type Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Span } from "../../core/span.js";
import { metadataNames } from "../skill-folders.js";
import { readTextFile } from "./read-file.js";
import { chooseSkillFiles, type FoundFile, isSkill, walkFolder } from "./walk-folder.js";

/** Location of the skills. */
interface SkillsFolder {
  /** Path relative to the project root, with `/`. */
  readonly name: string;
  /** Span of the setting in skillc.yaml; the start of some file if it isn't set. */
  readonly setting: Span;
  /** True if the project has a skillc.yaml. */
  readonly isConfigured: boolean;
}

/**
 * Reads all relevant files below the skills folder. Problems that keep a skill from being read are
 * reported at once. Problems of other files go to `unread`, and are reported if a skill refers to
 * the file.
 *
 * @param root the project's folder, absolute or relative to the working directory
 */
export async function readSkillFiles(
  root: string,
  { isConfigured, name, setting }: SkillsFolder,
  report: Report,
): Promise<Pick<Project, "files" | "unread">> {
  const folder = await realFolder(root, name);
  if (folder === undefined) {
    const link = findLink(root, name);
    report.add({
      code: "read/no-skills-folder",
      span: setting,
      message:
        link === undefined
          ? `there is no folder \`${name}\` in the project`
          : `\`${link}\` is a link that leads to no folder in the project, so skillc does not follow it`,
      help:
        link === undefined
          ? noFolderHelp(isConfigured)
          : "put the folder itself there, or start skillc in the folder's own project",
    });
    return { files: new Map() };
  }
  const errorsBefore = report.errorCount();
  const found = [...(await walkFolder(folder, posix.normalize(name), report))];
  found.sort((a, b) => compareText(a.path, b.path));
  const chosen = chooseSkillFiles(found, name, report);
  const isEmpty = !chosen.some(({ path }) => isSkill(posix.basename(path)));
  if (isEmpty && report.errorCount() === errorsBefore) reportEmpty({ name, setting }, report);
  return readFiles(chosen, report);
}

function noFolderHelp(isConfigured: boolean): string {
  return isConfigured
    ? "create it, or name another folder under `skills` in skillc.yaml"
    : "there is no skillc.yaml here either: start in the project's folder, or begin a project with `skillc init`";
}

function reportEmpty({ name, setting }: Omit<SkillsFolder, "isConfigured">, report: Report): void {
  report.add({
    code: "read/no-skills",
    span: setting,
    message: `there are no skills in the folder \`${name}\``,
    help: `a skill is a folder with a SKILL.md: \`${name}/my-skill/SKILL.md\``,
  });
}

/**
 * Returns the real path of the folder; undefined if it doesn't exist, or if a link leads out of the
 * project.
 */
async function realFolder(root: string, name: string): Promise<string | undefined> {
  try {
    const project = await realpath(resolve(root));
    const folder = await realpath(join(project, name));
    const isInside =
      folder === project || folder.startsWith(project.endsWith(sep) ? project : project + sep);
    return isInside ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the files. Problems of files that aren't part of a skill go to `unread`. */
export function readFiles(found: readonly FoundFile[], report: Report) {
  const files = new Map<string, SourceFile>();
  const unread = new Map<string, UnratedDiagnostic>();
  for (const { linkTo, location, path } of found) {
    const read = readTextFile(location, path);
    if (read.kind === "file")
      files.set(path, { ...read.file, ...(linkTo !== undefined && { linkTo }) });
    if (read.kind !== "unread") continue;
    if (isOwnFile(path)) report.add(read.diagnostic);
    else unread.set(path, read.diagnostic);
  }
  return { files, unread };
}

/** Checks if the file is part of a skill, and not only available to it. */
function isOwnFile(path: string): boolean {
  const name = posix.basename(path);
  return isSkill(name) || metadataNames.includes(name);
}
