/**
 * Reads the user's project: its root (`project-root.ts`), its skills, and its custom kinds
 * (`custom-kinds.ts`, with `load-module.ts` and `entry-points.ts`). `compile-project.ts` compiles
 * an open project. The other files read the user's `.env`, tsconfig, packages and runtime.
 */
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { filesOfSettings } from "../../bindings/kind-settings.js";
import { createRegistry } from "../../bindings/registry.js";
import { checkConfigSecrets } from "../../compiler/check/check-config-secrets.js";
import { folderSetting, ignored, parseConfig } from "../../compiler/config/parse-config.js";
import { policyPatterns } from "../../compiler/config/policy-files.js";
import { configFileName } from "../../compiler/read/find-root.js";
import { readGlobs } from "../../compiler/read/read-globs.js";
import { readConfigFile } from "../../compiler/read/read-config-file.js";
import { readLinkedFiles } from "../../compiler/linked-files.js";
import { readProject } from "../../compiler/read-project.js";
import { readSkill } from "../../compiler/read/read-skill.js";
import { reportUnreadPolicies } from "../../compiler/read/unread-policies.js";
import type { Diagnostic } from "../../core/diagnostic.js";
import type { Project, ProjectConfig } from "../../core/project.js";
import { createReport, type ReportLog } from "../../core/report.js";
import { CommandFailure } from "../exit.js";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";
import { loadKinds, type ProjectKinds } from "./custom-kinds.js";
import { projectRoot } from "./project-root.js";
import { runGit } from "./run-git.js";
import type { SeenProject } from "./seen-project.js";

/** A project in its current state on disk. */
export interface OpenProject {
  /** Absolute path of the project. */
  readonly root: string;
  readonly project: Project;
  readonly config: ProjectConfig;
  /** Absent if a custom kind can't be loaded. */
  readonly kinds?: ProjectKinds;
  /** Absolute path of the output folder. */
  readonly outFolder: string;
  /** Diagnostics of reading, in source order. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the project that contains `directory`: skillc.yaml, the skills, the custom binding kinds.
 *
 * @param seen parts that were read already
 */
export async function openProject(directory: string, seen?: SeenProject): Promise<OpenProject> {
  const root = seen?.root ?? (await projectRoot(directory));
  const report = createReport(allDiagnosticEntries(createRegistry()));
  const project = seen?.project ?? (await readProject(root, report));
  const config = parseConfig(project.configFile, report);
  return opened({ root, project, config, withPolicies: true }, report);
}

/**
 * Opens a folder of skills, or a single skill, with the settings of the skillc.yaml above, or
 * default settings. Opens a folder with a skillc.yaml as a project.
 *
 * @param folder absolute; a single skill if it contains a SKILL.md
 * @param written the user's name for the folder
 * @throws CommandFailure if it is not a folder
 */
export async function openSkills(folder: string, written: string): Promise<OpenProject> {
  await mustBeFolder(folder, written);
  const real = await realpath(folder);
  const isOne = dirname(real) !== real && (await holdsSkill(real));
  const location = isOne ? dirname(real) : real;
  const root = await projectRoot(location);
  const name = relative(root, location).replaceAll(sep, "/") || ".";
  const report = createReport(allDiagnosticEntries(createRegistry()));
  // `readProject` also reports problems of skillc.yaml.
  const configFile = readConfigFile(root, isOne ? report : ignored);
  if (configFile !== undefined && root === real) return openProject(root);
  const { files, unread } = isOne
    ? await readSkill({ location, name }, basename(real), report)
    : await readProject(root, report, name);
  const project = { ...(configFile && { configFile }), files, ...(unread && { unread }) };
  const config = { ...parseConfig(configFile, report), skills: name };
  // Policies refer to all tools of the project, and this folder may have only some of them.
  return opened({ root, project, config, withPolicies: false }, report);
}

/** Adds the files that skills link to. The compilation then says what the skills publish. */
export async function withLinkedFiles(open: OpenProject): Promise<OpenProject> {
  const { project, root } = open;
  const linked = project.linked ?? (await readLinkedFiles(root, project));
  return { ...open, project: { ...project, linked } };
}

async function mustBeFolder(folder: string, written: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw CommandFailure.usage(
    found === undefined ? `there is no folder \`${written}\`` : `\`${written}\` is not a folder`,
    "name a folder of skills, or the folder of one skill; without a folder, skillc checks the project",
  );
}

async function holdsSkill(folder: string): Promise<boolean> {
  const found = await Promise.all(
    ["SKILL.md", "skill.md"].map((name) => stat(join(folder, name)).catch(() => undefined)),
  );
  return found.some((each) => each?.isFile() === true);
}

interface Opening extends Pick<OpenProject, "root" | "project" | "config"> {
  /** True to read the project's policies. */
  readonly withPolicies: boolean;
}

async function opened(
  { config, project, root, withPolicies }: Opening,
  report: ReportLog,
): Promise<OpenProject> {
  if (config.secretNames.length > 0) {
    checkConfigSecrets({
      config,
      ...(project.configFile && { configFile: project.configFile }),
      secretsIgnored: await gitIgnores(root, configFileName),
      report,
    });
  }
  const kindsReport = createReport(allDiagnosticEntries(createRegistry()));
  const kinds = await loadKinds(root, config.bindings, project.configFile, kindsReport);
  const named = [...filesOfSettings(config), ...(withPolicies ? policyPatterns(config) : [])];
  const others = await readGlobs(root, named, report);
  const files = new Map([...project.files, ...others.files]);
  const unread = new Map([...(project.unread ?? []), ...others.unread]);
  if (withPolicies) {
    const setting = project.configFile && folderSetting(project.configFile, "policies");
    const known = new Set([...others.files.keys(), ...others.unread.keys()]);
    await reportUnreadPolicies(root, { name: config.policies, setting, known }, report);
  }
  const linked = config.mcp && (await readLinkedFiles(root, project));
  return {
    root,
    project: { ...project, files, unread, near: others.near, ...(linked && { linked }) },
    config,
    ...(kindsReport.errorCount() === 0 && { kinds }),
    outFolder: join(root, config.out),
    diagnostics: [...report.diagnostics(), ...kindsReport.diagnostics()],
  };
}

/** Checks if Git ignores the file; undefined outside of a repository or without Git. */
async function gitIgnores(folder: string, file: string): Promise<boolean | undefined> {
  const args = ["check-ignore", "--quiet", "--", file];
  const answer = await runGit({ folder, env: process.env, args, timeoutMs: 5000 });
  if (answer.kind === "done") return true;
  return answer.exitCode === 1 ? false : undefined;
}
