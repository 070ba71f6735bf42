/** The data of a project's MCP server, as the compiler makes them. */
import { join } from "node:path";
import type { McpData } from "@skillc/runtime/mcp";
import { readLinkedFiles } from "../../../src/compiler/linked-files.js";
import { filesOf } from "../../support/answers-fit.js";
import { compileFiles } from "../../support/compile.js";
import { repository } from "../../support/repository.js";

/**
 * Compiles a project of this repository for MCP clients.
 *
 * @param project path of its folder
 */
export async function publishedData(project: string): Promise<McpData> {
  const files = filesOf(project, ["skills", "skillc.yaml"]);
  const sources = Object.entries(files).map(([path, text]) => [path, { path, text }] as const);
  const linked = await readLinkedFiles(join(repository, project), { files: new Map(sources) });
  const { diagnostics, published } = await compileFiles(files, { linked });
  if (published === undefined) throw new Error(JSON.stringify(diagnostics));
  return published.data;
}
