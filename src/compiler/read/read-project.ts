import { realpath } from "node:fs/promises";
import { join, posix, resolve, sep } from "node:path";
import type { Finding } from "../../core/diagnostic.js";
import type { Project } from "../../core/project.js";
import { compareText, type Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { ignored, parseConfig, skillsSetting } from "../config/parse-config.js";
import { configFileName } from "./find-root.js";
import { readTextFile } from "./read-file.js";
import { chooseSkillFiles } from "./skill-files.js";
import { type FoundFile, isSkill, walkFolder } from "./walk-folder.js";

/**
 * Reads skillc.yaml and every file below the skills folder that may matter. What keeps a skill from being read is reported at once;
 * what is wrong with any other file waits in `unread` until a skill refers to it.
 *
 * @param root the project's folder: absolute, or relative to the working directory
 * @param skills the skills folder, relative to `root`, in place of the one that skillc.yaml names
 */
export async function readProject(root: string, report: Report, skills?: string): Promise<Project> {
  const configFile = await readConfigFile(root, report);
  const name = skills ?? parseConfig(configFile, ignored).skills;
  const folder = await realFolder(root, name);
  if (folder === undefined) {
    reportNoFolder(name, configFile, report);
    return { ...(configFile && { configFile }), files: new Map() };
  }
  const found = [...(await walkFolder(folder, posix.normalize(name), report))];
  found.sort((a, b) => compareText(a.path, b.path));
  const { files, unread } = await readFiles(chooseSkillFiles(found, name, report), report);
  return { ...(configFile && { configFile }), files, unread };
}

async function readConfigFile(root: string, report: Report): Promise<SourceFile | undefined> {
  const read = await readTextFile(join(root, configFileName), configFileName);
  if (read.kind === "unread") report.add(read.finding);
  return read.kind === "file" ? read.file : undefined;
}

/** Where the folder really is; undefined when it isn't there or a link takes it out of the project. */
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

function reportNoFolder(name: string, configFile: SourceFile | undefined, report: Report): void {
  const setting = configFile && skillsSetting(configFile);
  report.add({
    code: "read/no-skills-folder",
    span: setting ?? { file: configFile?.path ?? name, start: 0, end: 0 },
    message: `there is no folder \`${name}\` in the project`,
    help: "make it, or name another under `skills` in skillc.yaml",
  });
}

async function readFiles(found: readonly FoundFile[], report: Report) {
  const files = new Map<string, SourceFile>();
  const unread = new Map<string, Finding>();
  for (const { location, path } of found) {
    const read = await readTextFile(location, path);
    if (read.kind === "file") files.set(path, read.file);
    if (read.kind !== "unread") continue;
    if (isOwnFile(path)) report.add(read.finding);
    else unread.set(path, read.finding);
  }
  return { files, unread };
}

/** Whether a skill is made of the file, rather than merely free to refer to it. */
function isOwnFile(path: string): boolean {
  const name = posix.basename(path);
  return isSkill(name) || name === "metadata.json";
}
