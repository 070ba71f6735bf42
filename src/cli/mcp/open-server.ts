/** Makes the MCP server of a project, with the runtime of its application or that of `skillc call`. */
import type { Catalog } from "@skillc/runtime";
import { createMcpServer, type McpData, type SkillcMcpServer } from "@skillc/runtime/mcp";
import type { WrittenCatalog } from "../../compiler/emit/catalog-text.js";
import type { CommandContext } from "../command-context.js";
import { outputCatalog, textAt } from "../commands/generated-tools.js";
import { packageVersion } from "../version.js";
import { errorPrinter } from "./error-printer.js";
import { openCalls } from "./open-calls.js";
import { readMcpData } from "./read-mcp-data.js";
import type { ServedProject } from "./served-project.js";

/** A server, with the facts that the command prints. */
export interface OpenServer {
  readonly server: SkillcMcpServer;
  readonly skills: number;
  readonly tools: number;
  /** True if mcp.json describes other versions of the tools, which then lack annotations. */
  readonly isStale: boolean;
  /** Lets calls end, and closes everything that they use. */
  readonly close: () => Promise<void>;
}

/** @throws CommandFailure if a part of the project can't be read or loaded */
export async function openServer(
  context: CommandContext,
  project: ServedProject,
): Promise<OpenServer> {
  const { auth, caller, outputSchemas, root, settings } = project;
  const written = outputCatalog(root, settings.out);
  const mcp = await readMcpData(context, root, settings);
  const { close, results, runtime, tools } = await openCalls(context, project);
  const server = createMcpServer({
    mcp,
    // skillc wrote the catalog, and reads it whole or not at all.
    catalog: written as Catalog & WrittenCatalog,
    tools,
    runtime,
    caller,
    info: { name: "skillc", version: packageVersion() },
    onError: errorPrinter(context),
    ...(settings.mcp && {
      answerWithinMs: settings.mcp.answerWithinMs,
      maxResultChars: settings.mcp.maxResultChars,
    }),
    ...(results && { results }),
    ...(auth && { auth }),
    ...(outputSchemas && { outputSchemas }),
  });
  return {
    server,
    skills: written.skills.length,
    tools: Object.keys(tools).length,
    isStale: settings.mcp !== undefined && isStale(mcp, written),
    close: async () => {
      await server.close();
      await close();
    },
  };
}

function isStale({ tools }: McpData, { skills }: WrittenCatalog): boolean {
  return skills.some((skill) =>
    skill.tools.some((tool) => {
      const id = textAt(tool, "id") ?? "";
      const known = Object.hasOwn(tools, id) ? tools[id] : undefined;
      return known?.manifest_hash !== textAt(tool, "manifest_hash");
    }),
  );
}
