import type { AcceptedDiagnostic, Diagnostic } from "../core/diagnostic.js";
import type { Dependencies, LoweredSkill, LoweredTool } from "../core/lowered-skill.js";
import type { KindRegistry } from "../bindings/registry.js";
import { createReport, inSourceOrder, type Report } from "../core/report.js";
import { checkAcceptances, setAside } from "./accept/acceptances.js";
import { openSessions, type Sessions } from "./analyze/sessions.js";
import { checkBindingsTogether, checkTogether } from "./check/check-together.js";
import { withoutConsequences } from "./check/check-comments.js";
import { createSkillCache } from "./compile-cache.js";
import type { ComparedCatalog, ComparedSkill } from "./compare-tools/compare-catalogs.js";
import type { CompileInput } from "./compilation.js";
import { readAndCheck } from "./compile-skill.js";
import { diagnosticEntriesOf } from "./diagnostics.js";
import { withWholeSchemas } from "./compare-tools/whole-schemas.js";
import { type CatalogEntry, catalogSkill } from "./emit/catalog-data.js";
import { linkTools } from "./link/link-tools.js";
import { lowerSkill, withLinks } from "./lower/lower-skill.js";
import { skillFolders } from "./skill-folders.js";
import { trackFiles } from "./tracked-files.js";
import type { Unit } from "./unit.js";

export interface CatalogCompilation {
  /** Diagnostics in source order, without accepted ones. */
  readonly diagnostics: readonly Diagnostic[];
  readonly accepted: readonly AcceptedDiagnostic[];
  /** Catalog of the readable skills; valid only if there are no errors. */
  readonly catalog: ComparedCatalog;
  /** Tools that depend on other tools, by id; valid only if there are no errors. */
  readonly dependents: DependentTools;
}

/** Tools that depend on other tools, by id. */
export type DependentTools = ReadonlyMap<string, DependentTool>;

/** A tool that depends on other tools. */
export interface DependentTool {
  /** Fingerprint of each tool that it depends on, by id. */
  readonly dependencies: Dependencies;
  /** Id of the tool that each of its calls makes, by the id of the call; empty if it makes none. */
  readonly calls: ReadonlyMap<string, string>;
}

/** The input of `compile` without the options for printing. */
export type CatalogInput = Omit<CompileInput, "style" | "previous" | "typeCheck">;

/**
 * Computes the catalog of `compile` without printing or type-checking a module, because a catalog
 * needs neither. So it also works for skills outside of an installed project, such as those of an
 * earlier commit.
 */
export async function compileCatalog(input: CatalogInput): Promise<CatalogCompilation> {
  const { kinds } = input;
  const { found, lowered, units } = await checkCatalog(input);
  const { accepted, open } = setAside(found, units);
  return {
    diagnostics: inSourceOrder(open),
    accepted: inSourceOrder(accepted),
    catalog: { skills: lowered.map((each) => asCompared(catalogSkill(each, kinds).entry, each)) },
    dependents: new Map(
      lowered.flatMap(({ tools }) => tools).flatMap((each) => dependentTool(each, kinds)),
    ),
  };
}

/**
 * Returns the diagnostics of `compileCatalog`. If several tools share a problem, each of them has
 * its own diagnostic.
 */
export async function diagnoseCatalog(input: CatalogInput): Promise<readonly Diagnostic[]> {
  const { found, units } = await checkCatalog(input);
  return setAside(found, units).open;
}

interface CheckedCatalog {
  readonly units: readonly CatalogUnit[];
  readonly lowered: readonly LoweredSkill[];
  readonly found: readonly Diagnostic[];
}

async function checkCatalog(input: CatalogInput): Promise<CheckedCatalog> {
  const { kinds, project } = input;
  const report = createReport(diagnosticEntriesOf(kinds));
  const progress = (doing: string): void => input.progress?.({ doing, done: 0, of: 1 });
  const sessions = openSessions({ ...input, progress, report, store: input.cache?.bytes });
  const units: CatalogUnit[] = [];
  try {
    for (const folder of skillFolders(project)) {
      progress(folder);
      units.push(await unitOf(folder, input, sessions));
    }
    sessions.finish();
  } finally {
    await sessions.close();
  }
  const lowered = linked(
    units.flatMap((unit) => unit.lowered ?? []),
    units.length,
    input,
    report,
  );
  const found = [...units.flatMap((each) => each.diagnostics), ...report.diagnostics()];
  return { units, lowered, found };
}

function dependentTool(
  { dependencies, id, tool: { binding } }: LoweredTool,
  kinds: KindRegistry,
): readonly (readonly [string, DependentTool])[] {
  if (dependencies === undefined) return [];
  const graph = kinds.find(binding.type)?.graph?.(binding.config);
  const calls = new Map((graph?.calls ?? []).map((each) => [each.id, each.tool]));
  return [[id, { dependencies, calls }]];
}

type CatalogUnit = Pick<Unit, "acceptances" | "diagnostics" | "folder" | "lowered">;

async function unitOf(
  folder: string,
  input: CatalogInput,
  sessions: Sessions,
): Promise<CatalogUnit> {
  const entries = diagnosticEntriesOf(input.kinds);
  const report = createReport(entries);
  const cache = createSkillCache(input.cache);
  const source = { ...input, folder, report, sessions };
  const checked = await readAndCheck(source, trackFiles(input.project), cache);
  const acceptances = checkAcceptances(checked?.authored.acceptances ?? [], entries, report);
  const { open } = setAside(report.diagnostics(), [{ folder, acceptances }]);
  const diagnostics = withoutConsequences(report.diagnostics(), input.kinds.types);
  const isSound = open.every(({ severity }) => severity !== "error");
  const lowered = checked && isSound && lowerSkill(checked.model, checked.authored);
  return { folder, acceptances, diagnostics, ...(lowered && { lowered }) };
}

/** Adds dependencies to the tools, and checks the skills together. */
function linked(
  lowered: readonly LoweredSkill[],
  count: number,
  { kinds }: CatalogInput,
  report: Report,
): readonly LoweredSkill[] {
  const skills = lowered.map(({ skill }) => skill);
  checkTogether(skills, report);
  checkBindingsTogether(skills, kinds, report);
  // If a skill can't be read, its tools are unknown.
  if (lowered.length < count) return lowered;
  const links = linkTools(skills, kinds, report);
  return lowered.map((each) => withLinks(each, links));
}

/** A skill of the catalog. Each of its schemas has all definitions that it refers to. */
export function asCompared(
  { $defs, tools, ...about }: CatalogEntry,
  { skill, tools: lowered }: LoweredSkill,
): ComparedSkill {
  const compared = tools.map((tool, index) => ({
    ...withWholeSchemas(tool, $defs),
    id: lowered[index]?.id ?? "",
  }));
  return { ...about, name: skill.name, tools: compared };
}
