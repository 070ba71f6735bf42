import { ignored, parseConfig } from "../../compiler/config/parse-config.js";
import { readConfigFile } from "../../compiler/read/read-config-file.js";
import type { ProjectConfig } from "../../core/project.js";

/**
 * Reads the current settings of the project. `openProject` reports their problems.
 *
 * @param root absolute
 */
export async function readSettings(root: string): Promise<ProjectConfig> {
  return parseConfig(readConfigFile(root, ignored), ignored);
}
