/** Checks results against the schemas that clients know. Some clients drop a server whose result does not fit. */
import type { CatalogTool } from "../model/catalog.js";
import type { McpData } from "./mcp-data.js";
import { toolData } from "./tool-data.js";

/** Returns whether a result fits its tool's schema. */
export type ResultFit = (tool: CatalogTool, result: unknown) => Promise<boolean>;

/** Makes the check. It compiles a schema at the first result of its tool. */
export function resultFit(data: McpData): ResultFit {
  const checks = new Map<string, (result: unknown) => boolean>();
  let engine: ReturnType<typeof loadEngine> | undefined;
  return async (tool, result) => {
    const known = toolData(data, tool);
    if (known === undefined) return true;
    const check =
      checks.get(tool.id) ?? (await (engine ??= loadEngine())).compile(known.output_schema);
    checks.set(tool.id, check);
    return check(result);
  };
}

/** Loads the engine at the first result, because a server should answer its first request soon. */
async function loadEngine() {
  const { schemaEngine } = await import("./schema-engine.js");
  return schemaEngine();
}
