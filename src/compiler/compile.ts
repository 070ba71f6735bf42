import type { KindRegistry } from "../bindings/registry.js";
import type { Diagnostic } from "../core/diagnostic.js";
import type { SkillPlan } from "../core/emit-plan.js";
import type { OutputFile } from "../core/output.js";
import type { Project, ProjectConfig } from "../core/project.js";
import { createReport, inSourceOrder, type Report, type ReportLog } from "../core/report.js";
import type { Style } from "../core/style.js";
import { openSessions, type Sessions } from "./analyze/sessions.js";
import { type CompileCache, keepUnits, keptUnit } from "./cache.js";
import { catalogueOf } from "./catalogue.js";
import { checkSharedModules } from "./check/check-shared-modules.js";
import { checkTogether } from "./check/check-together.js";
import { compileSkill } from "./compile-skill.js";
import { linkFiles } from "./link.js";
import { printDrafts } from "./print-drafts.js";
import { skillFolders } from "./skill-folders.js";
import type { Stopwatch } from "./stopwatch.js";
import type { Unit } from "./unit.js";
import { compareOutput, type OutputComparison } from "./verify/compare-output.js";
import { checkTypes, type TypeCheckSettings } from "./verify/check-types.js";

export interface CompileInput {
  readonly project: Project;
  readonly config: ProjectConfig;
  readonly kinds: KindRegistry;
  readonly style: Style;
  /** Files now in the output folder, by path below it. */
  readonly previous: ReadonlyMap<string, string>;
  readonly typeCheck: TypeCheckSettings;
  readonly cache?: CompileCache;
  /** The value of a `${NAME}` here; nothing is set when not given. */
  readonly setting?: (name: string) => Promise<string | undefined>;
  readonly progress?: (event: Progress) => void;
  readonly stopwatch: Stopwatch;
}

/** What is being done, for a person who waits. */
export interface Progress {
  readonly doing: string;
  readonly done: number;
  readonly of: number;
}

export interface Compilation {
  /** In source order. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every generated file; empty when there are errors. */
  readonly files: readonly OutputFile[];
  /** How the output folder differs from `files`. */
  readonly comparison: OutputComparison;
  readonly plans: readonly SkillPlan[];
  /** Skills compiled in this run, and skills taken from the cache. */
  readonly counts: { readonly compiled: number; readonly reused: number };
}

/** Compiles each skill, links them, type-checks what is new. The same input gives the same bytes, with or without a cache. */
export async function compile(input: CompileInput): Promise<Compilation> {
  const { stopwatch } = input;
  const report = createReport(catalogueOf(input.kinds));
  const units = await compileSkills(input, report);
  const plans = units.flatMap((unit) => unit.plan ?? []);
  const skills = plans.map(({ skill }) => skill);
  stopwatch.time("check", () => checkTogether(skills, report));
  stopwatch.time("check", () => checkSharedModules(units, report));
  const sound = report.errorCount() === 0 && units.every((unit) => unit.plan !== undefined);
  const files = sound ? await link(input, units, plans, report) : [];
  const diagnostics = [...units.flatMap((unit) => unit.diagnostics), ...report.diagnostics()];
  return {
    diagnostics: inSourceOrder(diagnostics),
    files: report.errorCount() === 0 ? files : [],
    comparison: stopwatch.time("compare", () => compareOutput(files, input.previous)),
    plans,
    counts: countsOf(units),
  };
}

/** @param report what is wrong with the settings that engines start from */
async function compileSkills(input: CompileInput, report: Report): Promise<readonly Unit[]> {
  const folders = skillFolders(input.project);
  const units: Unit[] = [];
  const progress = (doing: string): void =>
    input.progress?.({ doing, done: units.length, of: folders.length });
  const sessions = openSessions({ ...input, progress, report, store: input.cache?.bytes });
  try {
    for (const folder of folders) {
      progress(folder);
      units.push(await compileOrReuse(input, folder, sessions));
    }
  } finally {
    await sessions.close();
  }
  return units;
}

async function compileOrReuse(
  input: CompileInput,
  folder: string,
  sessions: Sessions,
): Promise<Unit> {
  const kept = await input.stopwatch.time("cache", () => keptUnit(input, folder, sessions));
  if (kept !== undefined) return kept;
  const report = createReport(catalogueOf(input.kinds));
  return compileSkill({ ...input, folder, report, sessions });
}

/** Prints the files that name every skill, and type-checks all that is new. */
async function link(
  input: CompileInput,
  units: readonly Unit[],
  plans: readonly SkillPlan[],
  report: ReportLog,
): Promise<readonly OutputFile[]> {
  const { stopwatch } = input;
  const catalogue = units.flatMap((unit) => (unit.catalogue === undefined ? [] : [unit.catalogue]));
  const drafts = stopwatch.time("link", () =>
    linkFiles(plans, catalogue, input.kinds, input.style, input.config.skills),
  );
  const linked = await printDrafts(drafts, input);
  const changed = linked.modules.filter(
    (each) => input.previous.get(each.file.path) !== each.file.text,
  );
  const made = [...units.flatMap((unit) => unit.fresh ?? []), ...changed];
  const fresh = [...new Map(made.map((each) => [each.file.path, each])).values()];
  const files = [...withoutRepeats(units), ...linked.files];
  input.progress?.({ doing: "type-checking", done: 0, of: fresh.length });
  stopwatch.time("types", () => checkTypes(fresh, files, input.typeCheck, report));
  if (report.errorCount() === 0) stopwatch.time("cache", () => keepUnits(input, units));
  return files;
}

/** The units' files; those that several need once. */
function withoutRepeats(units: readonly Unit[]): readonly OutputFile[] {
  const shared = new Map(units.flatMap((unit) => unit.shared.map((file) => [file.path, file])));
  return [...units.flatMap((unit) => unit.files), ...shared.values()];
}

function countsOf(units: readonly Unit[]): Compilation["counts"] {
  const compiled = units.filter((unit) => unit.fresh !== undefined).length;
  return { compiled, reused: units.length - compiled };
}
