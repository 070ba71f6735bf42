import type { ReportLog } from "../core/report.js";
import type { SkillModel } from "../core/skill-model.js";
import type { Style } from "../core/style.js";
import { analyzeSkill } from "./analyze/analyze-skill.js";
import type { Sessions } from "./analyze/sessions.js";
import type { CompileCache } from "./cache.js";
import { checkSkill } from "./check/check-skill.js";
import { catalogSkill } from "./emit/catalog-data.js";
import { emitSkill } from "./emit/emit-skill.js";
import { sharedModules } from "./shared-modules.js";
import { planSkill } from "./plan/plan-skill.js";
import { printDrafts } from "./print-drafts.js";
import type { Stopwatch } from "./stopwatch.js";
import { type TrackedFiles, trackFiles } from "./tracked-files.js";
import { readSkillModel, type SkillSource } from "./understand-skill.js";
import type { Unit } from "./unit.js";

export interface SkillInput extends SkillSource {
  readonly style: Style;
  /** The skill's own: what it finds is kept with the unit. */
  readonly report: ReportLog;
  readonly stopwatch: Stopwatch;
  readonly sessions: Sessions;
  /** Keeps printed modules that several skills share. */
  readonly cache?: CompileCache;
}

/** Takes one skill through every stage but the type check, which looks at all new modules together. */
export async function compileSkill(input: SkillInput): Promise<Unit> {
  const { folder, report } = input;
  const files = trackFiles(input.project);
  const understood = await understand(input, files);
  const found = { folder, diagnostics: report.diagnostics(), reads: files.reads() };
  if (understood === undefined || report.errorCount() > 0) {
    return { ...found, sessions: {}, files: [], shared: [], fresh: [] };
  }
  const types = new Set(understood.model.tools.map(({ binding }) => binding.type));
  const sessions = await input.sessions.fingerprints([...types]);
  return { ...found, sessions, ...(await print(understood, input)) };
}

interface Understood {
  /** Analyzed. */
  readonly model: SkillModel;
  /** As the files alone tell it. */
  readonly authored: SkillModel;
}

/** The skill's model, checked; undefined when there is too little to go on with. */
async function understand(input: SkillInput, files: TrackedFiles): Promise<Understood | undefined> {
  const { kinds, report, sessions, stopwatch } = input;
  const read = readSkillModel(input, files);
  if (read === undefined) return undefined;
  const { model: authored, syntax } = read;
  const within = report.within({ skill: authored.name });
  const model = await stopwatch.time("analyze", () => analyzeSkill(authored, sessions, within));
  const context = { kinds, syntax, sources: files.opened(), report };
  await stopwatch.time("check", () => checkSkill(model, context));
  return { model, authored };
}

async function print(
  { authored, model }: Understood,
  input: SkillInput,
): Promise<Pick<Unit, "plan" | "catalogue" | "files" | "shared" | "fresh">> {
  const { config, kinds, stopwatch } = input;
  const plan = stopwatch.time("plan", () => planSkill(model, authored));
  const catalogue = stopwatch.time("emit", () => catalogSkill(plan, kinds));
  const drafts = await stopwatch.time("emit", () => emitSkill(plan, catalogue, kinds, config.out));
  const { files, modules } = await printDrafts(drafts, { style: input.style, stopwatch });
  const shared = await printDrafts(await sharedModules(model.tools, input.sessions), input);
  return { plan, catalogue, files, shared: shared.files, fresh: [...modules, ...shared.modules] };
}
