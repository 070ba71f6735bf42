import { dirname } from "node:path";
import { diagnosticEntriesOf } from "../../compiler/diagnostics.js";
import { planOneSkill } from "../../compiler/read-skill-model.js";
import type { ToolPlan } from "../../core/emit-plan.js";
import { createReport } from "../../core/report.js";
import { openProject } from "../project/open-project.js";
import type { GeneratedTool } from "./generated-tools.js";

/**
 * The hashes that the tool would be generated with now, of a tool that must be analyzed those of what its files say; undefined when its skill no longer has
 * it, or has errors.
 */
export async function versionNow(
  root: string,
  { id, skillFile }: GeneratedTool,
): Promise<ToolPlan["version"] | undefined> {
  const { config, kinds, project } = await openProject(root);
  if (kinds === undefined) return undefined;
  const report = createReport(diagnosticEntriesOf(kinds.registry));
  const folder = dirname(skillFile);
  const plan = planOneSkill({ project, config, folder, kinds: kinds.registry, report });
  if (report.errorCount() > 0) return undefined;
  return plan?.tools.find((tool) => tool.id === id)?.version;
}
