import { lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { versionsFile } from "../../core/checksums.js";
import { readRegularFile } from "@skillc/runtime/internal";
import type { LoweredTool } from "../../core/lowered-skill.js";
import type { GeneratedTool } from "./generated-tools.js";

/**
 * Checks if the skill of a tool changed since its module was generated. Reading the skill takes
 * half a second, so this is skipped if no source file is newer than the module.
 *
 * @param root absolute
 */
export async function isStale(root: string, tool: GeneratedTool): Promise<boolean> {
  const module = join(root, tool.module);
  const versions = join(dirname(module), versionsFile);
  const sources = [dirname(tool.skillFile), "skillc.yaml"].map((path) => join(root, path));
  try {
    const since = Math.max(statSync(module).mtimeMs, statSync(versions).mtimeMs);
    if (!sources.some((path) => isNewer(path, since))) return false;
    const version = await versionNow(root, tool);
    if (version === undefined) return true;
    // These files contain the hashes of the skill at that time.
    const text = [module, versions]
      .map((path) => readRegularFile(path).toString("utf8"))
      .join("\n");
    return ![version.skill, version.binding, version.manifest].every((hash) => text.includes(hash));
  } catch {
    // A call needs only the generated files; the skill may not even be here.
    return false;
  }
}

/** Checks for a newer file. Does not follow links to folders, which may form a circle. */
function isNewer(path: string, since: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.mtimeMs > since) return true;
  return (
    lstatSync(path).isDirectory() &&
    readdirSync(path).some((name) => isNewer(join(path, name), since))
  );
}

/**
 * Hashes that a new version of the tool would have. For a tool that needs analysis, only the hash
 * of its files. Undefined if the skill has no such tool, or has errors. Loads the compiler on
 * demand, because most calls find no newer source.
 */
async function versionNow(
  root: string,
  { id, skillFile }: GeneratedTool,
): Promise<LoweredTool["version"] | undefined> {
  const [{ openProject }, { lowerOneSkill }, { diagnosticEntriesOf }, { createReport }] =
    await Promise.all([
      import("../project/open-project.js"),
      import("../../compiler/read-skill-model.js"),
      import("../../compiler/diagnostics.js"),
      import("../../core/report.js"),
    ]);
  const { config, kinds, project } = await openProject(root);
  if (kinds === undefined) return undefined;
  const report = createReport(diagnosticEntriesOf(kinds.registry));
  const folder = dirname(skillFile);
  const lowered = lowerOneSkill({ project, config, folder, kinds: kinds.registry, report });
  if (report.errorCount() > 0) return undefined;
  return lowered?.tools.find((tool) => tool.id === id)?.version;
}
