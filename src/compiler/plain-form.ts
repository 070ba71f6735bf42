import { createReport } from "../core/report.js";
import { openSessions, type SessionsInput } from "./analyze/sessions.js";
import { diagnosticEntriesOf } from "./diagnostics.js";
import { compileSkill, type SkillInput } from "./compile-skill.js";
import type { Unit } from "./unit.js";
import type { TypeProblem } from "./verify/check-types.js";

interface PlainFormInput
  extends
    Omit<SkillInput, "folder" | "report" | "sessions" | "plain">,
    Pick<SessionsInput, "setting"> {}

/**
 * Compiles skills again whose new modules don't type-check. Their failing tools get the plain form
 * of their kinds. Returns the same units if no failing tool has one, because the form is then not
 * the cause.
 */
export async function inPlainForm(
  input: PlainFormInput,
  units: readonly Unit[],
  problems: readonly TypeProblem[],
): Promise<readonly Unit[]> {
  const paths = new Set(problems.map(({ path }) => path));
  const tools = units.map((unit) => plainTools(unit, paths, input));
  if (tools.every((names) => names.size === 0)) return units;
  // Problems of the settings were reported already.
  const report = createReport(diagnosticEntriesOf(input.kinds));
  const sessions = openSessions({ ...input, progress() {}, report, store: input.cache?.bytes });
  try {
    const again: Unit[] = [];
    for (const [at, unit] of units.entries()) {
      const plain = tools[at] ?? new Set();
      again.push(plain.size === 0 ? unit : await compileAgain(input, unit, { plain, sessions }));
    }
    return again;
  } finally {
    await sessions.close();
  }
}

/** Names of the unit's failing tools whose kind has a plain form. */
function plainTools(
  { lowered }: Unit,
  paths: ReadonlySet<string>,
  { kinds }: PlainFormInput,
): ReadonlySet<string> {
  const tools = (lowered?.tools ?? []).filter(
    ({ file, tool }) =>
      paths.has(`${lowered?.folder}/${file}.ts`) &&
      kinds.find(tool.binding.type)?.engine?.hasPlainForm === true,
  );
  return new Set(tools.map(({ tool }) => tool.name));
}

/** Compiles the unit in its normal form again, if the plain form has problems of its own. */
async function compileAgain(
  input: PlainFormInput,
  unit: Unit,
  how: Pick<SkillInput, "plain" | "sessions">,
): Promise<Unit> {
  const report = createReport(diagnosticEntriesOf(input.kinds));
  const again = await compileSkill({ ...input, ...how, folder: unit.folder, report });
  return again.lowered === undefined ? unit : again;
}
