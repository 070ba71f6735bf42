import { shortHash } from "./hash.js";
import { isDeviceName, isPlainName, longestName } from "./names.js";

/**
 * A skill's folder or a tool's file below the output folder, without extension. The name itself,
 * where that is a safe one, else with a hash: other names have another one.
 */
export function fileName(name: string): string {
  if (isPlainName(name) && name.length <= longestName && !isDeviceName(name)) return name;
  const plain = name.slice(0, longestPart).replace(/[^A-Za-z0-9_-]+/g, "-");
  return `${plain}-${shortHash(name).slice(0, 8)}`;
}

/** Length that remains of a name that can't be a file name. */
const longestPart = 80;

/** Equal for names that a file system may hold to be the same. */
export function fileKey(name: string): string {
  return fileName(name).toLowerCase();
}

/**
 * A tool's file, without extension. One named as a module that skillc writes for every skill gets a
 * dot, which no name has.
 */
export function toolFileName(name: string): string {
  const own = ["catalog", "handlers", "index", "tools", "versions"].includes(fileKey(name));
  return own ? `${fileName(name)}.tool` : fileName(name);
}
