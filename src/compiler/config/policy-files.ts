import { posix } from "node:path";
import type { ProjectGovernance } from "../../core/governance-model.js";
import type { Project, ProjectConfig } from "../../core/project.js";
import { compareText } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";

type Settings = Pick<ProjectConfig, "policies">;

/** Globs of the project's policies and of their tests, relative to skillc.yaml. */
export function policyPatterns({ policies }: Settings): readonly string[] {
  // A name may contain characters with a meaning in globs.
  const folder = policies.replace(/[^\w/.-]/g, "\\$&");
  return ["*.cedar", "*.test.yaml", "*.test.yml"].map((name) => posix.join(folder, name));
}

/** Governance of a governed project without further settings. */
export const emptyGovernance: ProjectGovernance = { strict: false, quotas: [], obligations: [] };

/** Adds default governance to a project with a policy, even if skillc.yaml doesn't mention it. */
export function withPolicies(config: ProjectConfig, { files }: Project): ProjectConfig {
  const isGoverned =
    config.governance !== undefined || [...files.keys()].some((path) => isPolicyFile(path, config));
  return isGoverned ? { ...config, governance: config.governance ?? emptyGovernance } : config;
}

/** Checks if a file contains policies; its path is relative to skillc.yaml. */
function isPolicyFile(path: string, settings: Settings): boolean {
  return isInFolder(path, settings) && path.endsWith(".cedar");
}

function isInFolder(path: string, { policies }: Settings): boolean {
  return posix.dirname(path) === posix.normalize(policies);
}

/** Lists the policies of the project, in the order of their paths. */
export function policyFiles(project: Project, settings: Settings): readonly SourceFile[] {
  return sorted(project, (path) => isPolicyFile(path, settings));
}

/** Lists the tests of the policies. */
export function policyTestFiles(project: Project, settings: Settings): readonly SourceFile[] {
  return sorted(project, (path) => isInFolder(path, settings) && /\.test\.ya?ml$/.test(path));
}

function sorted({ files }: Project, isOne: (path: string) => boolean): readonly SourceFile[] {
  return [...files.values()]
    .filter(({ path }) => isOne(path))
    .toSorted((a, b) => compareText(a.path, b.path));
}
