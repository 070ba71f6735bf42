import { readdir } from "node:fs/promises";
import { basename, join, posix } from "node:path";
import type { Project } from "../../core/project.js";
import { compareText, type Report } from "../../core/report.js";
import { findProjectRoot } from "./find-root.js";
import { readConfigFile } from "./read-config-file.js";
import { readFiles } from "./read-files.js";
import {
  chooseSkillFiles,
  type FoundFile,
  isSkill,
  joined,
  mayMatter,
  walkFolder,
} from "./walk-folder.js";

/** A folder of skills. */
export interface SkillsPlace {
  /** Real path of the folder. */
  readonly location: string;
  /** Path of the folder in the project, with `/`; `.` for the project's own folder. */
  readonly name: string;
}

/**
 * Reads one skill and the files that it may refer to. Problems of other skills are not reported.
 *
 * @param folder parent folder of the skill's folder
 * @param skill name of the skill's folder
 */
export async function readSkill(
  folder: SkillsPlace,
  skill: string,
  report: Report,
): Promise<Project> {
  const own = `${joined(folder.name, skill)}/`;
  const found = (await filesFor(folder, skill, reportOn(own, report))).filter(
    ({ path }) => path.startsWith(own) || !isSkill(posix.basename(path)),
  );
  const chosen = chooseSkillFiles(
    found.toSorted((a, b) => compareText(a.path, b.path)),
    folder.name,
    report,
  );
  return readFiles(chosen, reportOn(own, report));
}

/**
 * Lists the files for a skill. Searches a known skills folder. Another folder may be somebody's
 * home, so only its own files count.
 */
async function filesFor(
  { location, name }: SkillsPlace,
  skill: string,
  report: Report,
): Promise<readonly FoundFile[]> {
  if (await isOfSkills(location)) return walkFolder(location, name, report);
  const beside = await readdir(location, { withFileTypes: true }).catch(() => []);
  return [
    ...(await walkFolder(join(location, skill), joined(name, skill), report)),
    ...beside
      .filter((entry) => entry.isFile() && mayMatter(entry.name))
      .map((entry) => ({ location: join(location, entry.name), path: joined(name, entry.name) })),
  ];
}

async function isOfSkills(folder: string): Promise<boolean> {
  if (basename(folder) === "skills") return true;
  return readConfigFile(await findProjectRoot(folder), silent) !== undefined;
}

/** A report that only passes on diagnostics for files below a folder. */
function reportOn(folder: string, report: Report): Report {
  const narrowed: Report = {
    add: (diagnostic) =>
      diagnostic.span.file.startsWith(folder) ? report.add(diagnostic) : undefined,
    within: () => narrowed,
    errorCount: () => report.errorCount(),
  };
  return narrowed;
}

/** Ignores problems of skillc.yaml, which don't concern a single skill. */
const silent: Report = { add() {}, within: () => silent, errorCount: () => 0 };
