import { join } from "node:path";
import { parse as parseDotenv } from "dotenv";
import { mergeConflictIn } from "../../compiler/read/read-file.js";
import type { Diagnostic } from "../../core/diagnostic.js";
import { createReport } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { readRegularFile, withWholeValues } from "@skillc/runtime/internal";
import { allDiagnosticEntries } from "../diagnostics/all-diagnostic-entries.js";

/**
 * What is wrong with the project's `.env`, and the file, of which no more may be shown than the
 * place of that.
 */
export interface EnvFileProblem {
  readonly diagnostic: Diagnostic;
  readonly file: SourceFile;
}

/**
 * The merge conflict that `.env` still holds. The runtime reads such a file all the same: it passes
 * over the markers' lines, and of a name that stands on both sides the last value counts.
 */
export function envFileProblem(root: string): EnvFileProblem | undefined {
  const file = readEnvFile(root);
  const conflict = file && mergeConflictIn(file);
  if (file === undefined || conflict === undefined) return undefined;
  const report = createReport(allDiagnosticEntries());
  report.add(conflict);
  const { start, end } = conflict.span;
  const hidden = [
    { start: 0, end: start },
    { start: end, end: file.text.length },
  ];
  const [diagnostic] = report.diagnostics();
  return diagnostic && { diagnostic, file: { ...file, hidden } };
}

/** Names that the project's `.env` sets to something. */
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
