import { posix } from "node:path";

/** Lists the paths of the files that a file's `$ref`s refer to, as an import writes them. */
export function referencesIn(path: string, text: string): readonly string[] {
  const found = text.matchAll(/\$ref["']?\s*:\s*["']?([^\s"'#,}]+\.json)/g);
  return [...found].map(([, reference = ""]) => posix.join(posix.dirname(path), reference));
}
