import { createRegistry, type KindRegistry } from "../../../src/bindings/registry.js";
import { reportUnused, setAside } from "../../../src/compiler/accept/acceptances.js";
import { openSessions } from "../../../src/compiler/analyze/sessions.js";
import { diagnosticEntriesOf } from "../../../src/compiler/diagnostics.js";
import {
  checkBindingsTogether,
  checkRollbacks,
  checkTogether,
} from "../../../src/compiler/check/check-together.js";
import { compileSkill } from "../../../src/compiler/compile-skill.js";
import { parseConfig } from "../../../src/compiler/config/parse-config.js";
import { withPolicies } from "../../../src/compiler/config/policy-files.js";
import { emitProject } from "../../../src/compiler/emit/emitters.js";
import { governProject } from "../../../src/compiler/governed-project.js";
import { printerHere } from "../../../src/compiler/printer.js";
import { printDrafts } from "../../../src/compiler/print-drafts.js";
import { skillFolders } from "../../../src/compiler/skill-folders.js";
import { createStopwatch } from "../../../src/compiler/stopwatch.js";
import type { Diagnostic } from "../../../src/core/diagnostic.js";
import type { OutputFile } from "../../../src/core/output.js";
import { createReport, inSourceOrder } from "../../../src/core/report.js";
import { sharedSqlBinding } from "../../support/shared-sql.js";

export interface Untyped {
  readonly diagnostics: readonly Diagnostic[];
  /** Every generated file; empty when there are errors. */
  readonly files: readonly OutputFile[];
}

/** The kinds, with engines that tests share. */
export const shared = createRegistry([sharedSqlBinding]);
const style = {};
const typeCheck = { outFolder: "/generated", compilerOptions: {} };

/**
 * All that `compile` does but the type check, which takes seconds to start. Where the output matters, a test that uses it type-checks in one
 * batch what came out.
 *
 * @param setting values of `${NAME}`
 */
export async function compileUntyped(
  files: Readonly<Record<string, string>>,
  kinds: KindRegistry = shared,
  setting: (name: string) => Promise<string | undefined> = () => Promise.resolve(undefined),
): Promise<Untyped> {
  const { "skillc.yaml": configText, ...others } = files;
  const sources = Object.entries(others).map(([path, text]) => [path, { path, text }] as const);
  const project = { files: new Map(sources) };
  const together = createReport(diagnosticEntriesOf(kinds));
  const configFile =
    configText === undefined ? undefined : { path: "skillc.yaml", text: configText };
  const config = withPolicies(parseConfig(configFile, together), project);
  const stopwatch = createStopwatch(() => 0);
  const printer = printerHere(stopwatch);
  const sessions = openSessions({
    project,
    config,
    kinds,
    setting,
    progress() {},
    report: together,
  });
  const units = [];
  for (const folder of skillFolders(project)) {
    const report = createReport(diagnosticEntriesOf(kinds));
    const settings = { project, config, folder, kinds, style, typeCheck, stopwatch };
    units.push(await compileSkill({ ...settings, report, sessions, printer }));
  }
  sessions.finish();
  await sessions.close();
  const plans = units.flatMap((unit) => unit.plan ?? []);
  checkTogether(
    plans.map((plan) => plan.skill),
    together,
  );
  const skills = plans.map((plan) => plan.skill);
  checkBindingsTogether(skills, kinds, together);
  const isWhole = units.every(({ plan }) => plan !== undefined);
  if (isWhole) checkRollbacks(skills, together);
  const governance = isWhole
    ? await governProject({ config, project, kinds, plans, stopwatch }, together)
    : undefined;
  const found = [...units.flatMap((unit) => unit.diagnostics), ...together.diagnostics()];
  const { open, unused } = setAside(found, units);
  if (open.every(({ severity }) => severity !== "error")) reportUnused(unused, together);
  const unusedFound = together.diagnostics().filter(({ code }) => code === "accept/unused");
  const diagnostics = inSourceOrder([...open, ...unusedFound]);
  if (diagnostics.some((each) => each.severity === "error")) return { diagnostics, files: [] };
  const emitted = units.flatMap(({ plan, catalog }) =>
    plan && catalog ? [{ plan, catalog }] : [],
  );
  const drafts = emitProject({
    skills: emitted,
    kinds,
    source: `${config.skills}/`,
    ...(governance && { governance }),
  });
  const linked = await printDrafts(drafts, { style, stopwatch });
  const own = units.flatMap((unit) => [...unit.files, ...unit.shared]);
  return { diagnostics, files: [...own, ...linked.files] };
}
