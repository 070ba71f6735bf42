/**
 * Converts tool definitions of an agent to skills whose tools the application serves:
 *
 * - `read-definitions.ts` finds the definitions in the files, `read-definition.ts` reads each
 * - `convert-schema.ts` converts parameters and outputs to JSON Schema, `read-type.ts` the names of
 * types
 * - `print-skill.ts` prints the files
 *
 * `../tools` names and checks the tools. `../again` separates people's edits of the last import from
 * changes in the definitions. Nothing here writes files; the command line does, all or none.
 */
import { posix } from "node:path";
import type { JsonObject } from "../../core/json.js";
import { portableName } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Present } from "../again/draft-writes.js";
import type { ImportRequest } from "../again/stored-import.js";
import { slug, usableSkillName } from "../skills/names.js";
import { longestDescription } from "../skills/print-files.js";
import { cut, oneLine, prose } from "../skills/texts.js";
import type { Compiling } from "../tools/check-tools.js";
import {
  chooseTools,
  nameOfSource,
  type ReadTools,
  type ToolsRequest,
} from "../tools/choose-tools.js";
import { draftTools, type ToolsDraft } from "../tools/draft-tools.js";
import type { DraftTool } from "../tools/entry.js";
import type { AgentTool } from "./definition.js";
import { printCategory } from "./print-skill.js";
import { readDefinitions } from "./read-definitions.js";

/** Options of an import. */
export interface AgentRequest extends ToolsRequest {
  /** Paths of all files but the first, relative to the project. */
  readonly further?: readonly string[];
  /** Name of one skill for all tools; by default, categories decide. */
  readonly skill?: string;
  /** Prefix of the names of skills. */
  readonly prefix?: string;
}

/** The tool definitions, and the chosen ones. */
export type ReadAgentImport = ReadTools<AgentTool, AgentRequest>;

/** The imported files, the options, and the files that the project has already. */
export interface AgentInput {
  readonly files: readonly SourceFile[];
  readonly request: AgentRequest;
  /** Name of the import; by default from the files. */
  readonly name: string | undefined;
  readonly present: Present;
}

/** @returns undefined, with an error in `report`, if a file or the last import can't be read */
export function readAgentImport(
  { files, name, present, request }: AgentInput,
  report: Report,
): ReadAgentImport | undefined {
  const entries = readDefinitions(files, report);
  if (entries === undefined) return undefined;
  const { further = [], source } = request;
  return chooseTools<AgentTool, AgentRequest>(
    {
      kind: "auto-agent",
      entries,
      request,
      name,
      usualName: further.length === 0 ? nameOfSource(source) : nameOfFolder(source),
      file: source,
      choicesOf,
      present,
    },
    report,
  );
}

/** Name of an import of several files: the folder of the first one. */
function nameOfFolder(source: string): string {
  const folder = posix.basename(posix.dirname(source));
  return /^\.*$/.test(folder) ? "tools" : slug(folder, "tools");
}

function choicesOf({ only, prefix, skill }: ImportRequest): Partial<AgentRequest> {
  return {
    ...(typeof skill === "string" && { skill }),
    ...(typeof prefix === "string" && { prefix }),
    ...(typeof only === "object" && { only }),
  };
}

/**
 * Drafts the skills, and the steps to write them. Undefined, with errors in `report`, if nothing may
 * be written.
 *
 * @param compiling settings and kinds of the project, which decide what compiles
 */
export function draftAgentImport(
  { chosen, name, request, stored }: ReadAgentImport,
  compiling: Compiling,
  present: Present,
  report: Report,
): Promise<ToolsDraft<AgentTool> | undefined> {
  const { prefix = "", skill } = request;
  const skillOf = ({ category = "" }: AgentTool): string => {
    const own = `${prefix}${category.trim() === "" ? name : slug(category, "tools")}`;
    return skill ?? usableSkillName(own, "tools", own);
  };
  return draftTools<AgentTool>(
    {
      kind: "auto-agent",
      name,
      request: { ...request },
      stored,
      chosen,
      skillOf,
      draft: draftTool,
      print: printCategory,
      source: { file: request.source, things: "tool definition" },
      help: {
        fewer: "choose fewer tools with `--only`",
        otherNames:
          "give the skills other names with `--prefix agent-`, or make one skill with `--skill`",
      },
    },
    compiling,
    present,
    report,
  );
}

/** Makes the tool of a skill. Nothing in a definition says if a call changes something. */
function draftTool({ aliases, description = "", id, parameters, returns }: AgentTool): DraftTool {
  const words = portableName(id)?.replaceAll("-", " ") ?? oneLine(id);
  const tool: JsonObject = {
    description: cut(prose(description) || words, longestDescription),
    parameters,
    ...(returns && { returns }),
    ...(Object.keys(aliases).length > 0 && { param_aliases: aliases }),
    binding: { type: "handler", effect: "write" },
  };
  return { tool, notes: [] };
}
