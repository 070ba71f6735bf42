import type { AcceptedDiagnostic, Diagnostic } from "../../core/diagnostic.js";
import { type Lines, linesOf, type Sources, withOwnSources } from "./positions.js";
import { secretFinder, secretsIn, withoutSecrets } from "./secret-finder.js";

/**
 * A diagnostic of `--json`. Absent facts are null. Lines and columns count from 1. Columns are
 * UTF-16 units. The end is exclusive.
 */
export interface JsonDiagnostic {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly help: string | null;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly skill: string | null;
  readonly tool: string | null;
}

/** A diagnostic that the author accepts, and the author's reason. */
export interface JsonAccepted extends JsonDiagnostic {
  readonly reason: string;
}

/**
 * Converts diagnostics for `--json`. If the text of a file is unknown, positions are offsets from
 * its start.
 */
export function diagnosticsAsData(
  diagnostics: readonly Diagnostic[],
  accepted: readonly AcceptedDiagnostic[],
  known: Sources,
): {
  readonly diagnostics: readonly JsonDiagnostic[];
  readonly accepted: readonly JsonAccepted[];
} {
  const sources = withOwnSources(diagnostics, known);
  const counted = new Map<string, Lines>();
  const linesIn = (file: string): Lines => {
    const lines = counted.get(file) ?? linesOf(sources.get(file)?.text ?? "");
    counted.set(file, lines);
    return lines;
  };
  const finder = secretFinder(secretsIn([...diagnostics, ...accepted]), sources);
  const data = (each: Diagnostic): JsonDiagnostic => asData(each, linesIn(each.span.file));
  return {
    diagnostics: withoutSecrets(diagnostics, finder).map(data),
    accepted: withoutSecrets(accepted, finder).map((each) => ({
      ...data(each),
      reason: finder.mask(each.reason),
    })),
  };
}

function asData(diagnostic: Diagnostic, lines: Lines): JsonDiagnostic {
  const start = lines.position(diagnostic.span.start);
  const end = lines.position(Math.max(diagnostic.span.start, diagnostic.span.end));
  return {
    code: diagnostic.code,
    severity: diagnostic.severity,
    message: diagnostic.message,
    help: diagnostic.help ?? null,
    file: diagnostic.span.file,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    skill: diagnostic.skill ?? null,
    tool: diagnostic.tool ?? null,
  };
}
