import { ignored, parseConfig } from "../../compiler/config/parse-config.js";
import { readConfigFile } from "../../compiler/read/read-config-file.js";
import type { ProjectConfig } from "../../core/project.js";

/**
 * The settings of the project as they are on disk now. What is wrong with them is for `openProject`
 * to report.
 *
 * @param root absolute
 */
export async function readSettings(root: string): Promise<ProjectConfig> {
  return parseConfig(readConfigFile(root, ignored), ignored);
}
