import { createRegistry, type KindRegistry } from "../../../src/bindings/registry.js";
import {
  checkAcceptances,
  reportUnused,
  setAside,
} from "../../../src/compiler/accept/acceptances.js";
import { openSessions } from "../../../src/compiler/analyze/sessions.js";
import { diagnosticEntriesOf } from "../../../src/compiler/diagnostics.js";
import {
  checkBindingsTogether,
  checkTogether,
} from "../../../src/compiler/check/check-together.js";
import { checkCredentialOrigins } from "../../../src/compiler/check/check-credential-origins.js";
import { projectTools } from "../../../src/compiler/check/project-tools.js";
import { withoutConsequences } from "../../../src/compiler/check/check-comments.js";
import { createSkillCache } from "../../../src/compiler/compile-cache.js";
import {
  compileSkill,
  readAndCheck,
  type SkillInput,
} from "../../../src/compiler/compile-skill.js";
import { parseConfig } from "../../../src/compiler/config/parse-config.js";
import { withPolicies } from "../../../src/compiler/config/policy-files.js";
import { emitProject } from "../../../src/compiler/emit/emitters.js";
import { governProject } from "../../../src/compiler/governed-project.js";
import { lowerSkill } from "../../../src/compiler/lower/lower-skill.js";
import { runHere } from "../../../src/compiler/run-here.js";
import { printDrafts } from "../../../src/compiler/print-drafts.js";
import { linkTools } from "../../../src/compiler/link/link-tools.js";
import { skillFolders } from "../../../src/compiler/skill-folders.js";
import { createStopwatch } from "../../../src/compiler/stopwatch.js";
import { trackFiles } from "../../../src/compiler/tracked-files.js";
import type { Unit } from "../../../src/compiler/unit.js";
import type { Diagnostic } from "../../../src/core/diagnostic.js";
import type { OutputFile } from "../../../src/core/output.js";
import { createReport, inSourceOrder } from "../../../src/core/report.js";
import { sharedSqlBinding } from "../../support/shared-sql.js";

export interface Untyped {
  readonly diagnostics: readonly Diagnostic[];
  /** All generated files; empty if there are errors. */
  readonly files: readonly OutputFile[];
}

/** The kinds, with engines that tests share. */
export const shared = createRegistry([sharedSqlBinding]);
const style = {};
const typeCheck = { outFolder: "/generated", compilerOptions: {} };
const stopwatch = createStopwatch(() => 0);
const runner = { ...runHere(stopwatch), expect() {} };

/**
 * Compiles without the type check, which takes seconds to start. If the output matters, the test
 * type-checks all outputs in one batch.
 *
 * @param setting values of `${NAME}`
 */
export async function compileUntyped(
  files: Readonly<Record<string, string>>,
  kinds: KindRegistry = shared,
  setting: Setting = noSetting,
): Promise<Untyped> {
  const { config, diagnostics, governance, units } = await checked(
    { files, kinds, setting },
    compileSkill,
  );
  if (diagnostics.some((each) => each.severity === "error")) return { diagnostics, files: [] };
  const drafts = emitProject({
    skills: units.flatMap(({ lowered }) => (lowered ? [{ lowered }] : [])),
    kinds,
    source: `${config.skills}/`,
    ...(governance && { governance }),
  });
  const linked = await printDrafts(drafts, { style, stopwatch });
  const own = units.flatMap((unit) => [...unit.files, ...unit.shared]);
  return { diagnostics, files: [...own, ...linked.files] };
}

/**
 * Returns only the compiler's diagnostics. Skips emitting, formatting and reading back, which take
 * longer than all steps before. Doesn't find schemas for which no validator can be made.
 */
export async function diagnose(
  files: Readonly<Record<string, string>>,
  kinds: KindRegistry = shared,
): Promise<Pick<Untyped, "diagnostics">> {
  return checked({ files, kinds, setting: noSetting }, checkOnly);
}

/** Does the steps of `compileSkill` before it prints. */
async function checkOnly(input: SkillInput): Promise<CheckedUnit> {
  const { config, folder, kinds, report } = input;
  const found = await readAndCheck(input, trackFiles(input.project), createSkillCache(undefined));
  const claimed = found?.authored.acceptances ?? [];
  const acceptances = checkAcceptances(claimed, diagnosticEntriesOf(kinds), report);
  const { open } = setAside(report.diagnostics(), [{ folder, acceptances }]);
  const isSound = open.every(({ severity }) => severity !== "error");
  const diagnostics = withoutConsequences(report.diagnostics(), kinds.types);
  const known = { folder, acceptances, diagnostics };
  if (found === undefined || !isSound) return known;
  const { authored, model } = found;
  return { ...known, lowered: lowerSkill(model, authored, config.governance?.obligations) };
}

type CheckedUnit = Pick<Unit, "acceptances" | "diagnostics" | "folder" | "lowered">;

type Setting = (name: string) => Promise<string | undefined>;
const noSetting: Setting = () => Promise.resolve(undefined);

interface Asked {
  readonly files: Readonly<Record<string, string>>;
  readonly kinds: KindRegistry;
  readonly setting: Setting;
}

/** Checks each skill alone, then all skills together. */
async function checked<Made extends CheckedUnit>(
  { files, kinds, setting }: Asked,
  compileOne: (input: SkillInput) => Promise<Made>,
) {
  const { "skillc.yaml": configText, ...others } = files;
  const sources = Object.entries(others).map(([path, text]) => [path, { path, text }] as const);
  const project = { files: new Map(sources) };
  const together = createReport(diagnosticEntriesOf(kinds));
  const configFile =
    configText === undefined ? undefined : { path: "skillc.yaml", text: configText };
  const config = withPolicies(parseConfig(configFile, together), project);
  const sessions = openSessions({
    project,
    config,
    kinds,
    setting,
    progress() {},
    report: together,
  });
  const units: Made[] = [];
  for (const folder of skillFolders(project)) {
    const report = createReport(diagnosticEntriesOf(kinds));
    const input = {
      project,
      config,
      folder,
      kinds,
      style,
      typeCheck,
      report,
      sessions,
      stopwatch,
      runner,
    };
    units.push(await compileOne(input));
  }
  sessions.finish();
  await sessions.close();
  const lowered = units.flatMap((unit) => unit.lowered ?? []);
  const skills = lowered.map(({ skill }) => skill);
  checkTogether(skills, together);
  checkBindingsTogether(skills, kinds, together);
  const { capabilities } = config.governance ?? {};
  checkCredentialOrigins(projectTools(lowered), capabilities, kinds, together);
  const isWhole = units.every(({ lowered }) => lowered !== undefined);
  if (isWhole) linkTools(skills, kinds, together);
  const governance = isWhole
    ? await governProject({ config, project, kinds, lowered, stopwatch }, together)
    : undefined;
  const found = [...units.flatMap((unit) => unit.diagnostics), ...together.diagnostics()];
  const { open, unused } = setAside(found, units);
  if (open.every(({ severity }) => severity !== "error")) reportUnused(unused, together);
  const unusedFound = together.diagnostics().filter(({ code }) => code === "accept/unused");
  const diagnostics = inSourceOrder([...open, ...unusedFound]);
  return { config, diagnostics, governance, units };
}
