import type { KindRegistry } from "../bindings/registry.js";
import type { LoweredSkill } from "../core/lowered-skill.js";
import type { ProjectGovernance } from "../core/governance-model.js";
import type { Project, ProjectConfig } from "../core/project.js";
import type { Report } from "../core/report.js";
import { checkPolicies } from "./check-policies.js";
import { checkGrantedScopes, checkProjectGovernance } from "./check/check-project-governance.js";
import { emptyGovernance } from "./config/policy-files.js";
import type { CompileCache } from "./compile-cache.js";
import type { EmittedGovernance } from "./emit/emitter.js";
import type { Stopwatch } from "./stopwatch.js";

/** A project whose skills are all lowered. */
interface GovernanceInput {
  readonly config: ProjectConfig;
  readonly project: Project;
  readonly kinds: KindRegistry;
  readonly lowered: readonly LoweredSkill[];
  readonly stopwatch: Stopwatch;
  readonly cache?: CompileCache;
}

/** Governance of a project, checked against its tools; undefined if the project is not governed. */
export async function governProject(
  input: GovernanceInput,
  report: Report,
): Promise<EmittedGovernance | undefined> {
  const says = governanceOf(input);
  if (says === undefined) return undefined;
  const { lowered, stopwatch } = input;
  await stopwatch.time("check", () => checkProjectGovernance(says, { ...input, report }));
  const { cedar, scopes } = await stopwatch.time("policies", () =>
    checkPolicies(input, lowered, report),
  );
  if (scopes !== undefined) checkGrantedScopes(says, scopes, lowered, report);
  return { says, ...(cedar && { cedar }) };
}

/** Decides if a project has governance: skillc.yaml or a tool mentions it, or there is a policy. */
function governanceOf({ config, lowered }: GovernanceInput): ProjectGovernance | undefined {
  const isSaid = lowered.some(({ tools }) =>
    tools.some(({ tool }) => tool.governance !== undefined),
  );
  return config.governance ?? (isSaid ? emptyGovernance : undefined);
}
