import { measureMcpCalls } from "./mcp-calls.js";
import { measureMcpStart } from "./mcp-start.js";
import type { Measurement } from "./measurement.js";

/** Measures calls and starts of the MCP server. */
export async function measureMcp(): Promise<readonly Measurement[]> {
  return [...(await measureMcpCalls()), ...measureMcpStart()];
}
