import type { SkillPlan } from "../core/emit-plan.js";
import type { JsonObject } from "../core/json.js";
import type { ReportLog } from "../core/report.js";
import type { Style } from "../core/style.js";
import { checkSkill } from "./check/check-skill.js";
import { catalogSkill } from "./emit/catalog-data.js";
import { emitSkill } from "./emit/emit-skill.js";
import { planSkill } from "./plan/plan-skill.js";
import { type PrintedFiles, printDrafts } from "./print-drafts.js";
import type { Stopwatch } from "./stopwatch.js";
import { trackFiles } from "./tracked-files.js";
import { parse, resolve, type SkillSource } from "./understand-skill.js";
import type { Unit } from "./unit.js";

export interface SkillInput extends SkillSource {
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

async function print(
  plan: SkillPlan,
  catalogue: JsonObject,
  { config, kinds, style, stopwatch }: SkillInput,
): Promise<PrintedFiles> {
  const drafts = await stopwatch.time("emit", () => emitSkill(plan, catalogue, kinds, config.out));
  return printDrafts(drafts, { style, stopwatch });
}
