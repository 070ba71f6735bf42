import type { CatalogTool } from "../model/catalog.js";
import type { McpData, McpToolData } from "./mcp-data.js";

/** Returns what the compiler knows about a tool; undefined if that is about another version. */
export function toolData(
  { tools }: McpData,
  { id, manifest_hash: manifest }: CatalogTool,
): McpToolData | undefined {
  const found = Object.hasOwn(tools, id) ? tools[id] : undefined;
  return found?.manifest_hash === manifest ? found : undefined;
}
