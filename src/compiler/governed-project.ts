import type { ProjectGovernance } from "../core/governance-model.js";
import type { Project, ProjectConfig } from "../core/project.js";
import type { SkillModel } from "../core/skill-model.js";
import { isPolicyFile } from "./config/policy-files.js";

/** Of a governed project that says nothing more. */
const nothingSaid: ProjectGovernance = { strict: false, quotas: [], obligations: [] };

/**
 * What a project says of who may call what; undefined for one that is not governed: neither
 * skillc.yaml nor a tool says anything of it, and there is no policy.
 */
export function projectGovernance(
  { config, project }: { readonly config: ProjectConfig; readonly project: Project },
  skills: readonly SkillModel[],
): ProjectGovernance | undefined {
  if (config.governance !== undefined) return config.governance;
  const isGoverned =
    skills.some(({ tools }) => tools.some(({ governance }) => governance !== undefined)) ||
    [...project.files.keys()].some((path) => isPolicyFile(path, config));
  return isGoverned ? nothingSaid : undefined;
}
