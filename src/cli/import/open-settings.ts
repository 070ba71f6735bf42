import { configFileName } from "../../compiler/read/find-root.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { openProject, type OpenProject } from "../project/open-project.js";

/**
 * Opens the project of an import for its settings and kinds. Other commands report problems of
 * skills, and there may be no skills yet.
 *
 * @param texts receives the files that diagnostics may point at
 * @returns undefined, with errors in `report`, if the settings are invalid
 */
export async function openSettings(
  root: string,
  texts: Map<string, SourceFile>,
  report: Report,
): Promise<Required<OpenProject> | undefined> {
  const open = await openProject(root);
  const { diagnostics, kinds, project } = open;
  for (const [path, file] of project.files) texts.set(path, file);
  if (project.configFile !== undefined) texts.set(configFileName, project.configFile);
  const own = diagnostics.filter(
    ({ code, severity, span }) =>
      severity === "error" && span.file === configFileName && !code.startsWith("read/no-skills"),
  );
  for (const { severity: _, ...each } of own) report.add(each);
  return kinds === undefined || own.length > 0 ? undefined : { ...open, kinds };
}
