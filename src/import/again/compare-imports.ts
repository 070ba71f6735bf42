/** Compares two imports of the same source, for `skillc compare`. */
import { posix } from "node:path";
import {
  type CatalogComparison,
  compareCatalogs,
} from "../../compiler/compare-tools/compare-catalogs.js";
import { writtenCatalog } from "../../compiler/written-catalog.js";
import { compareText } from "../../core/report.js";
import type { SkillFiles } from "../skills/print-files.js";
import { withReferring } from "./references.js";

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
  return withReferring(changed, files)
    .filter((path) => /\/(?:SKILL\.md|metadata\.yaml)$/.test(path))
    .map((path) => posix.dirname(path));
}
