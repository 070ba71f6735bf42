import type { LoweredSkill } from "../core/lowered-skill.js";
import { sha256 } from "../core/hash.js";
import type { Project, ProjectConfig } from "../core/project.js";
import type { Report } from "../core/report.js";
import { askCedar, type Question, type Verdict } from "../policy/ask-cedar.js";
import { type CompiledPolicies, compilePolicies } from "../policy/compile-policies.js";
import { grantedFor, projectTools } from "./check/project-tools.js";
import type { CompileCache } from "./compile-cache.js";
import { policyFiles } from "./config/policy-files.js";

interface PoliciesInput {
  readonly project: Project;
  readonly config: ProjectConfig;
  readonly cache?: CompileCache;
}

/**
 * Checks the policies of the project, and the conditions of approvals, against all tools. Cedar is
 * large to load, so its results for unchanged policies and tools come from the cache.
 */
export function checkPolicies(
  { cache, config, project }: PoliciesInput,
  lowered: readonly LoweredSkill[],
  report: Report,
): Promise<CompiledPolicies> {
  const ask = async (question: Question): Promise<readonly Verdict[]> => {
    const key = `policies\0${sha256(JSON.stringify(question))}`;
    const kept = cache?.get(key);
    // The cache returns only results of this build.
    if (kept !== undefined) return JSON.parse(kept) as readonly Verdict[];
    const verdicts = await askCedar(question);
    cache?.set(key, JSON.stringify(verdicts));
    return verdicts;
  };
  const { grants, strict = false } = config.governance ?? {};
  const granted =
    grants && new Map(projectTools(lowered).map((each) => [each.id, grantedFor(each, grants)]));
  return compilePolicies(
    {
      files: policyFiles(project, config),
      skills: lowered.map(({ skill }) => skill),
      strict,
      ask,
      ...(granted && { granted }),
    },
    report,
  );
}
