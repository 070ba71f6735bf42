import { posix } from "node:path";
import type { ProjectConfig } from "../../core/project.js";

type Settings = Pick<ProjectConfig, "policies">;

/** A glob of the project's policies, relative to skillc.yaml. */
export function policyPattern({ policies }: Settings): string {
  return posix.join(policies, "*.cedar");
}

/** Whether a file, by its path relative to skillc.yaml, holds policies. */
export function isPolicyFile(path: string, { policies }: Settings): boolean {
  return posix.dirname(path) === posix.normalize(policies) && path.endsWith(".cedar");
}
