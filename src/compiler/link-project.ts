import type { Links } from "../core/lowered-skill.js";
import { checksumsOf } from "../core/checksums.js";
import { sha256 } from "../core/hash.js";
import type { OutputFile } from "../core/output.js";
import type { ReportLog } from "../core/report.js";
import { entriesOf, storeEntries, type UnitEntries } from "./cache.js";
import type { Published, RunInput } from "./compilation.js";
import type { EmittedGovernance, LoweredProject } from "./emit/emitter.js";
import { emitPrintedProject, emitProject } from "./emit/emitters.js";
import { printDrafts } from "./print-drafts.js";
import { publish } from "./publish.js";
import type { Unit } from "./unit.js";
import type { TypeProblem } from "./verify/check-types.js";

/** Units to link, and the project's governance. */
interface LinkInput extends RunInput {
  /** What linking adds to the tools; absent while a skill has errors. */
  readonly links?: Links;
  readonly governance?: EmittedGovernance;
}

interface Linked {
  readonly units: readonly Unit[];
  /** All files of the output. */
  readonly files: readonly OutputFile[];
  /** The skills as clients see them; absent if nobody publishes them. */
  readonly published?: Published;
}

/**
 * Links and type-checks everything that is new. Tools whose code does not type-check get their
 * plain form, if that does.
 */
export async function linkProject(
  input: LinkInput,
  made: readonly Unit[],
  report: ReportLog,
): Promise<Linked> {
  const first = await linkAndCheck(input, made);
  const plain = first.problems.length === 0 ? made : await plainForm(input, made, first.problems);
  const last = plain === made ? first : await linkAndCheck(input, plain);
  for (const { diagnostic } of last.problems) report.add(diagnostic);
  await input.runner.close();
  if (report.errorCount() === 0)
    input.stopwatch.time("cache", () => storeEntries(input, last.entries));
  const { files, published } = last;
  return { units: plain, files, ...(published && { published }) };
}

async function plainForm(
  input: RunInput,
  units: readonly Unit[],
  problems: readonly TypeProblem[],
): Promise<readonly Unit[]> {
  const { inPlainForm } = await import("./plain-form.js");
  return inPlainForm(input, units, problems);
}

interface Checked extends Pick<Linked, "files" | "published"> {
  readonly problems: readonly TypeProblem[];
  /** Cache entries of the units, to store if there are no errors. */
  readonly entries: UnitEntries;
}

/** Prints the files that name every skill, and type-checks everything that is new. */
async function linkAndCheck(input: LinkInput, units: readonly Unit[]): Promise<Checked> {
  const { governance, stopwatch } = input;
  const source = `${input.config.skills}/`;
  const published = stopwatch.time("link", () => publish(units, input.project, input.kinds));
  const project = {
    skills: skillsIn(units),
    kinds: input.kinds,
    source,
    ...(governance && { governance }),
    ...(published && input.config.mcp && { mcp: published.data }),
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
  // While the thread type-checks, prepare the next step, which runs if it finds no error.
  const entries = stopwatch.time("cache", () => entriesOf(input, units));
  input.runner.idle();
  const problems = await stopwatch.time("types", () => asked);
  return { files, entries, problems, ...(published && { published }) };
}

function skillsIn(units: readonly Unit[]): LoweredProject["skills"] {
  return units.flatMap(({ lowered }) => (lowered ? [{ lowered }] : []));
}

/** Collects files that several units need, each once. */
function sharedFiles(units: readonly Unit[]): readonly OutputFile[] {
  const shared = new Map(units.flatMap((unit) => unit.shared.map((file) => [file.path, file])));
  return [...shared.values()];
}
