/**
 * Makes skills of tools that a source lists one by one:
 *
 * - `entry.ts`: an entry of the source, and the tool that it becomes; `repeated-tools.ts` rejects
 *   sources with the same tool twice
 * - `choose-tools.ts`: the chosen entries, with the choices of the last import
 * - here: names the tools, and checks them (`check-tools.ts`)
 *
 * The compiler checks the drafted skills. A tool with an error is left out, with that error as the
 * reason. So importers of tools need no rules about tools that compile.
 */
import type { Diagnostic } from "../../core/diagnostic.js";
import { groupBy } from "../../core/group-by.js";
import { functionName, isDeviceName, isReservedWord, portableName } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import { type ImportDraft, draftImportedFiles, type MadeSkills } from "../again/draft-import.js";
import type { Present } from "../again/draft-writes.js";
import type { StoredImport } from "../again/stored-import.js";
import { distinctNames, slug } from "../skills/names.js";
import type { SkillFiles } from "../skills/print-files.js";
import { type Compiling, checkTools } from "./check-tools.js";
import {
  type DraftTool,
  leftOut,
  type NamedTool,
  type ReadEntry,
  type SourceTool,
  type ToolNote,
} from "./entry.js";

/** Result for one entry. */
export interface EntryOutcome<Tool extends SourceTool> {
  readonly entry: ReadEntry<Tool>;
  /** Name of the tool in its skill; absent if there is none. */
  readonly tool?: string;
  /** Skill of the tool; absent if there is no tool. */
  readonly skill?: string;
  readonly notes: readonly ToolNote[];
}

/** The files of an import, and the result for each entry. */
export interface ToolsDraft<Tool extends SourceTool> extends ImportDraft {
  readonly outcomes: readonly EntryOutcome<Tool>[];
}

/** Chosen tools, and the decisions of an importer about them. */
export interface DraftInput<Tool extends SourceTool> extends Pick<
  MadeSkills,
  "help" | "kind" | "name" | "request" | "source" | "stored"
> {
  readonly chosen: readonly ReadEntry<Tool>[];
  readonly skillOf: (tool: Tool) => string;
  readonly draft: (tool: Tool) => DraftTool;
  readonly print: (skill: string, tools: readonly NamedTool<Tool>[]) => SkillFiles;
  /** Existing files beside SKILL.md that tools name. */
  readonly beside?: (skill: string, tools: readonly NamedTool<Tool>[]) => SkillFiles;
}

/**
 * Drafts the skills, and the steps to write them. Undefined, with errors in `report`, if nothing may
 * be written.
 */
export async function draftTools<Tool extends SourceTool>(
  input: DraftInput<Tool>,
  compiling: Compiling,
  present: Present,
  report: Report,
): Promise<ToolsDraft<Tool> | undefined> {
  const { chosen, help, kind, name, print, request, skillOf, source, stored } = input;
  const all = chosen.flatMap(({ tool }) => tool ?? []);
  const drafts = new Map(all.map((tool) => [tool, input.draft(tool)]));
  const faults = new Map<Tool, Diagnostic>();
  const taken = new Map<Tool, { readonly skill: string; readonly name: string }>();
  const files = new Map<string, string>();
  for (const [skill, tools] of groupBy(all, skillOf)) {
    const names = namesOf(skill, tools, stored);
    const named = tools.map((each, index) => ({
      name: names[index] ?? "",
      source: each,
      tool: drafts.get(each)?.tool ?? {},
    }));
    const whole = (some: readonly NamedTool<Tool>[]): SkillFiles =>
      new Map([...print(skill, some), ...(input.beside?.(skill, some) ?? [])]);
    const checked = await checkTools(named, whole, compiling);
    for (const [tool, fault] of checked.faults) faults.set(tool, fault);
    for (const each of checked.sound) taken.set(each.source, { skill, name: each.name });
    if (checked.sound.length > 0)
      for (const [path, text] of print(skill, checked.sound)) files.set(path, text);
  }
  const outcomes = chosen.map((entry): EntryOutcome<Tool> => {
    const { notes, tool } = entry;
    if (tool === undefined) return { entry, notes };
    const found = taken.get(tool);
    if (found === undefined) return { entry, notes: [reasonAgainst(tool, faults.get(tool))] };
    const all = [...notes, ...(drafts.get(tool)?.notes ?? [])];
    return { entry, skill: found.skill, tool: found.name, notes: all };
  });
  reportNotes(outcomes, report);
  const names = new Map(
    [...taken].map(([{ id }, found]) => [id, `${found.skill}/${found.name}`] as const),
  );
  const made = { kind, name, request, names, files, stored, source, help };
  const draft = draftImportedFiles(made, present, report);
  return draft && { ...draft, outcomes };
}

function reportNotes(outcomes: readonly EntryOutcome<SourceTool>[], report: Report): void {
  for (const { notes, skill, tool } of outcomes) {
    const within =
      skill === undefined || tool === undefined ? report : report.within({ skill, tool });
    for (const each of notes) within.add(each);
  }
}

function namesOf(
  skill: string,
  tools: readonly SourceTool[],
  stored: StoredImport | undefined,
): readonly string[] {
  const known = new Map(
    [...(stored?.names ?? [])].flatMap(([id, tool]) =>
      tool.startsWith(`${skill}/`) ? [[id, tool.slice(skill.length + 1)] as const] : [],
    ),
  );
  const wanted = tools.map(({ id }) => ({ identity: id, name: usableName(id) }));
  return distinctNames(skill, wanted, known);
}

/** Name of a tool by its id: `backup-notes` of `backup_notes`. */
function usableName(id: string): string {
  const name = portableName(id);
  const isUsable = name !== undefined && !isReservedWord(functionName(name)) && !isDeviceName(name);
  return isUsable ? name : slug(`tool-${id}`, "tool");
}

function reasonAgainst({ span }: SourceTool, fault: Diagnostic | undefined): ToolNote {
  return leftOut(span, fault?.message ?? "the skill does not compile with it", fault?.help);
}
