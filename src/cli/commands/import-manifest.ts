import { valueOf } from "../../core/syntax-node.js";
import type { ArgumentForm } from "../../import/hub/draft-command.js";
import { hubScope } from "../../import/hub/draft-tool.js";
import type { HubTool } from "../../import/hub/hub-tool.js";
import {
  draftHubImport,
  type HubRequest,
  readHubImport,
  type ReadHubImport,
} from "../../import/hub/import-hub.js";
import type { CommandContext } from "../command-context.js";
import { paletteFor } from "../console/palette.js";
import type { ExitCode } from "../exit.js";
import { importTools, type ImportToolsOptions, type ToolsFormat } from "../import/import-tools.js";
import type { ToolsView } from "../import/tools-view.js";

/** Flags of `skillc import manifest`; absent by default. */
export interface ImportManifestOptions extends ImportToolsOptions {
  readonly arguments?: ArgumentForm;
  readonly image?: string;
}

/** Creates or updates the skill for the tools of a hub. */
export function importManifest(
  context: CommandContext,
  file: string | undefined,
  options: ImportManifestOptions,
): Promise<ExitCode> {
  const format = hubFormat(context, options);
  return importTools({ context, format, options }, file === undefined ? [] : [file]);
}

function hubFormat(
  context: CommandContext,
  options: ImportManifestOptions,
): ToolsFormat<HubTool, ReadHubImport> {
  return {
    kind: "manifest",
    origin: "the hub manifest",
    toolName: "the id of a tool in the hub manifest",
    noUrl: [
      "skillc reads hub manifests from files only: a hub's answer needs a token, which would be recorded",
      'save the answer of the hub first: `curl -H "Authorization: Bearer $TOKEN" https://hub.example.com/tools > tools.json`',
    ],
    noneBefore: [
      "no hub manifest was imported",
      "name its file: `skillc import manifest tools.json`",
    ],
    sourcesOf: ({ source }) => [source],
    read([file], name, present, report) {
      if (file === undefined) return undefined;
      const request = requestOf(file.path, options);
      return readHubImport({ file, present, request, ...(name !== undefined && { name }) }, report);
    },
    draft(read, compiling, present, report) {
      const { settings } = compiling.config;
      const image = valueOf(valueOf(settings["commands"], "docker"), "image");
      return draftHubImport(read, { ...compiling, hasImage: image !== undefined }, present, report);
    },
    view: (read) => hubView(context, read),
  };
}

function requestOf(
  source: string,
  { arguments: form, image, only, skill }: ImportManifestOptions,
): HubRequest {
  return {
    source,
    ...(skill !== undefined && { skill }),
    ...(only !== undefined && { only }),
    ...(form !== undefined && { arguments: form }),
    ...(image !== undefined && { image }),
  };
}

function hubView({ io }: CommandContext, { request, skill }: ReadHubImport): ToolsView<HubTool> {
  const out = paletteFor(io.stdout, io.env);
  return {
    origin: "the hub manifest",
    title: request.source,
    id: "id",
    listHeads: ["name", "risk", "executor", "runs"],
    listCells: ({ tool }) => [
      tool?.name ?? "",
      tool?.risk ?? "",
      tool?.executor ?? "",
      tool?.command.join(" ") ?? "can't become a tool",
    ],
    reportHead: "risk",
    reportCell: (tool) => tool?.risk ?? "",
    need: `Callers need the scope ${out.bold(hubScope)}, as in the hub.`,
    about: { skill },
    data: ({ label, tool }) => ({
      id: tool?.id ?? label,
      name: tool?.name ?? null,
      riskLevel: tool?.risk ?? null,
      executor: tool?.executor ?? null,
      command: tool?.command ?? null,
      enabled: tool?.isEnabled ?? null,
    }),
  };
}
