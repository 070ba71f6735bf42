import { basename, join } from "node:path";
import { readRegularFile } from "@skillc/runtime/internal";
import { isJsonObject, type JsonValue } from "../../core/json.js";

/** Maximum length, because clients put the name before the name of every tool. */
const maxLength = 40;

/**
 * Returns the name of a project's server in the settings of a client: that of its npm package, or
 * of its folder. Codex and Claude Code accept letters, digits, `_` and `-` alone.
 */
export function serverName(root: string): string {
  const name = packageName(root) ?? basename(root);
  const words = name.slice(0, maxLength).match(/[a-z\d]+/gi) ?? [];
  return words.length === 0 ? "skillc" : words.join("-");
}

/** Returns undefined if the project has no package.json with a name. */
function packageName(root: string): string | undefined {
  try {
    const text = readRegularFile(join(root, "package.json")).toString("utf8");
    // Text of JSON has such a value.
    const found = JSON.parse(text) as JsonValue;
    const name = isJsonObject(found) ? found["name"] : undefined;
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}
