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

/** Prints a line for each tool and each file, so that a change shows in few lines. */
function mcpText({ skills, tools, version }: McpData): string {
  const toolLines = Object.entries(tools).map(
    ([id, data]) => `    ${JSON.stringify(id)}: ${JSON.stringify(data)}`,
  );
  const skillTexts = skills.map(({ files, ...about }) => {
    const begin = JSON.stringify(about).slice(0, -1);
    const lines = files.map((file) => `      ${JSON.stringify(file)}`);
    return `    ${begin},"files":[\n${lines.join(",\n")}\n    ]}`;
  });
  return [
    `${jsonStart}  "version": ${version},`,
    `  "tools": {\n${toolLines.join(",\n")}\n  },`,
    `  "skills": [\n${skillTexts.join(",\n")}\n  ]`,
    "}\n",
  ].join("\n");
}
