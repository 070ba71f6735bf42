import { createReport, type Report } from "../core/report.js";
import { openSessions, type Sessions } from "./analyze/sessions.js";
import { cachedUnit, hasCachedUnit } from "./cache.js";
import { garbageWatch } from "./collect-garbage.js";
import type { RunInput } from "./compilation.js";
import type { SkillInput } from "./compile-skill.js";
import { diagnosticEntriesOf } from "./diagnostics.js";
import { parseAhead } from "./parse-ahead.js";
import { skillFolders, toolsWritten } from "./skill-folders.js";
import type { Unit } from "./unit.js";

/** @param report receives problems of the settings that engines need */
export async function compileSkills(input: RunInput, report: Report): Promise<readonly Unit[]> {
  const folders = skillFolders(input.project);
  const begun: (() => Promise<Unit>)[] = [];
  const progress = (doing: string): void =>
    input.progress?.({ doing, done: begun.length, of: folders.length });
  const sessions = openSessions({ ...input, progress, report, store: input.cache?.bytes });
  try {
    const kept = await input.stopwatch.time("cache", () => cachedUnits(input, folders, sessions));
    const unknown = folders.filter((folder) => !hasCachedUnit(input, folder));
    input.runner.expect(unknown.reduce((sum, each) => sum + toolsWritten(each, input.project), 0));
    const fresh = folders.filter((folder) => !kept.has(folder));
    const parsed = parseAhead(fresh, input.project, input.runner);
    const watch = garbageWatch();
    for (const folder of folders) {
      progress(folder);
      const unit = kept.get(folder);
      if (unit !== undefined) {
        begun.push(async () => unit);
        continue;
      }
      const metadata = await parsed(folder);
      const source = { ...input, folder, sessions, ...(metadata && { metadata }) };
      begun.push(await input.runner.begin(await beginUnit(source)));
      watch();
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

async function cachedUnits(
  input: RunInput,
  folders: readonly string[],
  sessions: Sessions,
): Promise<ReadonlyMap<string, Unit>> {
  const kept = new Map<string, Unit>();
  for (const folder of folders) {
    const unit = await cachedUnit(input, folder, sessions);
    if (unit !== undefined) kept.set(folder, unit);
  }
  return kept;
}

/**
 * Begins to compile a skill. The returned function waits for modules that another thread prints.
 */
async function beginUnit(
  input: RunInput & Pick<SkillInput, "folder" | "metadata" | "sessions">,
): Promise<() => Promise<Unit>> {
  const report = createReport(diagnosticEntriesOf(input.kinds));
  // Loaded on demand, because TypeScript, prettier, Ajv and others take longer to load than a run
  // without changes.
  const { beginSkill } = await import("./compile-skill.js");
  const skill = await beginSkill({ ...input, report });
  return async () => {
    const unit = await skill();
    input.typeChecks.begin(unit);
    return unit;
  };
}
