import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { Report } from "../../core/report.js";
import { isOneSlipFrom } from "../../core/one-slip.js";
import { metadataNames } from "../skill-folders.js";
import { errorCode } from "./read-file.js";

/** Maximum depth of folders below the skills folder. */
const maxFolders = 32;

/** A relevant file, with its path on disk and its path in the project. */
export interface FoundFile {
  readonly location: string;
  /** Path relative to the project root, with `/`. */
  readonly path: string;
  /** Path of the link's target in the project. */
  readonly linkTo?: string;
}

/**
 * Lists every file below a folder that a skill may contain or refer to, in no order. Skips
 * `node_modules` and folders that start with a dot. Follows links to files below the folder. Never
 * follows links to folders, because their files are found at their real place.
 *
 * @param folder real path of the folder
 * @param name path of the folder in the project
 */
export async function walkFolder(
  folder: string,
  name: string,
  report: Report,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  const at = { top: { folder, name }, path: name, level: 1, found, isInSkill: false };
  await walk(folder, at, report);
  return found;
}

interface At {
  readonly top: { readonly folder: string; readonly name: string };
  readonly path: string;
  readonly level: number;
  readonly found: FoundFile[];
  /** True if a parent folder at any level contains a skill's file. */
  readonly isInSkill: boolean;
}

async function walk(folder: string, at: At, report: Report): Promise<void> {
  const entries = await entriesOf(folder, at.path, report);
  const isSkillFolder = entries.some((entry) => isSkill(entry.name));
  const isInSkill = at.isInSkill || isSkillFolder;
  const names = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  for (const diagnostic of isSkillFolder ? misnamedMetadata(at.path, names) : [])
    report.add(diagnostic);
  for (const entry of entries) {
    const path = joined(at.path, entry.name);
    const inner = { ...at, path, level: at.level + 1, isInSkill };
    await visit(join(folder, entry.name), entry, inner, report);
  }
}

async function visit(location: string, entry: Dirent, at: At, report: Report): Promise<void> {
  const { name } = entry;
  if (name === "node_modules" || name.startsWith(".")) return;
  if (entry.isDirectory() && !isSkill(name)) {
    if (at.level <= maxFolders) await walk(location, at, report);
  } else if (entry.isSymbolicLink()) {
    if (!mayMatter(at.path) && !(await isFolder(location))) return;
    const linkTo = await targetInside(location, at, report);
    if (linkTo !== undefined) at.found.push({ location, path: at.path, linkTo });
  } else if (mayMatter(at.path)) {
    at.found.push({ location, path: at.path });
  } else if (isNearlySkill(name) || (!at.isInSkill && isLikeSkill(name))) {
    report.add({
      code: "read/misnamed-skill",
      span: { file: at.path, start: 0, end: 0 },
      message: `\`${name}\` is not the name of a skill's file`,
      help: "rename it to `SKILL.md`",
    });
  }
}

async function entriesOf(folder: string, path: string, report: Report): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const message = `the folder \`${path}\` can't be read: ${errorCode(error)}`;
    report.add({ code: "read/unreadable", span: { file: path, start: 0, end: 0 }, message });
    return [];
  }
}

/**
 * Returns the path of a link's target, if that is below the top folder. Otherwise reports the link.
 */
async function targetInside(location: string, at: At, report: Report): Promise<string | undefined> {
  const { folder, name } = at.top;
  const target = await realpath(location).catch(() => undefined);
  const isInside = target?.startsWith(`${folder}${sep}`) ?? false;
  if (target !== undefined && isInside && !(await isFolder(location)))
    return joined(name, relative(folder, target).replaceAll(sep, "/"));
  const where =
    target === undefined ? "nowhere" : isInside ? "to a folder" : "out of the skills folder";
  const message = `\`${at.path}\` is a link that leads ${where}, so skillc does not follow it`;
  report.add({ code: "read/link", span: { file: at.path, start: 0, end: 0 }, message });
  return undefined;
}

function isFolder(location: string): Promise<boolean> {
  return stat(location).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

export function isSkill(name: string): boolean {
  return name === "SKILL.md" || name === "skill.md";
}

/**
 * Checks for a name that was probably intended for a skill. If skillc ignored the file silently,
 * its tools would be missing.
 */
function isNearlySkill(name: string): boolean {
  return /^skills?\.(?:md|markdown)$/i.test(name);
}

/**
 * Checks for a similar name that may also be an ordinary word (`skull.md`). It counts only if the
 * file isn't inside a skill.
 */
function isLikeSkill(name: string): boolean {
  const lower = name.toLowerCase();
  return isOneSlipFrom(lower, "skill.md") || /^skills?(?:\.md)?(?:\.(?:txt|mdx?))?$/.test(lower);
}

/**
 * Checks for a skill's own files, and files that its tools may refer to, such as scripts. A script
 * in a folder `scripts` may have any name.
 *
 * @param path with `/`
 */
export function mayMatter(path: string): boolean {
  return (
    isSkill(posix.basename(path)) ||
    /\.(?:json|yaml|yml|avsc|proto|sql)$/.test(path) ||
    /\.(?:sh|bash|py|[cm]?js|pl|rb|php|lua|r|awk|jq)$/i.test(path) ||
    /(?:^|\/)scripts\/(?:[^/]+\/)*[^/]+$/.test(path)
  );
}

/** Joins a path and a folder, which is `.` for the project's own. */
export function joined(folder: string, name: string): string {
  return folder === "." ? name : `${folder}/${name}`;
}

/**
 * Drops files that only look like a skill or its metadata. A skill's folder may have subfolders
 * (`references/`, `assets/`). A SKILL.md in a subfolder is material of the skill, such as a
 * template.
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
    const diagnostic = isSkill(name)
      ? objection(path, top, folders)
      : folders.has(posix.dirname(path)) && metadataNames.includes(name)
        ? objectionToSecond(path, paths)
        : undefined;
    if (diagnostic === undefined) return true;
    report.add({ ...diagnostic, span: { file: path, start: 0, end: 0 } });
    return false;
  });
}

/** Reason why a metadata file is not read: there is another one. */
function objectionToSecond(path: string, paths: ReadonlySet<string>) {
  const folder = posix.dirname(path);
  const first = metadataNames.find((name) => paths.has(posix.join(folder, name)));
  if (first === undefined || first === posix.basename(path)) return undefined;
  const message = `the folder also has \`${first}\`, and skillc reads that file instead`;
  return { code: "read/two-metadata-files", message, help: "keep one of the two" } as const;
}

/** Reason why a file with a skill's name is not a skill. */
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
  const message = `the folder also has \`${posix.basename(first)}\`, and skillc reads that file instead`;
  return { code: "read/two-skill-files", message, help: "keep one of the two" } as const;
}

/** Returns the folder of a skill around this folder. */
function outerSkill(folder: string, folders: ReadonlyMap<string, string>): string | undefined {
  const parent = posix.dirname(folder);
  if (parent === folder || parent === ".") return undefined;
  return folders.has(parent) ? parent : outerSkill(parent, folders);
}

/**
 * Finds files whose names are close to a metadata file's, in a skill without one. If skillc ignored
 * them silently, their tools would be missing.
 *
 * @param folder path of the folder in the project
 * @param names file names in the folder
 */
function misnamedMetadata(folder: string, names: readonly string[]): readonly UnratedDiagnostic[] {
  if (names.some((name) => metadataNames.includes(name))) return [];
  return names.flatMap((name) => {
    const lower = name.toLowerCase();
    const meant = metadataNames.find((each) => each === lower || isOneSlipFrom(lower, each));
    if (meant === undefined) return [];
    return {
      code: "read/misnamed-metadata" as const,
      span: { file: `${folder}/${name}`, start: 0, end: 0 },
      message: `\`${name}\` is not the name of a skill's metadata file, so skillc does not read it`,
      help: `rename it to \`${meant}\` if the skill's tools are in it`,
    };
  });
}
