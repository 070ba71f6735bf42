/** Says how a call of an imported tool is undone. A hub requires a way back of every write. */
import type { JsonObject } from "../../core/json.js";
import { literalText } from "../skills/texts.js";
import type { HubTool } from "./hub-tool.js";

/**
 * Returns `rollback` of a tool; undefined if its calls can change nothing.
 *
 * @param executor executor of the binding; undefined for the sandbox
 */
export function rollbackOf(
  { allowedPaths, risk }: HubTool,
  executor: string | undefined,
): JsonObject | undefined {
  if (risk === "read") return undefined;
  if (allowedPaths.length > 0) return { strategy: "backup", paths: allowedPaths.map(literalText) };
  // In the sandbox, a command without folders can change nothing that lasts.
  return executor === undefined || executor === "sandbox"
    ? undefined
    : { strategy: "none", reason: "the hub does not say which files the command changes" };
}
