/** The entry point `@skillc/runtime/mcp`: the tools and skills of a project as an MCP server. */
export type { McpAuth } from "./auth/mcp-auth.js";
export {
  createMcpServer,
  type McpServerOptions,
  type SkillcMcpServer,
} from "./create-mcp-server.js";
export { type Door, type McpClient, modelClient, programClient } from "./mcp-client.js";
export { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
export type { McpAnnotations, McpData, McpSkill, McpSkillFile, McpToolData } from "./mcp-data.js";
export type { Owner } from "./owner.js";
export { folderResults, type FolderResultsOptions } from "./results/folder-results.js";
export { memoryResults, type MemoryResultsOptions } from "./results/memory-results.js";
export type { KeptResult, NotKept, ResultStore } from "./results/result-store.js";
