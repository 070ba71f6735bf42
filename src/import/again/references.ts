import { posix } from "node:path";
import { groupBy } from "../../core/group-by.js";
import type { SkillFiles } from "../skills/print-files.js";

/** Lists the paths of the files that a file's `$ref`s refer to, as an import writes them. */
export function referencesIn(path: string, text: string): readonly string[] {
  const found = text.matchAll(/\$ref["']?\s*:\s*["']?([^\s"'#,}]+\.json)/g);
  return [...found].map(([, reference = ""]) => posix.join(posix.dirname(path), reference));
}

/** Lists the paths, and those of all files that refer to them, directly or indirectly. */
export function withReferring(paths: readonly string[], files: SkillFiles): readonly string[] {
  const references = [...files].flatMap(([path, text]) =>
    referencesIn(path, text).map((target) => ({ path, target })),
  );
  const referring = groupBy(references, ({ target }) => target);
  const around = new Set(paths);
  // The loop also visits entries that are added while it runs.
  for (const target of around) for (const { path } of referring.get(target) ?? []) around.add(path);
  return [...around];
}
