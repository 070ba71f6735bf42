import type { Diagnostic, Severity } from "../../core/diagnostic.js";
import { type Palette, plain, severityColour } from "../console/palette.js";

/** `2 errors, 1 warning in 3 skills`; undefined when there is nothing to sum up. Skills are those that the diagnostics name. */
export function summarize(
  diagnostics: readonly Diagnostic[],
  palette: Palette = plain,
): string | undefined {
  if (diagnostics.length === 0) return undefined;
  const count = (severity: Severity, one: string, many: string): string | undefined => {
    const number = diagnostics.filter((each) => each.severity === severity).length;
    return number === 0 ? undefined : severityColour(palette, severity)(plural(number, one, many));
  };
  const counts = [
    count("error", "error", "errors"),
    count("warning", "warning", "warnings"),
    count("info", "note", "notes"),
  ].filter((each) => each !== undefined);
  const skills = new Set(diagnostics.flatMap((each) => each.skill ?? [])).size;
  return `${counts.join(", ")}${skills === 0 ? "" : ` in ${plural(skills, "skill", "skills")}`}`;
}

/** `1 tool`, `2 tools`, `1,000 tools`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
