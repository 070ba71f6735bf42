import type { KindRegistry } from "../bindings/registry.js";
import type { LoweredSkill } from "../core/lowered-skill.js";
import type { Project, ProjectConfig } from "../core/project.js";
import { collectDiagnostics, type Report } from "../core/report.js";
import type { SkillModel } from "../core/skill-model.js";
import type { SkillSyntax } from "../core/skill-syntax.js";
import { toolAt } from "./check/tool-at.js";
import { metadataNames } from "./skill-folders.js";
import { treeIn } from "./parse/parse-file.js";
import { parseTree } from "./parse/parse-json.js";
import { parseSkill } from "./parse/parse-skill.js";
import type { ParsedMetadata } from "./parse-ahead.js";
import { schemaFilesOf, treeOf } from "./parsed-files.js";
import { lowerSkill } from "./lower/lower-skill.js";
import { resolveSkill, skillName } from "./resolve/resolve-skill.js";
import type { Stopwatch } from "./stopwatch.js";
import { type TrackedFiles, trackFiles } from "./tracked-files.js";

/** One skill of a project, with the context to read it. */
export interface SkillSource {
  readonly project: Project;
  readonly config: ProjectConfig;
  /** Folder of the skill. */
  readonly folder: string;
  readonly kinds: KindRegistry;
  readonly report: Report;
  /** Set if the file was parsed already. */
  readonly metadata?: ParsedMetadata;
}

/**
 * Computes names, paths and versions of a skill's output without printing it. Undefined if the
 * skill is unreadable. A tool that needs analysis gets the version of only its files.
 */
export function lowerOneSkill(source: SkillSource): LoweredSkill | undefined {
  const model = readSkillModel(source, trackFiles(source.project))?.model;
  return model && lowerSkill(model);
}

/** A skill read from its files alone. */
export interface ReadSkill {
  readonly syntax: SkillSyntax;
  readonly model: SkillModel;
}

/** Reads a skill; undefined, with a report, if the files contain too little. */
export function readSkillModel(
  source: SkillSource & { readonly stopwatch?: Stopwatch },
  files: TrackedFiles,
): ReadSkill | undefined {
  const time = source.stopwatch?.time ?? (<T>(_: string, work: () => T): T => work());
  const syntax = time("parse", () => parse(source, files));
  const model = syntax && time("resolve", () => resolve(syntax, source, files));
  return syntax && model && { syntax, model };
}

/**
 * Parses the skill. Errors inside a tool's lines belong to that tool, so that the tool can accept
 * them.
 */
function parse(
  { folder, metadata: known, report }: SkillSource,
  files: TrackedFiles,
): SkillSyntax | undefined {
  const skillFile = files.open(`${folder}/SKILL.md`) ?? files.open(`${folder}/skill.md`);
  const metadata = firstOf(metadataNames, (name) => files.open(`${folder}/${name}`));
  const found = collectDiagnostics();
  const treeOf: typeof parseTree = (file, within) =>
    known?.file === file ? treeIn(known.parsed, within) : parseTree(file, within);
  const syntax = skillFile && parseSkill(folder, skillFile, metadata, found.report, treeOf);
  const toolOf = syntax && toolAt(syntax);
  for (const each of found.diagnostics) {
    const tool = toolOf?.(each.span);
    const isOfTool = syntax !== undefined && tool !== undefined;
    (isOfTool ? report.within({ skill: skillName(syntax), tool }) : report).add(each);
  }
  return syntax;
}

/** Returns the first result that isn't undefined. Later names are not tried. */
function firstOf<T>(
  names: readonly string[],
  make: (name: string) => T | undefined,
): T | undefined {
  for (const name of names) {
    const made = make(name);
    if (made !== undefined) return made;
  }
  return undefined;
}

function resolve(
  syntax: SkillSyntax,
  input: SkillSource,
  files: TrackedFiles,
): SkillModel | undefined {
  const { config, kinds, project, report } = input;
  return resolveSkill(syntax, {
    kinds,
    report,
    skillsFolder: config.skills,
    ...(config.files && { fileSettings: config.files }),
    schemaFiles: schemaFilesOf(project, files, config.skills),
    readTree: (path, within) => {
      const file = files.open(path);
      return file && treeOf(file, project, within);
    },
    readFile: (path) => files.open(path),
    paths: () => project.files.keys(),
    whyUnread: (path) => project.unread?.get(path),
  });
}
