import type { McpData } from "@skillc/runtime/mcp";
import type { ProjectConfig } from "../../core/project.js";

/** Reads what the compiler knows about the tools for MCP clients. */
export async function readMcpData(_root: string, _settings: ProjectConfig): Promise<McpData> {
  return { version: 1, tools: {}, skills: [] };
}
