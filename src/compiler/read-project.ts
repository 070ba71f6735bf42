import type { Project } from "../core/project.js";
import type { Report } from "../core/report.js";
import { folderSetting, ignored, parseConfig } from "./config/parse-config.js";
import { reportMisnamedFiles } from "./read/misnamed-files.js";
import { readConfigFile } from "./read/read-config-file.js";
import { readSkillFiles } from "./read/read-files.js";

/**
 * Reads everything that the compiler needs from disk: skillc.yaml, and the files below its skills
 * folder.
 *
 * @param root the project's folder: absolute, or relative to the working directory
 * @param skills the skills folder, relative to `root`, instead of the one in skillc.yaml
 */
export async function readProject(root: string, report: Report, skills?: string): Promise<Project> {
  const configFile = readConfigFile(root, report);
  const config = parseConfig(configFile, ignored);
  await reportMisnamedFiles(root, config.policies, report);
  const name = skills ?? config.skills;
  const nowhere = { file: configFile?.path ?? name, start: 0, end: 0 };
  const setting = (configFile && folderSetting(configFile, "skills")) ?? nowhere;
  const files = await readSkillFiles(
    root,
    { name, setting, isConfigured: configFile !== undefined },
    report,
  );
  return { ...(configFile && { configFile }), ...files };
}
