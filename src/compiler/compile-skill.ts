import type { Diagnostic } from "../core/diagnostic.js";
import type { ReportLog } from "../core/report.js";
import type { Links, LoweredSkill } from "../core/lowered-skill.js";
import type { KindRegistry } from "../bindings/registry.js";
import type { SkillModel } from "../core/skill-model.js";
import type { Style } from "../core/style.js";
import { uncompilableDiagnostic } from "../schema/ajv-instance.js";
import { checkAcceptances, setAside } from "./accept/acceptances.js";
import { analyzeSkill } from "./analyze/analyze-skill.js";
import type { Sessions } from "./analyze/sessions.js";
import { type CompileCache, createSkillCache, type SkillCache } from "./compile-cache.js";
import { diagnosticEntriesOf } from "./diagnostics.js";
import { withoutConsequences } from "./check/check-comments.js";
import { checkObligationCount } from "./check/check-obligation-count.js";
import { checkSkill } from "./check/check-skill.js";
import { catalogSkill } from "./emit/catalog-data.js";
import { emitPrintedSkill, emitSkill } from "./emit/emitters.js";
import { sharedModules } from "./shared-modules.js";
import { lowerObligations } from "./lower/lower-obligations.js";
import { linkedSkill, lowerSkill, withLinks } from "./lower/lower-skill.js";
import type { ScheduledRunner } from "./runner.js";
import { type PrintedFiles, printDrafts } from "./print-drafts.js";
import { type PrintedSchemas, printShared } from "./print-shared.js";
import { lookUpTools, type PrintedTools, printTools } from "./print-tools.js";
import type { Stopwatch } from "./stopwatch.js";
import { type TrackedFiles, trackFiles } from "./tracked-files.js";
import { readSkillModel, type SkillSource } from "./read-skill-model.js";
import type { Unit } from "./unit.js";
import { keyOfTypeCheck } from "./verify/checked-code.js";
import type { TypeCheckSettings } from "./verify/check-types.js";

/** Context for reading, analyzing and checking a skill. */
export interface SkillReading extends SkillSource {
  readonly stopwatch: Stopwatch;
  readonly sessions: Sessions;
  /** Names of the tools to compile in their plain form. */
  readonly plain?: ReadonlySet<string>;
  /** What other tools decide; unknown until all skills are read. */
  readonly links?: Links;
}

export interface SkillInput extends SkillReading {
  readonly style: Style;
  /** The skill's own report, whose diagnostics are cached with the unit. */
  readonly report: ReportLog;
  readonly typeCheck: TypeCheckSettings;
  readonly runner: ScheduledRunner;
  /** Keeps printed modules that several skills share. */
  readonly cache?: CompileCache;
}

/**
 * Compiles one skill through all stages except the type check, which checks the new modules of all
 * skills together.
 */
export async function compileSkill(input: SkillInput): Promise<Unit> {
  return (await beginSkill(input))();
}

/**
 * Compiles a skill, except for modules that another thread prints. The returned function waits for
 * them, so that the next skill can begin.
 */
export async function beginSkill(input: SkillInput): Promise<() => Promise<Unit>> {
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
    if (checked === undefined || hasErrors(open)) return async () => ({ ...found(), ...nothing });
    if (input.links === undefined && waitsForLinks(checked.model, input.kinds)) {
      const lowered = lowerSkill(checked.model, checked.authored);
      return async () => ({ ...found(), ...nothing, lowered, isUnlinked: true });
    }
    const types = new Set(checked.model.tools.map(({ binding }) => binding.type));
    const sessions = await input.sessions.fingerprints([...types]);
    const printing = await emit(checked, input, cache);
    return async () => {
      const { checks, ...printed } = await printing();
      const keys = [...cache.keys(), ...checks];
      return { ...found(), sessions, ...printed, made: cache.made(), keys };
    };
  } catch (error) {
    // Thrown by the emitter of validators, which knows the span of the schema.
    report.add(uncompilableDiagnostic(error, { file: `${folder}/SKILL.md`, start: 0, end: 0 }));
    return async () => ({ ...found(), ...nothing });
  }
}

/** Checks if other tools decide about some of the skill's tools. */
function waitsForLinks({ tools }: SkillModel, kinds: KindRegistry): boolean {
  return tools.some(
    ({ binding, rollback }) =>
      rollback?.strategy === "compensate" || kinds.find(binding.type)?.link !== undefined,
  );
}

function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

export interface CheckedSkill {
  /** The model after analysis. */
  readonly model: SkillModel;
  /** The model from the files alone. */
  readonly authored: SkillModel;
}

/**
 * Reads, analyzes and checks the skill. Undefined if the later stages have too little information.
 */
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
  const { links } = input;
  const isLinked = links !== undefined;
  const requiresRollback = input.config.rollback === "required";
  const sources = files.opened();
  const context = { kinds, syntax, sources, governed, isLinked, requiresRollback, report };
  await stopwatch.time("check", () =>
    checkSkill(links === undefined ? model : linkedSkill(model, links), context),
  );
  const { obligations = [] } = input.config.governance ?? {};
  checkObligationCount(model, (tool) => lowerObligations(model.name, tool, obligations), report);
  return { model, authored };
}

interface Printed extends Pick<Unit, "lowered" | "files" | "shared" | "fresh" | "types"> {
  /** Cache keys for modules without type problems. */
  readonly checks: readonly string[];
}

/**
 * Emits everything that is new, and begins to print it. The returned function waits for the end.
 */
async function emit(
  { authored, model }: CheckedSkill,
  input: SkillInput,
  cache: SkillCache,
): Promise<() => Promise<Printed>> {
  const { kinds, runner, stopwatch } = input;
  const lowered = stopwatch.time("lower", () => {
    const own = lowerSkill(model, authored, input.config.governance?.obligations);
    return input.links === undefined ? own : withLinks(own, input.links);
  });
  // First, so that all is printed where many tools are.
  const known = await lookUpTools(lowered, input, cache);
  const schemas = await printShared(lowered, input, cache);
  const tools = await printTools(lowered, known, { ...input, schemas }, cache);
  const catalog = stopwatch.time("emit", () => catalogSkill(lowered, kinds));
  const drafts = stopwatch.time("emit", () => emitSkill({ lowered, catalog }, kinds));
  const kept = { get: cache.get, set: (key: string, value: string) => cache.put({ key, value }) };
  const others = await runner.begin(() => printDrafts(drafts, { ...input, cache: kept }));
  const sharedDrafts = await sharedModules(model.tools, input.sessions);
  const shared = await runner.begin(() => printDrafts(sharedDrafts, input));
  return async () =>
    together(lowered, input, {
      schemas: await schemas.printed(),
      tools: await tools(),
      others: await others(),
      shared: await shared(),
    });
}

interface Parts {
  readonly schemas: PrintedSchemas;
  readonly tools: PrintedTools;
  /** Modules of the skill's folder that name all its tools. */
  readonly others: PrintedFiles;
  /** Modules that kinds share between skills. */
  readonly shared: PrintedFiles;
}

async function together(
  lowered: LoweredSkill,
  { kinds, runner, stopwatch, style, typeCheck }: SkillInput,
  { others, schemas, shared, tools }: Parts,
): Promise<Printed> {
  const made = [...tools.files, ...others.files];
  const about = await printDrafts(emitPrintedSkill(lowered, made), { runner, style, stopwatch });
  const around = others.modules.map((each) => ({ ...each, environment: tools.types }));
  const importsOwnCode = lowered.tools.some(({ tool }) => kinds.isCustom(tool.binding.type));
  const fresh = [...schemas.modules, ...tools.modules, ...around, ...shared.modules].map((each) =>
    importsOwnCode ? { ...each, importsOwnCode } : each,
  );
  const checks = [
    ...schemas.checks,
    ...tools.checks,
    ...fresh.map((each) => keyOfTypeCheck(each, typeCheck)),
  ];
  return {
    lowered,
    files: [...made, ...about.files],
    shared: [...schemas.files, ...shared.files],
    fresh,
    types: tools.types,
    checks,
  };
}
