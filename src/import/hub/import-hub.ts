/**
 * Converts a hub manifest, the list of tools of a tool hub, to a skill:
 *
 * - `read-entries.ts` finds the tools in the file, `read-tool.ts` reads each, `split-command.ts`
 * splits command lines
 * - `draft-tool.ts` makes the tool of a skill, `draft-command.ts` its command and
 * `draft-rollback.ts` its way back; `path-parameters.ts` guesses which parameters are paths
 * - `print-skill.ts` prints the files
 *
 * `../tools` names and checks the tools. `../again` separates people's edits of the last import from
 * changes in the hub manifest. Nothing here writes files; the command line does, all or none.
 */
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Present } from "../again/draft-writes.js";
import type { ImportRequest } from "../again/stored-import.js";
import { usableSkillName } from "../skills/names.js";
import type { SkillFiles } from "../skills/print-files.js";
import type { Compiling } from "../tools/check-tools.js";
import {
  chooseTools,
  nameOfSource,
  type ReadTools,
  type ToolsRequest,
} from "../tools/choose-tools.js";
import { draftTools, type ToolsDraft } from "../tools/draft-tools.js";
import type { NamedTool } from "../tools/entry.js";
import type { ArgumentForm } from "./draft-command.js";
import { draftTool } from "./draft-tool.js";
import type { HubTool } from "./hub-tool.js";
import { printHubSkill } from "./print-skill.js";
import { readEntries } from "./read-entries.js";

/** Options of an import. */
export interface HubRequest extends ToolsRequest {
  readonly skill?: string;
  /** How parameters reach the processes: `stdin` by default. */
  readonly arguments?: ArgumentForm;
  /** Image for tools that the hub runs in its container. */
  readonly image?: string;
}

/** A hub manifest and its chosen entries. */
export interface ReadHubImport extends ReadTools<HubTool, HubRequest> {
  /** Name of the skill. */
  readonly skill: string;
}

/** The imported file, the options, and the files that the project has already. */
export interface HubInput {
  readonly file: SourceFile;
  readonly request: HubRequest;
  /** Name of the import; by default from the file. */
  readonly name?: string;
  readonly present: Present;
}

/** @returns undefined, with an error in `report`, if the hub manifest or the last import can't be read */
export function readHubImport(
  { file, name, present, request }: HubInput,
  report: Report,
): ReadHubImport | undefined {
  const entries = readEntries(file, report);
  if (entries === undefined) return undefined;
  const read = chooseTools<HubTool, HubRequest>(
    {
      kind: "manifest",
      entries,
      request,
      name,
      usualName: nameOfSource(request.source),
      file: file.path,
      choicesOf,
      present,
    },
    report,
  );
  return (
    read && { ...read, skill: read.request.skill ?? usableSkillName(read.name, "tools", read.name) }
  );
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
export function draftHubImport(
  { chosen, name, request, skill, stored }: ReadHubImport,
  compiling: Compiling & { readonly hasImage: boolean },
  present: Present,
  report: Report,
): Promise<ToolsDraft<HubTool> | undefined> {
  const options = {
    form: request.arguments ?? "stdin",
    hasImage: compiling.hasImage,
    ...(request.image !== undefined && { image: request.image }),
  } as const;
  return draftTools<HubTool>(
    {
      kind: "manifest",
      name,
      request: { ...request },
      stored,
      chosen,
      skillOf: () => skill,
      draft: (hub) => draftTool(hub, options),
      print: printHubSkill,
      beside: (_, tools) => scriptsOf(skill, tools, present),
      source: { file: request.source, things: "tool of the hub manifest" },
      help: {
        fewer: "choose fewer tools with `--only`",
        otherNames: "give the skill another name with `--skill`",
      },
    },
    compiling,
    present,
    report,
  );
}

/** Reads the scripts that commands name and that exist beside SKILL.md. */
function scriptsOf(
  skill: string,
  tools: readonly NamedTool<HubTool>[],
  { read }: Present,
): SkillFiles {
  const named = tools
    .flatMap(({ source }) => source.command)
    .filter((each) => /^\.\/[^.]/.test(each));
  return new Map(
    [...new Set(named)].flatMap((each) => {
      const path = `${skill}/${each.slice(2)}`;
      const isBelow = !path.split("/").some((step) => step === "" || step === "." || step === "..");
      const text = isBelow ? read(path) : undefined;
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
}
