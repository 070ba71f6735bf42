import { lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { versionsFile } from "../../core/checksums.js";
import { readRegularFile } from "@skillc/runtime/internal";
import type { LoweredTool } from "../../core/lowered-skill.js";
import type { GeneratedTool } from "./generated-tools.js";

/**
 * Checks if the skill of a tool changed since its module was generated. File times are compared
 * first, because reading the skill takes half a second; it is skipped if no source is newer than
 * the module.
 *
 * @param root absolute
 */
export async function isStale(root: string, tool: GeneratedTool): Promise<boolean> {
  const module = join(root, tool.toolModule);
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
    // A call needs the generated files alone; the skill may not even be here.
    return false;
  }
}

/** Links to folders are not followed: they may lead round in a circle. */
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
 * Hashes that the tool would have if it were generated now; for a tool that needs analysis, those
 * of its files alone. Undefined if its skill no longer has the tool, or has errors. The compiler is
 * loaded on demand, because most calls find nothing newer than the module.
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
