import { readdir } from "node:fs/promises";
import { basename, join, posix } from "node:path";
import type { Finding } from "../core/diagnostic.js";
import type { Project } from "../core/project.js";
import { compareText, type Report } from "../core/report.js";
import type { SourceFile } from "../core/source-file.js";
import { ignored, parseConfig, skillsSetting } from "./config/parse-config.js";
import { findProjectRoot } from "./read/find-root.js";
import { readTextFile } from "./read/read-file.js";
import { readConfigFile, readSkillFiles } from "./read/read-files.js";
import { chooseSkillFiles } from "./read/skill-files.js";
import { type FoundFile, isSkill, walkFolder } from "./read/walk-folder.js";

/**
 * Everything the compiler needs of the disk: skillc.yaml, and the files below the folder of skills that it names.
 *
 * @param root the project's folder: absolute, or relative to the working directory
 * @param skills the skills folder, relative to `root`, in place of the one that skillc.yaml names
 */
export async function readProject(root: string, report: Report, skills?: string): Promise<Project> {
  const configFile = await readConfigFile(root, report);
  const name = skills ?? parseConfig(configFile, ignored).skills;
  const nowhere = { file: configFile?.path ?? name, start: 0, end: 0 };
  const setting = (configFile && skillsSetting(configFile)) ?? nowhere;
  const files = await readSkillFiles(root, { name, setting }, report);
  return { ...(configFile && { configFile }), ...files };
}

/**
 * One skill, with what it may refer to beside it. Paths are relative to `folder`. Whatever is wrong with other skills is not reported.
 *
 * @param folder real path of the folder that the skill's is in
 * @param skill name of the skill's folder
 */
export async function readSkill(folder: string, skill: string, report: Report): Promise<Project> {
  const own = `${skill}/`;
  const found = (await filesFor(folder, skill, reportOn(own, report))).filter(
    ({ path }) => path.startsWith(own) || !isSkill(posix.basename(path)),
  );
  const chosen = chooseSkillFiles(
    found.toSorted((a, b) => compareText(a.path, b.path)),
    ".",
    report,
  );
  const files = new Map<string, SourceFile>();
  const unread = new Map<string, Finding>();
  for (const { location, path } of chosen) {
    const read = await readTextFile(location, path);
    if (read.kind === "file") files.set(path, read.file);
    if (read.kind !== "unread") continue;
    if (isSkill(posix.basename(path)) || path === `${own}metadata.json`) report.add(read.finding);
    else unread.set(path, read.finding);
  }
  return { files, unread };
}

/** A folder that is known to be of skills is looked through; another one may be somebody's home, so only its own files count. */
async function filesFor(
  folder: string,
  skill: string,
  report: Report,
): Promise<readonly FoundFile[]> {
  if (await isOfSkills(folder)) return walkFolder(folder, ".", report);
  const beside = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return [
    ...(await walkFolder(join(folder, skill), skill, report)),
    ...beside
      .filter((entry) => entry.isFile() && /\.(?:json|yaml|yml|avsc|proto|sql)$/.test(entry.name))
      .map(({ name }) => ({ location: join(folder, name), path: name })),
  ];
}

async function isOfSkills(folder: string): Promise<boolean> {
  if (basename(folder) === "skills") return true;
  return (await readConfigFile(await findProjectRoot(folder), ignored)) !== undefined;
}

/** A report that passes on what is about files below one folder. */
function reportOn(folder: string, report: Report): Report {
  const narrowed: Report = {
    add: (finding) => (finding.span.file.startsWith(folder) ? report.add(finding) : undefined),
    within: () => narrowed,
    errorCount: () => report.errorCount(),
  };
  return narrowed;
}
