/**
 * Converts a hub manifest, the list of tools of a tool hub, to a skill:
 *
 * - `read-entries.ts` finds the tools in the file, `read-tool.ts` reads each, `split-command.ts`
 * splits command lines
 * - `draft-tool.ts` makes the tool of a skill, `draft-command.ts` its command and
 * `draft-rollback.ts` its way back; `path-parameters.ts` guesses which parameters are paths
 * - `print-skill.ts` prints the files
 *
 * The compiler then checks the skill, and a tool with an error is left out with that error as the
 * reason. So this folder has no rules of its own about what compiles.
 *
 * `../again` separates people's edits of the last import from changes in the hub manifest. Nothing here
 * writes files; the command line does, all or none.
 */
import { posix } from "node:path";
import type { CatalogInput } from "../../compiler/compile-catalog.js";
import type { Diagnostic } from "../../core/diagnostic.js";
import { isDeviceName, isReservedWord, functionName, portableName } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { type ImportDraft, draftImportedFiles, readLastImport } from "../again/draft-import.js";
import type { Present } from "../again/draft-writes.js";
import { reportOtherSource } from "../again/other-source.js";
import type { ImportRequest, StoredImport } from "../again/stored-import.js";
import { distinctNames, slug, usableSkillName } from "../skills/names.js";
import { checkTools } from "./check-tools.js";
import type { ArgumentForm } from "./draft-command.js";
import { draftTool } from "./draft-tool.js";
import { type HubTool, leftOut, type ReadEntry, type ToolNote } from "./hub-tool.js";
import { type NamedTool, printHubSkill } from "./print-skill.js";
import { readEntries } from "./read-entries.js";

/** Options of an import. */
export interface HubRequest {
  /** Path of the file, relative to the project. */
  readonly source: string;
  readonly skill?: string;
  /** Ids of the tools to take; all by default. */
  readonly only?: readonly string[];
  /** How parameters reach the processes: `stdin` by default. */
  readonly arguments?: ArgumentForm;
  /** Image for tools that the hub runs in its container. */
  readonly image?: string;
}

/** A hub manifest and its chosen entries. */
export interface ReadHubImport {
  readonly name: string;
  /** Name of the skill. */
  readonly skill: string;
  readonly request: HubRequest;
  readonly stored: StoredImport | undefined;
  readonly chosen: readonly ReadEntry[];
  /** Ids of the choice that the hub manifest does not have. */
  readonly unknown: readonly string[];
}

/** Result for one entry. */
export interface EntryOutcome {
  readonly entry: ReadEntry;
  /** Name of the tool in the skill; absent if there is none. */
  readonly tool?: string;
  readonly notes: readonly ToolNote[];
}

export interface HubImport extends ReadHubImport, ImportDraft {
  readonly outcomes: readonly EntryOutcome[];
}

/** The file that is imported, the options, and what the project has already. */
export interface HubInput {
  readonly file: SourceFile;
  readonly request: HubRequest;
  /** Name of the import; by default from the file. */
  readonly name?: string;
  readonly present: Present;
}

/** Words of file names that say nothing about the tools in it. */
const noise: ReadonlySet<string> = new Set(["manifest", "tools", "tool", "index"]);

/** Default name of an import: `scripts` for `scripts/manifest.json`, `ops` for `ops.json`. */
function nameOf(source: string): string {
  const base = posix.basename(source).replace(/\.[^.]*$/, "");
  const folder = posix.basename(posix.dirname(source));
  const isPlain = !noise.has(base.toLowerCase()) || /^\.*$/.test(folder);
  return slug(isPlain ? base : folder, "tools");
}

/** @returns undefined, with an error in `report`, if the hub manifest or the last import can't be read */
export function readHubImport(
  { file, present, request: asked, ...given }: HubInput,
  report: Report,
): ReadHubImport | undefined {
  const entries = readEntries(file, report);
  if (entries === undefined) return undefined;
  const name = given.name === undefined ? nameOf(asked.source) : slug(given.name, "tools");
  const stored = readLastImport("manifest", name, present, report);
  if (stored === "unusable") return undefined;
  const keys = entries.map(({ label }) => label);
  const source = { name, source: asked.source, file: file.path, keys, things: "tools" };
  if (stored && given.name === undefined && reportOtherSource(source, stored, report))
    return undefined;
  const request = { ...(stored && choicesOf(stored.request)), ...asked };
  const { only } = request;
  return {
    name,
    skill: request.skill ?? usableSkillName(name, "tools", name),
    request,
    stored,
    chosen: only === undefined ? entries : entries.filter(({ label }) => only.includes(label)),
    // A tool that the hub manifest no longer has is a change, and not an unknown word.
    unknown: (asked.only ?? []).filter((id) => !keys.includes(id) && !stored?.names.has(id)),
  };
}

function choicesOf({ arguments: form, image, only, skill }: ImportRequest): Partial<HubRequest> {
  return {
    ...(typeof skill === "string" && { skill }),
    ...(typeof image === "string" && { image }),
    ...((form === "stdin" || form === "flags") && { arguments: form }),
    ...(typeof only === "object" && { only }),
  };
}

/**
 * Drafts the skill, and the steps to write it. Undefined, with errors in `report`, if nothing may be
 * written.
 *
 * @param compiling settings and kinds of the project, which decide what compiles
 */
export async function draftHubImport(
  read: ReadHubImport,
  compiling: Pick<CatalogInput, "config" | "kinds" | "stopwatch"> & { readonly hasImage: boolean },
  present: Present,
  report: Report,
): Promise<HubImport | undefined> {
  const { chosen, name, request, skill, stored } = read;
  const options = {
    form: request.arguments ?? "stdin",
    hasImage: compiling.hasImage,
    ...(request.image !== undefined && { image: request.image }),
  } as const;
  const hubs = chosen.flatMap(({ tool }) => tool ?? []);
  const drafts = new Map(hubs.map((hub) => [hub, draftTool(hub, options)]));
  const names = namesOf(hubs, read);
  const named = hubs.map((hub): NamedTool => ({
    hub,
    name: names.get(hub) ?? "",
    tool: drafts.get(hub)?.tool ?? {},
  }));
  const { faults, sound } = await checkTools(skill, named, { ...compiling, present });
  const outcomes = chosen.map((entry): EntryOutcome => {
    const { notes, tool: hub } = entry;
    const tool = sound.find((each) => each.hub === hub);
    if (hub === undefined) return { entry, notes };
    if (tool === undefined) return { entry, notes: [reasonAgainst(hub, faults.get(hub))] };
    return { entry, tool: tool.name, notes: [...notes, ...(drafts.get(hub)?.notes ?? [])] };
  });
  for (const { notes, tool } of outcomes) {
    const within = tool === undefined ? report : report.within({ skill, tool });
    for (const each of notes) within.add(each);
  }
  const draft = draftImportedFiles(
    {
      kind: "manifest",
      name,
      request: { ...request },
      names: new Map(sound.map((each) => [each.hub.id, `${skill}/${each.name}`])),
      files: sound.length === 0 ? new Map() : printHubSkill(skill, sound),
      stored,
      source: { file: request.source, things: "tool of the hub manifest" },
      help: {
        fewer: "choose fewer tools with `--only`",
        otherNames: "give the skill another name with `--skill`",
      },
    },
    present,
    report,
  );
  return draft && { ...read, ...draft, outcomes };
}

function namesOf(
  hubs: readonly HubTool[],
  { skill, stored }: ReadHubImport,
): ReadonlyMap<HubTool, string> {
  const known = new Map(
    [...(stored?.names ?? [])].flatMap(([id, tool]) =>
      tool.startsWith(`${skill}/`) ? [[id, tool.slice(skill.length + 1)] as const] : [],
    ),
  );
  const wanted = hubs.map(({ id }) => ({ identity: id, name: usableName(id) }));
  const names = distinctNames(skill, wanted, known);
  return new Map(hubs.map((hub, index) => [hub, names[index] ?? ""]));
}

/** Name of a tool by its id: `backup-notes` of `backup_notes`. */
function usableName(id: string): string {
  const name = portableName(id);
  const isUsable = name !== undefined && !isReservedWord(functionName(name)) && !isDeviceName(name);
  return isUsable ? name : slug(`tool-${id}`, "tool");
}

function reasonAgainst({ span }: HubTool, fault: Diagnostic | undefined): ToolNote {
  return leftOut(span, fault?.message ?? "the skill does not compile with it", fault?.help);
}
