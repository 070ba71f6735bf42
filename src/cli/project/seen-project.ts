import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { CompileCache } from "../../compiler/compile-cache.js";
import type { OutcomeInput } from "../../compiler/cached-outcome.js";
import { configFileName } from "../../compiler/read/find-root.js";
import { reportMisnamedFiles } from "../../compiler/read/misnamed-files.js";
import { readTextFile } from "../../compiler/read/read-file.js";
import { readSkillFiles } from "../../compiler/read/read-files.js";
import type { Stopwatch } from "../../compiler/stopwatch.js";
import type { Project } from "../../core/project.js";
import { collectDiagnostics } from "../../core/report.js";
import { readOutput } from "../output/read-output.js";
import { type CachedSettings, cachedSettings } from "./cached-settings.js";
import { readToolSettings } from "./tool-settings.js";

/** The files of a project, and of its output, that a run reads. */
export interface SeenProject extends OutcomeInput {
  /** Absolute path of the project. */
  readonly root: string;
}

/**
 * Reads a project without loading parsers and binding kinds, which takes longer than the rest of a
 * run without edits. Undefined if that isn't possible: the settings are not cached, there are
 * policies, or something can't be read.
 */
export async function seeProject(
  root: string,
  cache: CompileCache,
  stopwatch: Stopwatch,
): Promise<SeenProject | undefined> {
  const read = await stopwatch.time("read", () => readQuietly(root, cache));
  if (read === undefined) return undefined;
  const { config, project } = read;
  const previous = stopwatch.time("output", () => readOutput(root, config.out));
  const outFolder = join(root, config.out);
  const tools = await stopwatch.time("settings", () => readToolSettings(root, outFolder, cache));
  return { root, config, project, previous, cache, ...tools };
}

async function readQuietly(
  root: string,
  cache: CompileCache,
): Promise<{ readonly config: CachedSettings; readonly project: Project } | undefined> {
  const read = readTextFile(join(root, configFileName), configFileName);
  if (read.kind === "unread") return undefined;
  const file = read.kind === "file" ? read.file : undefined;
  const config = cachedSettings(cache, file?.text);
  if (config === undefined || (await isThere(join(root, config.policies)))) return undefined;
  const { diagnostics, report } = collectDiagnostics();
  await reportMisnamedFiles(root, config.policies, report);
  const setting = { file: configFileName, start: 0, end: 0 };
  const skills = { name: config.skills, setting, isConfigured: file !== undefined };
  const files = await readSkillFiles(root, skills, report);
  if (diagnostics.length > 0) return undefined;
  const configFile = file && { ...file, hidden: config.hidden };
  return { config, project: { ...(configFile && { configFile }), ...files } };
}

/** Checks if a path exists. A path that can't be checked counts as existing. */
function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
}
