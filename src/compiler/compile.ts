/**
 * Runs the stages in order. `compile-skills.ts` takes each skill from parse to emit
 * (`compile-skill.ts`, with a folder for each stage), and skips unchanged skills (`cache.ts`). This
 * file checks the skills together (`check/check-together.ts`). `link-project.ts` emits project
 * files and type-checks new modules (`verify`). `compile-shared.ts` makes only the modules that
 * skills share.
 */
import type { LoweredSkill } from "../core/lowered-skill.js";
import { createReport, inSourceOrder } from "../core/report.js";
import { reportUnused, setAside } from "./accept/acceptances.js";
import { checkCredentialOrigins } from "./check/check-credential-origins.js";
import {
  checkBindingsTogether,
  checkSharedModules,
  checkTogether,
} from "./check/check-together.js";
import { projectTools } from "./check/project-tools.js";
import type { Compilation, CompileInput, Counts, RunInput } from "./compilation.js";
import { compileSkills } from "./compile-skills.js";
import { withPolicies } from "./config/policy-files.js";
import { diagnosticEntriesOf } from "./diagnostics.js";
import { governProject } from "./governed-project.js";
import { linkTools } from "./link/link-tools.js";
import { linkProject } from "./link-project.js";
import { neededPackages } from "./needed-packages.js";
import { openRunner } from "./open-runner.js";
import { relinked } from "./relink.js";
import { openTypeChecks } from "./type-checks.js";
import type { Unit } from "./unit.js";
import { compareOutput } from "./verify/compare-output.js";

/**
 * Compiles each skill, links the skills, and type-checks new modules. The same input gives the same
 * bytes, with or without a cache.
 */
export async function compile(input: CompileInput): Promise<Compilation> {
  const runner = openRunner(input.stopwatch);
  const config = withPolicies(input.config, input.project);
  try {
    const typeChecks = openTypeChecks({ ...input, runner });
    return await compileWith({ ...input, config, runner, typeChecks });
  } finally {
    await runner.close();
  }
}

async function compileWith(input: RunInput): Promise<Compilation> {
  const { stopwatch } = input;
  const report = createReport(diagnosticEntriesOf(input.kinds));
  const compiled = await compileSkills(input, report);
  const lowered = loweredIn(compiled);
  const skills = lowered.map(({ skill }) => skill);
  stopwatch.time("check", () => checkTogether(skills, report));
  stopwatch.time("check", () => checkBindingsTogether(skills, input.kinds, report));
  const { governance: settings } = input.config;
  stopwatch.time("check", () =>
    checkCredentialOrigins(projectTools(lowered), settings?.capabilities, input.kinds, report),
  );
  stopwatch.time("check", () => checkSharedModules(compiled, report));
  const isWhole = compiled.every((unit) => unit.lowered !== undefined);
  // A tool of a skill that can't be read is known to nobody.
  const links = isWhole
    ? stopwatch.time("check", () => linkTools(skills, input.kinds, report))
    : undefined;
  const made =
    links && report.errorCount() === 0 ? await relinked(input, compiled, links) : compiled;
  const governance = isWhole
    ? await governProject({ ...input, lowered: loweredIn(made) }, report)
    : undefined;
  const sound = report.errorCount() === 0 && made.every((unit) => unit.lowered !== undefined);
  const linked = {
    ...input,
    ...(links && { links }),
    ...(governance && { governance }),
  };
  const { units, files, published } = sound
    ? await linkProject(linked, made, report)
    : { units: made, files: [], published: undefined };
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
    ...(published && report.errorCount() === 0 && { published }),
    counts: countsOf(units),
    packages: neededPackages(loweredIn(units), input.kinds, governance),
  };
}

function countsOf(units: readonly Unit[]): Counts {
  const compiled = units.filter((unit) => unit.fresh !== undefined).length;
  const lowered = loweredIn(units);
  const tools = lowered.reduce((sum, each) => sum + each.tools.length, 0);
  return { skills: lowered.length, tools, compiled, reused: units.length - compiled };
}

function loweredIn(units: readonly Unit[]): readonly LoweredSkill[] {
  return units.flatMap((unit) => unit.lowered ?? []);
}
