import { posix } from "node:path";
import type { Project, ProjectConfig } from "../core/project.js";
import { compareText } from "../core/report.js";
import type { SourceFile } from "../core/source-file.js";

const policyEnding = ".cedar";
const testEndings = [".test.yaml", ".test.yml"];

/** Globs of the policies and their tests, relative to skillc.yaml. */
export function policyPatterns({ policies }: Pick<ProjectConfig, "policies">): readonly string[] {
  // A name may have characters that mean something in a glob.
  const folder = policies.replace(/[^\w/.-]/g, "\\$&");
  return [policyEnding, ...testEndings].map((ending) => `${folder}/**/*${ending}`);
}

/** Files of policies that were read, in the order of their paths. */
export function policyFiles(project: Project, config: ProjectConfig): readonly SourceFile[] {
  return filesEnding(project, config, [policyEnding]);
}

/** Files of their tests. */
export function policyTestFiles(project: Project, config: ProjectConfig): readonly SourceFile[] {
  return filesEnding(project, config, testEndings);
}

function filesEnding(
  { files }: Project,
  { policies }: ProjectConfig,
  endings: readonly string[],
): readonly SourceFile[] {
  const folder = `${posix.normalize(policies)}/`;
  return [...files.values()]
    .filter(
      ({ path }) => path.startsWith(folder) && endings.some((ending) => path.endsWith(ending)),
    )
    .toSorted((a, b) => compareText(a.path, b.path));
}
