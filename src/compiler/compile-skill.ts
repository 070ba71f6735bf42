import { posix } from "node:path";
import type { KindRegistry } from "../bindings/registry.js";
import type { SkillPlan } from "../core/emit-plan.js";
import type { JsonObject } from "../core/json.js";
import type { Project, ProjectConfig } from "../core/project.js";
import type { ReportLog } from "../core/report.js";
import type { SkillModel } from "../core/skill-model.js";
import type { SkillSyntax } from "../core/skill-syntax.js";
import type { Style } from "../core/style.js";
import type { SyntaxNode } from "../core/syntax-node.js";
import { checkSkill } from "./check/check-skill.js";
import { catalogSkill } from "./emit/catalog-data.js";
import { emitSkill } from "./emit/emit-skill.js";
import { parseJson } from "./parse/parse-json.js";
import { parseSkill } from "./parse/parse-skill.js";
import { parseYaml } from "./parse/parse-yaml.js";
import { planSkill } from "./plan/plan-skill.js";
import { type PrintedFiles, printDrafts } from "./print-drafts.js";
import { resolveSkill } from "./resolve/resolve-skill.js";
import type { Stopwatch } from "./stopwatch.js";
import { type TrackedFiles, trackFiles } from "./tracked-files.js";
import type { Unit } from "./unit.js";

export interface SkillInput {
  readonly project: Project;
  readonly config: ProjectConfig;
  /** Folder of the skill. */
  readonly folder: string;
  readonly kinds: KindRegistry;
  readonly style: Style;
  /** The skill's own: what it finds is kept with the unit. */
  readonly report: ReportLog;
  readonly stopwatch: Stopwatch;
}

/** Takes one skill through every stage but the type check, which looks at all new modules together. */
export async function compileSkill(input: SkillInput): Promise<Unit> {
  const { kinds, report, stopwatch } = input;
  const files = trackFiles(input.project);
  const syntax = stopwatch.time("parse", () => parse(input, files));
  const model = syntax && stopwatch.time("resolve", () => resolve(syntax, input, files));
  if (syntax !== undefined && model !== undefined) {
    const context = { kinds, syntax, sources: files.opened(), report };
    await stopwatch.time("check", () => checkSkill(model, context));
  }
  const found = { diagnostics: report.diagnostics(), reads: files.reads() };
  if (model === undefined || report.errorCount() > 0) {
    return { folder: input.folder, ...found, files: [], fresh: [] };
  }
  const plan = stopwatch.time("plan", () => planSkill(model));
  const catalogue = stopwatch.time("emit", () => catalogSkill(plan, kinds));
  const { files: printed, modules } = await print(plan, catalogue, input);
  return { folder: input.folder, ...found, plan, catalogue, files: printed, fresh: modules };
}

function parse({ folder, report }: SkillInput, files: TrackedFiles): SkillSyntax | undefined {
  const skillFile = files.open(`${folder}/SKILL.md`) ?? files.open(`${folder}/skill.md`);
  const metadata = files.open(`${folder}/metadata.json`);
  return skillFile && parseSkill(folder, skillFile, metadata, report);
}

function resolve(
  syntax: SkillSyntax,
  input: SkillInput,
  files: TrackedFiles,
): SkillModel | undefined {
  const { config, kinds, project, report } = input;
  return resolveSkill(syntax, {
    kinds,
    report,
    skillsFolder: config.skills,
    readTree: (path) => parseTree(path, files, report),
    readText: (path) => files.open(path)?.text,
    whyUnread: (path) => project.unread?.get(path),
  });
}

/** A schema file that a skill refers to: JSON, or YAML by its name. */
function parseTree(path: string, files: TrackedFiles, report: ReportLog): SyntaxNode | undefined {
  const file = files.open(path);
  if (file === undefined) return undefined;
  const isYaml = [".yaml", ".yml"].includes(posix.extname(path).toLowerCase());
  return isYaml
    ? parseYaml(file, { start: 0, end: file.text.length }, report)
    : parseJson(file, report);
}

async function print(
  plan: SkillPlan,
  catalogue: JsonObject,
  { config, kinds, style, stopwatch }: SkillInput,
): Promise<PrintedFiles> {
  const drafts = await stopwatch.time("emit", () => emitSkill(plan, catalogue, kinds, config.out));
  return printDrafts(drafts, { style, stopwatch });
}
