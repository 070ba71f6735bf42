import { statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../core/hash.js";
import type { ProjectConfig } from "../../core/project.js";
import { readTextFile } from "../../compiler/read/read-file.js";
import { configFileName } from "../../compiler/read/find-root.js";
import { packageVersion } from "../version.js";
import type { KeptModules } from "./kept-modules.js";

/**
 * Returns the settings as `readSettings` does, but takes those that an earlier process has read in
 * the same text. Reading them loads the parser of YAML and the schemas of all settings.
 *
 * @param root absolute
 */
export async function keptSettings(root: string, kept: KeptModules): Promise<ProjectConfig> {
  const read = readTextFile(join(root, configFileName), configFileName);
  const text = read.kind === "file" ? read.file.text : null;
  const key = sha256(JSON.stringify(["settings", packageVersion(), buildTime(), text]));
  const known = text === null ? undefined : kept.get(key);
  // The cache returns only what is stored below.
  if (known !== undefined) return JSON.parse(known) as ProjectConfig;
  const { readSettings } = await import("./read-settings.js");
  const settings = await readSettings(root);
  if (text !== null) kept.set(key, JSON.stringify(settings));
  return settings;
}

/** Time of the last build, because skillc's developers change the parser within one version. */
function buildTime(): number | undefined {
  const bundle = new URL("../../bundle/start.js", import.meta.url);
  return statSync(bundle, { throwIfNoEntry: false })?.mtimeMs;
}
