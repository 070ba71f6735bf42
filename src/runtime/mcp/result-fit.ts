/** Checks results against the schemas that clients know. Clients drop a server whose results misfit. */
import { Ajv, addFormats } from "@modelcontextprotocol/server/validators/ajv";
import type { CatalogTool } from "../model/catalog.js";
import { linearPattern } from "../validation/pattern.js";
import type { McpData, McpToolData } from "./mcp-data.js";

/** Returns whether a result fits its tool's schema. */
export type ResultFit = (tool: CatalogTool, result: unknown) => boolean;

/** Makes the check. It compiles a schema at the first result of its tool. */
export function resultFit(data: McpData): ResultFit {
  const checks = new Map<string, (result: unknown) => boolean>();
  let ajv: Engine | undefined;
  return (tool, result) => {
    const known = toolData(data, tool);
    if (known === undefined) return true;
    const check = checks.get(tool.id) ?? (ajv ??= createAjv()).compile(known.output_schema);
    checks.set(tool.id, check);
    return check(result);
  };
}

/** Returns what the compiler knows about a tool; undefined if that is about another version. */
export function toolData(
  { tools }: McpData,
  { id, manifest_hash: manifest }: CatalogTool,
): McpToolData | undefined {
  const found = Object.hasOwn(tools, id) ? tools[id] : undefined;
  return found?.manifest_hash === manifest ? found : undefined;
}

type Engine = InstanceType<typeof Ajv>;

function createAjv(): Engine {
  const regExp = Object.assign(patternOrAny, { code: "" });
  const ajv = new Ajv({ strict: false, validateSchema: false, code: { regExp } });
  addFormats(ajv);
  return ajv;
}

/** Matches in linear time, because a service writes the matched text. */
function patternOrAny(pattern: string) {
  try {
    return linearPattern(pattern);
  } catch {
    // The validator of the answer has checked such a pattern in another way.
    return { test: () => true };
  }
}
