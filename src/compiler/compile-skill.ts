import type { Diagnostic } from "../core/diagnostic.js";
import type { ReportLog } from "../core/report.js";
import type { SkillModel } from "../core/skill-model.js";
import type { Style } from "../core/style.js";
import { uncompilableDiagnostic } from "../schema/ajv-instance.js";
import { checkAcceptances, setAside } from "./accept/acceptances.js";
import { analyzeSkill } from "./analyze/analyze-skill.js";
import type { Sessions } from "./analyze/sessions.js";
import { type CompileCache, createSkillCache, type SkillCache } from "./compile-cache.js";
import { diagnosticEntriesOf } from "./diagnostics.js";
import { withoutConsequences } from "./check/check-comments.js";
import { checkSkill } from "./check/check-skill.js";
import { catalogSkill } from "./emit/catalog-data.js";
import { emitPrintedSkill, emitSkill } from "./emit/emitters.js";
import { sharedModules } from "./shared-modules.js";
import { planSkill } from "./plan/plan-skill.js";
import type { Printer } from "./print/printer.js";
import { printDrafts } from "./print-drafts.js";
import { printShared } from "./print-shared.js";
import { printTools } from "./print-tools.js";
import type { Stopwatch } from "./stopwatch.js";
import { type TrackedFiles, trackFiles } from "./tracked-files.js";
import { readSkillModel, type SkillSource } from "./read-skill-model.js";
import type { Unit } from "./unit.js";
import { keyOfTypeCheck } from "./verify/checked-code.js";
import type { TypeCheckSettings } from "./verify/check-types.js";

/** What a skill is read, analyzed and checked with. */
export interface SkillReading extends SkillSource {
  readonly stopwatch: Stopwatch;
  readonly sessions: Sessions;
  /** Names of tools that are to have their plain form. */
  readonly plain?: ReadonlySet<string>;
}

export interface SkillInput extends SkillReading {
  readonly style: Style;
  /** The skill's own: what it finds is kept with the unit. */
  readonly report: ReportLog;
  readonly typeCheck: TypeCheckSettings;
  readonly printer: Printer;
  /** Keeps printed modules that several skills share. */
  readonly cache?: CompileCache;
}

/**
 * Takes one skill through every stage but the type check, which looks at all new modules together.
 */
export async function compileSkill(input: SkillInput): Promise<Unit> {
  const { folder, report } = input;
  const files = trackFiles(input.project);
  const cache = createSkillCache(input.cache);
  const nothing = { sessions: {}, files: [], shared: [], fresh: [], keys: [], types: "" };
  let acceptances: Unit["acceptances"] = [];
  const found = () => ({
    folder,
    acceptances,
    diagnostics: withoutConsequences(report.diagnostics(), input.kinds.types),
    reads: files.reads(),
  });
  try {
    const checked = await readAndCheck(input, files, cache);
    const claimed = checked?.authored.acceptances ?? [];
    acceptances = checkAcceptances(claimed, diagnosticEntriesOf(input.kinds), report);
    const { open } = setAside(report.diagnostics(), [{ folder, acceptances }]);
    if (checked === undefined || hasErrors(open)) return { ...found(), ...nothing };
    const types = new Set(checked.model.tools.map(({ binding }) => binding.type));
    const sessions = await input.sessions.fingerprints([...types]);
    const { checks, ...printed } = await print(checked, input, cache);
    const keys = [...cache.keys(), ...checks];
    return { ...found(), sessions, ...printed, made: cache.made(), keys };
  } catch (error) {
    // Printing a validator, which knows whose schema it is.
    report.add(uncompilableDiagnostic(error, { file: `${folder}/SKILL.md`, start: 0, end: 0 }));
    return { ...found(), ...nothing };
  }
}

function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

export interface CheckedSkill {
  /** As analyzed. */
  readonly model: SkillModel;
  /** As the files alone tell it. */
  readonly authored: SkillModel;
}

/** Reads, analyzes and checks the skill. Undefined when there is too little to go on with. */
export async function readAndCheck(
  input: SkillReading,
  files: TrackedFiles,
  cache: SkillCache,
): Promise<CheckedSkill | undefined> {
  const { kinds, report, stopwatch } = input;
  const read = readSkillModel(input, files);
  if (read === undefined) return undefined;
  const { model: authored, syntax } = read;
  const within = report.within({ skill: authored.name });
  const model = await stopwatch.time("analyze", () =>
    analyzeSkill(authored, { ...input, report: within, cache }),
  );
  const governed = input.config.governance !== undefined;
  const context = { kinds, syntax, sources: files.opened(), governed, report };
  await stopwatch.time("check", () => checkSkill(model, context));
  return { model, authored };
}

interface Printed extends Pick<Unit, "plan" | "catalog" | "files" | "shared" | "fresh" | "types"> {
  /** Keys under which it is kept that its modules have no type problem. */
  readonly checks: readonly string[];
}

async function print(
  { authored, model }: CheckedSkill,
  input: SkillInput,
  cache: SkillCache,
): Promise<Printed> {
  const { kinds, stopwatch } = input;
  const plan = stopwatch.time("plan", () =>
    planSkill(model, authored, input.config.governance?.obligations),
  );
  const schemas = await printShared(plan, input, cache);
  const tools = await printTools(plan, { ...input, schemas }, cache);
  const catalog = stopwatch.time("emit", () => catalogSkill(plan, kinds));
  const drafts = stopwatch.time("emit", () => emitSkill({ plan, catalog }, kinds));
  const kept = { get: cache.get, set: (key: string, value: string) => cache.put({ key, value }) };
  const others = await printDrafts(drafts, { ...input, cache: kept });
  const made = [...tools.files, ...others.files];
  const about = emitPrintedSkill(plan, made);
  const files = [...made, ...(await printDrafts(about, { style: input.style, stopwatch })).files];
  const shared = await printDrafts(await sharedModules(model.tools, input.sessions), input);
  const around = others.modules.map((each) => ({ ...each, environment: tools.types }));
  const importsOwnCode = plan.tools.some(({ tool }) => kinds.isCustom(tool.binding.type));
  const fresh = [...schemas.modules, ...tools.modules, ...around, ...shared.modules].map((each) =>
    importsOwnCode ? { ...each, importsOwnCode } : each,
  );
  const { types } = tools;
  const checks = [
    ...schemas.checks,
    ...tools.checks,
    ...fresh.map((each) => keyOfTypeCheck(each, input.typeCheck)),
  ];
  return {
    plan,
    catalog,
    files,
    shared: [...schemas.files, ...shared.files],
    fresh,
    types,
    checks,
  };
}
