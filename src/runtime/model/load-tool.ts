import { callError } from "../call/call-error.js";
import type { ToolMap } from "./dispatch.js";

/**
 * Loads the tool that an earlier call named.
 *
 * @param tools `tools` of generated/index.ts
 * @param toolId `skill/tool`
 * @throws ToolError `POLICY.DENY_TOOL` if the tool was removed since
 */
export async function loadTool(tools: ToolMap, toolId: string): ReturnType<ToolMap[string]> {
  // Models know a tool by its skill and its name.
  const name = toolId.replace("/", "__");
  const load = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (load !== undefined) return load();
  throw callError(
    { toolId, attempts: 0 },
    { code: "POLICY.DENY_TOOL", missing: [{ kind: "tools", name: toolId }] },
    `\`${toolId}\` is not among the tools any more`,
  );
}
