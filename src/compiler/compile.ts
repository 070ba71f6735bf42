/**
 * The stages in order. `compile-skill.ts` takes one skill from parse to emit, with a folder for
 * each stage; `cache.ts` skips skills that have not changed. Here skills are checked beside each
 * other (`check/check-together.ts`), project files are emitted, and new modules are type-checked
 * (`verify`). `compile-shared.ts` makes only the modules that skills share.
 */
import type { KindRegistry } from "../bindings/registry.js";
import type { AcceptedDiagnostic, Diagnostic } from "../core/diagnostic.js";
import type { LoweredSkill } from "../core/lowered-skill.js";
import { sha256 } from "../core/hash.js";
import { checksumsOf } from "../core/checksums.js";
import { checkCredentialOrigins } from "./check/check-credential-origins.js";
import { projectTools } from "./check/project-tools.js";
import { withPolicies } from "./config/policy-files.js";
import type { OutputFile } from "../core/output.js";
import type { Project, ProjectConfig } from "../core/project.js";
import { createReport, inSourceOrder, type Report, type ReportLog } from "../core/report.js";
import type { Style } from "../core/style.js";
import { reportUnused, setAside } from "./accept/acceptances.js";
import { openSessions, type Sessions } from "./analyze/sessions.js";
import { entriesOf, keepEntries, keptUnit, type UnitEntries, wasKept } from "./cache.js";
import { collectGarbage } from "./collect-garbage.js";
import type { CompileCache } from "./compile-cache.js";
import type { SkillInput } from "./compile-skill.js";
import { diagnosticEntriesOf } from "./diagnostics.js";
import {
  checkBindingsTogether,
  checkRollbacks,
  checkSharedModules,
  checkTogether,
} from "./check/check-together.js";
import type { EmittedGovernance, EmittedSkill } from "./emit/emitter.js";
import { emitPrintedProject, emitProject } from "./emit/emitters.js";
import { neededPackages } from "./needed-packages.js";
import { governProject } from "./governed-project.js";
import { parseAhead } from "./parse-ahead.js";
import { begin, openPrinter, type Printer } from "./printer.js";
import { printDrafts } from "./print-drafts.js";
import { skillFolders, toolsWritten } from "./skill-folders.js";
import type { Stopwatch } from "./stopwatch.js";
import type { Unit } from "./unit.js";
import { compareOutput, type OutputComparison } from "./verify/compare-output.js";
import type { TypeCheckSettings, TypeProblem } from "./verify/check-types.js";
import { openTypeChecks, type TypeChecks } from "./type-checks.js";

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

/** How much there is of what. */
export interface Counts {
  readonly skills: number;
  readonly tools: number;
  /** Skills compiled in this run, and skills taken from the cache. */
  readonly compiled: number;
  readonly reused: number;
}

export interface Compilation {
  /** In source order, without those that are accepted. */
  readonly diagnostics: readonly Diagnostic[];
  /** What authors accept, in source order. */
  readonly accepted: readonly AcceptedDiagnostic[];
  /** Every generated file; empty when there are errors. */
  readonly files: readonly OutputFile[];
  /** How the output folder differs from `files`. */
  readonly comparison: OutputComparison;
  readonly lowered: readonly LoweredSkill[];
  /** What it says of who may call what; absent where it says nothing. */
  readonly governance?: EmittedGovernance;
  readonly counts: Counts;
  /** What generated code loads: of each need the packages that meet it, the best first. */
  readonly packages: readonly (readonly string[])[];
}

/**
 * Compiles each skill, links them, type-checks what is new. The same input gives the same bytes,
 * with or without a cache.
 */
export async function compile(input: CompileInput): Promise<Compilation> {
  const printer = openPrinter(input.stopwatch);
  const config = withPolicies(input.config, input.project);
  try {
    const typeChecks = openTypeChecks({ ...input, printer });
    return await compileWith({ ...input, config, printer, typeChecks });
  } finally {
    await printer.close();
  }
}

interface RunInput extends CompileInput {
  readonly printer: Printer;
  readonly typeChecks: TypeChecks;
}

async function compileWith(input: RunInput): Promise<Compilation> {
  const { stopwatch } = input;
  const report = createReport(diagnosticEntriesOf(input.kinds));
  const made = await compileSkills(input, report);
  const lowered = loweredIn(made);
  const skills = lowered.map(({ skill }) => skill);
  stopwatch.time("check", () => checkTogether(skills, report));
  stopwatch.time("check", () => checkBindingsTogether(skills, input.kinds, report));
  const { governance: said } = input.config;
  stopwatch.time("check", () =>
    checkCredentialOrigins(projectTools(lowered), said?.capabilities, input.kinds, report),
  );
  stopwatch.time("check", () => checkSharedModules(made, report));
  const isWhole = made.every((unit) => unit.lowered !== undefined);
  // A tool of a skill that can't be read is known to nobody.
  if (isWhole) stopwatch.time("check", () => checkRollbacks(skills, report));
  const governance = isWhole ? await governProject({ ...input, lowered }, report) : undefined;
  const sound = report.errorCount() === 0 && isWhole;
  const linked = { ...input, ...(governance && { governance }) };
  const { units, files } = sound ? await typed(linked, made, report) : { units: made, files: [] };
  const found = [...units.flatMap((unit) => unit.diagnostics), ...report.diagnostics()];
  const { open, accepted, unused } = setAside(found, units);
  const late = createReport(diagnosticEntriesOf(input.kinds));
  if (sound) reportUnused(unused, late);
  return {
    diagnostics: inSourceOrder([...open, ...late.diagnostics()]),
    accepted: inSourceOrder(accepted),
    files: report.errorCount() === 0 ? files : [],
    comparison: stopwatch.time("compare", () => compareOutput(files, input.previous)),
    lowered: loweredIn(units),
    ...(governance && { governance }),
    counts: countsOf(units),
    packages: neededPackages(loweredIn(units), input.kinds, governance),
  };
}

/** @param report what is wrong with the settings that engines start from */
async function compileSkills(input: RunInput, report: Report): Promise<readonly Unit[]> {
  const folders = skillFolders(input.project);
  const begun: (() => Promise<Unit>)[] = [];
  const progress = (doing: string): void =>
    input.progress?.({ doing, done: begun.length, of: folders.length });
  const sessions = openSessions({ ...input, progress, report, store: input.cache?.bytes });
  try {
    const kept = await input.stopwatch.time("cache", () => keptUnits(input, folders, sessions));
    const unknown = folders.filter((folder) => !wasKept(input, folder));
    input.printer.expect(unknown.reduce((sum, each) => sum + toolsWritten(each, input.project), 0));
    const fresh = folders.filter((folder) => !kept.has(folder));
    const parsed = parseAhead(fresh, input.project, input.printer);
    for (const folder of folders) {
      progress(folder);
      const unit = kept.get(folder);
      if (unit !== undefined) {
        begun.push(async () => unit);
        continue;
      }
      const metadata = await parsed(folder);
      const source = { ...input, folder, sessions, ...(metadata && { metadata }) };
      begun.push(await begin(input.printer, await beginUnit(source)));
    }
    sessions.finish();
    progress("printing");
    return await input.stopwatch.time("print", () => inOrder(begun));
  } finally {
    await sessions.close();
  }
}

async function inOrder(begun: readonly (() => Promise<Unit>)[]): Promise<readonly Unit[]> {
  const units: Unit[] = [];
  for (const unit of begun) units.push(await unit());
  return units;
}

async function keptUnits(
  input: RunInput,
  folders: readonly string[],
  sessions: Sessions,
): Promise<ReadonlyMap<string, Unit>> {
  const kept = new Map<string, Unit>();
  for (const folder of folders) {
    const unit = await keptUnit(input, folder, sessions);
    if (unit !== undefined) kept.set(folder, unit);
  }
  return kept;
}

/** What it gives back waits for what is printed elsewhere. */
async function beginUnit(
  input: RunInput & Pick<SkillInput, "folder" | "metadata" | "sessions">,
): Promise<() => Promise<Unit>> {
  const report = createReport(diagnosticEntriesOf(input.kinds));
  // What compiles is loaded where there is something to compile: TypeScript, prettier, Ajv and
  // their like take longer to load than a run without edits.
  const { beginSkill } = await import("./compile-skill.js");
  const skill = await beginSkill({ ...input, report });
  return async () => {
    const unit = await skill();
    input.typeChecks.begin(unit);
    return unit;
  };
}

/** All that is linked, and what the project says of who may call what. */
interface LinkInput extends RunInput {
  readonly governance?: EmittedGovernance;
}

interface Linked {
  readonly units: readonly Unit[];
  /** All of the output. */
  readonly files: readonly OutputFile[];
}

/**
 * All that is new, linked and type-checked. Tools whose code does not type-check have their plain
 * form, if that does.
 */
async function typed(input: LinkInput, made: readonly Unit[], report: ReportLog): Promise<Linked> {
  const first = await linkAndCheck(input, made);
  const plain = first.problems.length === 0 ? made : await plainForm(input, made, first.problems);
  const last = plain === made ? first : await linkAndCheck(input, plain);
  for (const { diagnostic } of last.problems) report.add(diagnostic);
  await input.printer.close();
  if (report.errorCount() === 0)
    input.stopwatch.time("cache", () => keepEntries(input, last.entries));
  return { units: plain, files: last.files };
}

async function plainForm(
  input: RunInput,
  units: readonly Unit[],
  problems: readonly TypeProblem[],
): Promise<readonly Unit[]> {
  const { inPlainForm } = await import("./plain-form.js");
  return inPlainForm(input, units, problems);
}

interface Checked extends Pick<Linked, "files"> {
  readonly problems: readonly TypeProblem[];
  /** What is kept of the units if there are none. */
  readonly entries: UnitEntries;
}

/** Prints the files that name every skill, and type-checks all that is new. */
async function linkAndCheck(input: LinkInput, units: readonly Unit[]): Promise<Checked> {
  const { governance, stopwatch } = input;
  const source = `${input.config.skills}/`;
  const project = {
    skills: emittedSkills(units),
    kinds: input.kinds,
    source,
    ...(governance && { governance }),
  };
  const drafts = stopwatch.time("link", () => emitProject(project));
  const linked = await printDrafts(drafts, input);
  const environment = sha256(JSON.stringify(units.map(({ folder, types }) => [folder, types])));
  const changed = linked.modules
    .filter((each) => input.previous.get(each.file.path) !== each.file.text)
    .map((each) => ({ ...each, environment }));
  const made = [...units.flatMap((unit) => unit.fresh ?? []), ...changed];
  const fresh = [...new Map(made.map((each) => [each.file.path, each])).values()];
  const shared = sharedFiles(units);
  const checksums = checksumsOf([...linked.files, ...shared]);
  const printed = await printDrafts(emitPrintedProject({ source, checksums }), input);
  const own = units.flatMap((unit) => unit.files);
  const files = [...own, ...shared, ...linked.files, ...printed.files];
  input.progress?.({ doing: "type-checking", done: 0, of: fresh.length });
  const asked = input.typeChecks.problems(fresh, files);
  // While a thread looks, there is time for what comes next if it finds nothing.
  const entries = stopwatch.time("cache", () => entriesOf(input, units));
  if (input.printer.thread !== undefined) collectGarbage();
  return { files, entries, problems: await stopwatch.time("types", () => asked) };
}

function loweredIn(units: readonly Unit[]): readonly LoweredSkill[] {
  return units.flatMap((unit) => unit.lowered ?? []);
}

function emittedSkills(units: readonly Unit[]): readonly EmittedSkill[] {
  return units.flatMap(({ lowered, catalog }) =>
    lowered && catalog ? [{ lowered, catalog }] : [],
  );
}

/** Files that several units need, each once. */
function sharedFiles(units: readonly Unit[]): readonly OutputFile[] {
  const shared = new Map(units.flatMap((unit) => unit.shared.map((file) => [file.path, file])));
  return [...shared.values()];
}

function countsOf(units: readonly Unit[]): Counts {
  const compiled = units.filter((unit) => unit.fresh !== undefined).length;
  const lowered = loweredIn(units);
  const tools = lowered.reduce((sum, each) => sum + each.tools.length, 0);
  return { skills: lowered.length, tools, compiled, reused: units.length - compiled };
}
