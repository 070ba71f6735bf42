/** Compares two imports of the same source, for `skillc compare`. */
import { posix } from "node:path";
import {
  type CatalogComparison,
  compareCatalogs,
} from "../../compiler/compare-tools/compare-catalogs.js";
import { writtenCatalog } from "../../compiler/written-catalog.js";
import { groupBy } from "../../core/group-by.js";
import { compareText } from "../../core/report.js";
import type { SkillFiles } from "../skills/print-files.js";
import { referencesIn } from "./references.js";

/**
 * Compares both imports as skillc wrote them, without people's edits. Skills without changed files
 * are skipped.
 */
export function compareImports(old: SkillFiles, now: SkillFiles): CatalogComparison {
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
    (path) => old.get(path) !== now.get(path),
  );
  const skills = new Set([old, now].flatMap((files) => skillsAround(changed, files)));
  const names = [...skills].toSorted(compareText);
  return compareCatalogs(writtenCatalog(old, names), writtenCatalog(now, names));
}

/** Lists the skills that contain these files, or refer to them directly or indirectly. */
function skillsAround(changed: readonly string[], files: SkillFiles): readonly string[] {
  const references = [...files].flatMap(([path, text]) =>
    referencesIn(path, text).map((target) => ({ path, target })),
  );
  const referring = groupBy(references, ({ target }) => target);
  const around = new Set(changed);
  // The loop also visits entries that are added while it runs.
  for (const target of around) for (const { path } of referring.get(target) ?? []) around.add(path);
  return [...around]
    .filter((path) => /\/(?:SKILL\.md|metadata\.yaml)$/.test(path))
    .map((path) => posix.dirname(path));
}
