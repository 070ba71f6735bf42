import { createRegistry } from "../bindings/registry.js";
import type { Diagnostic } from "../core/diagnostic.js";
import type { Project } from "../core/project.js";
import { diagnoseCatalog } from "./compile-catalog.js";
import { defaultConfig } from "./config/config-schema.js";
import { createStopwatch } from "./stopwatch.js";

/**
 * Makes a project of texts that may not be on the disk, with the default settings.
 *
 * @param files texts by path below the skills folder
 */
export function writtenProject(files: ReadonlyMap<string, string>): Project {
  const entries = [...files].map(([below, text]) => {
    const path = writtenPath(below);
    return [path, { path, text }] as const;
  });
  return { files: new Map(entries) };
}

/** Returns the path in diagnostics of a path below the skills folder. */
export function writtenPath(below: string): string {
  return `${defaultConfig.skills}/${below}`;
}

/**
 * Resolves and checks the skills of a written project, with the kinds of skillc and without any
 * setting of a user. If several tools share a problem, each of them has its own diagnostic.
 */
export function diagnoseWritten(
  files: ReadonlyMap<string, string>,
): Promise<readonly Diagnostic[]> {
  return diagnoseCatalog({
    project: writtenProject(files),
    config: defaultConfig,
    kinds: createRegistry(),
    stopwatch: createStopwatch(() => 0),
  });
}
