import { isDeepStrictEqual } from "node:util";
import type { Links } from "../core/lowered-skill.js";
import { createReport } from "../core/report.js";
import { openSessions, type SessionsInput } from "./analyze/sessions.js";
import type { SkillInput } from "./compile-skill.js";
import { diagnosticEntriesOf } from "./diagnostics.js";
import type { Unit } from "./unit.js";

interface RelinkInput
  extends
    Omit<SkillInput, "links" | "folder" | "report" | "sessions">,
    Pick<SessionsInput, "setting"> {}

/**
 * Compiles skills whose tools depend on others than they were compiled with: those from the cache
 * whose dependencies changed, and new ones, which waited for the links.
 */
export async function relinked(
  input: RelinkInput,
  units: readonly Unit[],
  links: Links,
): Promise<readonly Unit[]> {
  const isLinked = (unit: Unit): boolean =>
    unit.isUnlinked !== true &&
    (unit.lowered?.tools ?? []).every((tool) =>
      isDeepStrictEqual(tool.dependencies, links.dependencies.get(tool.id)),
    );
  if (units.every(isLinked)) return units;
  const { compileSkill } = await import("./compile-skill.js");
  // Problems of the settings were reported already.
  const settings = createReport(diagnosticEntriesOf(input.kinds));
  const sessions = openSessions({
    ...input,
    progress() {},
    report: settings,
    store: input.cache?.bytes,
  });
  try {
    const again: Unit[] = [];
    for (const unit of units) {
      const report = createReport(diagnosticEntriesOf(input.kinds));
      const { folder } = unit;
      again.push(
        isLinked(unit) ? unit : await compileSkill({ ...input, links, folder, report, sessions }),
      );
    }
    return again;
  } finally {
    await sessions.close();
  }
}
