import type { CallToolResult } from "@modelcontextprotocol/server";
import type { CatalogTool } from "../model/catalog.js";
import type { ValueForModel } from "../model/model-result.js";
import type { Served } from "./served.js";

/** Turns the end of a call into a result of MCP: text, and the value for programs. */
export function toolResult(
  _served: Served,
  _tool: CatalogTool,
  { isError, value }: ValueForModel,
): CallToolResult {
  const text = JSON.stringify(value);
  if (isError) return { content: [{ type: "text", text }], isError };
  return { content: [{ type: "text", text }], structuredContent: { ...value } };
}
