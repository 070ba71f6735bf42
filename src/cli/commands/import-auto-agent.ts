import {
  draftAgentImport,
  type AgentRequest,
  readAgentImport,
  type ReadAgentImport,
} from "../../import/auto-agent/import-auto-agent.js";
import type { AgentTool } from "../../import/auto-agent/definition.js";
import { isJsonObject, type JsonObject } from "../../core/json.js";
import type { CommandContext } from "../command-context.js";
import { plural } from "../diagnostics/summary.js";
import type { ExitCode } from "../exit.js";
import { importTools, type ImportToolsOptions, type ToolsFormat } from "../import/import-tools.js";
import { withHyphen } from "../import/skill-names.js";
import type { ToolsView } from "../import/tools-view.js";

/** Creates or updates the skills for tool definitions. */
export function importAutoAgent(
  context: CommandContext,
  files: readonly string[],
  options: ImportToolsOptions,
): Promise<ExitCode> {
  return importTools({ context, format: agentFormat(options), options }, files);
}

function agentFormat(options: ImportToolsOptions): ToolsFormat<AgentTool, ReadAgentImport> {
  return {
    kind: "auto-agent",
    origin: "the definition",
    toolName: "the name of a tool in the definitions",
    noUrl: [
      "skillc reads tool definitions from files only",
      "save the definition first, and name its file",
    ],
    noneBefore: [
      "no tool definition was imported",
      "name the files: `skillc import auto-agent tools/*.json`",
    ],
    sourcesOf: ({ further, source }) => [source, ...(typeof further === "object" ? further : [])],
    read([first, ...others], name, present, report) {
      if (first === undefined) return undefined;
      const further = others.map(({ path }) => path);
      const sources = { source: first.path, ...(further.length > 0 && { further }) };
      const request = requestOf(sources, options);
      return readAgentImport({ files: [first, ...others], name, present, request }, report);
    },
    draft: draftAgentImport,
    view: agentView,
  };
}

function requestOf(
  sources: Pick<AgentRequest, "further" | "source">,
  { only, prefix, skill }: ImportToolsOptions,
): AgentRequest {
  return {
    ...sources,
    ...(skill !== undefined && { skill }),
    ...(prefix !== undefined && { prefix: withHyphen(prefix) }),
    ...(only !== undefined && { only }),
  };
}

function agentView({ request }: ReadAgentImport): ToolsView<AgentTool> {
  const { further = [], source } = request;
  return {
    origin: "the definitions",
    title: further.length === 0 ? source : `${source} and ${plural(further.length, "other file")}`,
    id: "name",
    listHeads: ["category", "parameters"],
    listCells: ({ tool }) =>
      tool === undefined
        ? ["", "can't become a tool"]
        : [tool.category ?? "", Object.keys(propertiesOf(tool)).join(", ")],
    reportHead: "category",
    reportCell: (tool) => tool?.category ?? "",
    need: "Each tool needs a handler of the application. All count as writes: `effect: read` in metadata.yaml marks a lookup.",
    about: { files: [source, ...further] },
    data: ({ label, tool }, outcome) => ({
      name: tool?.id ?? label,
      category: tool?.category ?? null,
      parameters: tool === undefined ? null : Object.keys(propertiesOf(tool)),
      ...(outcome && { skill: outcome.skill ?? null }),
    }),
  };
}

function propertiesOf({ parameters: { properties } }: AgentTool): JsonObject {
  return isJsonObject(properties) ? properties : {};
}
