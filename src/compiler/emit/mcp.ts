import type { McpData } from "@skillc/runtime/mcp";
import { jsonStart } from "../../core/provenance.js";
import type { Emitter } from "./emitter.js";

/** Emits mcp.json, the data of the project's MCP server. */
export const mcpEmitter: Emitter = {
  name: "mcp",
  ofProject: ({ mcp, source }) =>
    mcp === undefined
      ? []
      : [{ path: "mcp.json", source, body: { kind: "data", text: mcpText(mcp) } }],
};

function mcpText({ skills, tools, version }: McpData): string {
  return `${jsonStart}${JSON.stringify({ version, tools, skills }).slice(1)}`;
}
