import { join } from "node:path";
import { readRegularFile, systemCode } from "@skillc/runtime/internal";
import type { McpData } from "@skillc/runtime/mcp";
import { isJsonObject, type JsonValue } from "../../core/json.js";
import type { ProjectConfig } from "../../core/project.js";
import type { CommandContext } from "../command-context.js";
import { CommandFailure } from "../exit.js";

/**
 * Reads what the compiler knows about the tools for MCP clients: mcp.json if `generate` writes it,
 * otherwise from the cache or the compiler.
 *
 * @throws CommandFailure if the skills have errors, or mcp.json can't be read
 */
export async function readMcpData(
  context: CommandContext,
  root: string,
  { mcp, out }: ProjectConfig,
): Promise<McpData> {
  const written = mcp && writtenData(join(root, out, "mcp.json"), out);
  return written ?? compiledData(context, root);
}

/** Reads mcp.json; undefined if there is none yet. */
function writtenData(file: string, out: string): McpData | undefined {
  try {
    const data = JSON.parse(readRegularFile(file).toString("utf8")) as JsonValue;
    // `generate` wrote the file, and `generate --check` reports an edit.
    if (isMcpData(data)) return data;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
  }
  throw CommandFailure.input(`\`${out}/mcp.json\` can't be read`, "run `skillc generate` again");
}

function isMcpData(data: JsonValue): data is JsonValue & McpData {
  if (!isJsonObject(data) || data["version"] !== 1) return false;
  return isJsonObject(data["tools"]) && Array.isArray(data["skills"]);
}

async function compiledData(context: CommandContext, root: string): Promise<McpData> {
  // Loaded only here, because a server with mcp.json needs no compiler.
  const { mcpDataOf } = await import("../project/mcp-data.js");
  const { createSession } = await import("../commands/generate-once.js");
  const found = await mcpDataOf(root, createSession(context.io).cacheFor({ root }));
  if (found.kind === "data") return found.data;
  throw CommandFailure.input(
    "the skills have errors, so their tools can't be served",
    "run `skillc check`, which reports them",
  );
}
