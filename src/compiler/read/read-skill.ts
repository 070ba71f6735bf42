import { readdir } from "node:fs/promises";
import { basename, join, posix } from "node:path";
import type { Project } from "../../core/project.js";
import { compareText, type Report } from "../../core/report.js";
import { findProjectRoot } from "./find-root.js";
import { readConfigFile, readFiles } from "./read-files.js";
import { chooseSkillFiles } from "./skill-files.js";
import { type FoundFile, isSkill, mayMatter, walkFolder } from "./walk-folder.js";

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
  return readFiles(chosen, reportOn(own, report));
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
      .filter((entry) => entry.isFile() && mayMatter(entry.name))
      .map(({ name }) => ({ location: join(folder, name), path: name })),
  ];
}

async function isOfSkills(folder: string): Promise<boolean> {
  if (basename(folder) === "skills") return true;
  return (await readConfigFile(await findProjectRoot(folder), silent)) !== undefined;
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

/** What is wrong with skillc.yaml is no matter of one skill. */
const silent: Report = { add() {}, within: () => silent, errorCount: () => 0 };
