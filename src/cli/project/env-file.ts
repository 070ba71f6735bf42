import { join } from "node:path";
import { parse as parseDotenv } from "dotenv";
import { mergeConflictIn } from "../../compiler/read/read-file.js";
import type { Diagnostic } from "../../core/diagnostic.js";
import { createReport } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { readRegularFile, withWholeValues } from "@skillc/runtime/internal";
import { readDiagnosticEntries } from "../../compiler/read/diagnostics.js";

/**
 * Finds a merge conflict in `.env`. The runtime reads such a file: it skips the marker lines, and
 * the last value of a repeated name wins. Only the position in the file may be shown, never the
 * text.
 */
export function envFileProblem(root: string): Diagnostic | undefined {
  const file = readEnvFile(root);
  const conflict = file && mergeConflictIn(file);
  if (file === undefined || conflict === undefined) return undefined;
  const report = createReport(readDiagnosticEntries);
  const { start, end } = conflict.span;
  const hidden = [
    { start: 0, end: start },
    { start: end, end: file.text.length },
  ];
  report.add({ ...conflict, source: { ...file, hidden } });
  return report.diagnostics()[0];
}

/** Lists the names with a value in the project's `.env`. */
export function envFileNames(root: string): readonly string[] {
  const entries = Object.entries(parseDotenv(withWholeValues(readEnvFile(root)?.text ?? "")));
  return entries.flatMap(([name, value]) => (value === "" ? [] : [name]));
}

function readEnvFile(root: string): SourceFile | undefined {
  try {
    return { path: ".env", text: readRegularFile(join(root, ".env")).toString("utf8") };
  } catch {
    return undefined;
  }
}
