import type { Diagnostic, Severity } from "../../core/diagnostic.js";
import { type Palette, plain, severityColour } from "../console/palette.js";

/**
 * Counts diagnostics: `2 errors, 1 warning, 1 accepted in 3 skills`; undefined without diagnostics.
 * Counts the skills that the diagnostics name.
 */
export function summarize(
  diagnostics: readonly Diagnostic[],
  accepted: readonly Diagnostic[] = [],
  palette: Palette = plain,
): string | undefined {
  const all = [...diagnostics, ...accepted];
  if (all.length === 0) return undefined;
  const count = (severity: Severity, one: string, many: string): string | undefined => {
    const number = diagnostics.filter((each) => each.severity === severity).length;
    return number === 0 ? undefined : severityColour(palette, severity)(plural(number, one, many));
  };
  const counts = [
    count("error", "error", "errors"),
    count("warning", "warning", "warnings"),
    count("info", "note", "notes"),
    accepted.length === 0 ? undefined : `${accepted.length.toLocaleString("en-US")} accepted`,
  ].filter((each) => each !== undefined);
  const skills = new Set(all.flatMap((each) => each.skill ?? [])).size;
  return `${counts.join(", ")}${skills === 0 ? "" : ` in ${plural(skills, "skill", "skills")}`}`;
}

/** Counts with a noun: `1 tool`, `2 tools`, `1,000 tools`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
