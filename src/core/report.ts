import type { DiagnosticEntries } from "./diagnostic-entry.js";
import type { Diagnostic, DiagnosticCode, UnratedDiagnostic } from "./diagnostic.js";
import { getOwn } from "./json.js";
import { printable } from "./names.js";
import type { Span } from "./span.js";

/** Collects diagnostics. Stages continue after a problem, so that one run shows every problem. */
export interface Report {
  /** Adds a diagnostic. */
  add(diagnostic: UnratedDiagnostic): void;
  /** Returns a report that adds this skill or tool to its diagnostics. */
  within(place: ReportScope): Report;
  /** Returns the number of errors so far. */
  errorCount(): number;
}

export interface ReportScope {
  readonly skill?: string;
  readonly tool?: string;
}

export interface ReportLog extends Report {
  /**
   * All diagnostics, sorted by file, offset and code; equal ones of the same skill and tool appear
   * once.
   */
  diagnostics(): readonly Diagnostic[];
}

/**
 * Makes a report.
 *
 * @param entries the codes that may be reported, with their severities
 * @throws Error from `add` if a code has no entry, which is a bug in skillc
 */
export function createReport(entries: DiagnosticEntries): ReportLog {
  const found: Diagnostic[] = [];
  const within = (place: ReportScope): Report => ({
    add(diagnostic) {
      const entry = entries[diagnostic.code];
      if (entry === undefined) throw new Error(`no entry for the diagnostic ${diagnostic.code}`);
      found.push({ ...withPrintableText(diagnostic), ...place, severity: entry.severity });
    },
    within: (inner) => within({ ...place, ...inner }),
    errorCount: () => found.filter((each) => each.severity === "error").length,
  });
  return { ...within({}), diagnostics: () => ordered(withoutReplaced(found, entries), ownerOf) };
}

/**
 * Makes a report that only collects, for callers that decide later what to do with the diagnostics.
 */
export function collectDiagnostics(): {
  readonly diagnostics: readonly UnratedDiagnostic[];
  readonly report: Report;
} {
  const diagnostics: UnratedDiagnostic[] = [];
  const report: Report = {
    add: (diagnostic) => void diagnostics.push(diagnostic),
    within: () => report,
    errorCount: () => 0,
  };
  return { diagnostics, report };
}

/**
 * Makes texts printable, because messages may quote author text: each stays one line that is safe
 * for terminals and JSON readers.
 */
function withPrintableText(diagnostic: UnratedDiagnostic): UnratedDiagnostic {
  const { message, help, related } = diagnostic;
  return {
    ...diagnostic,
    message: printable(message),
    ...(help !== undefined && { help: printable(help) }),
    ...(related && {
      related: related.map((each) => ({ ...each, message: printable(each.message) })),
    }),
  };
}

/** Drops diagnostics that a more specific one at the same place replaces. */
function withoutReplaced(
  found: readonly Diagnostic[],
  entries: DiagnosticEntries,
): readonly Diagnostic[] {
  const placeOf = (code: DiagnosticCode, { file, start, end }: Span) =>
    [code, file, start, end].join("\0");
  const replaced = new Set(
    found.flatMap(({ code, span }) => {
      const less = getOwn(entries, code)?.replaces;
      return less === undefined ? [] : [placeOf(less, span)];
    }),
  );
  if (replaced.size === 0) return found;
  return found.filter(({ code, span }) => !replaced.has(placeOf(code, span)));
}

/**
 * Sorts by file, offset and code, and removes repeats: a problem that two tools share is one
 * problem.
 */
export function inSourceOrder<Found extends Diagnostic>(
  diagnostics: readonly Found[],
): readonly Found[] {
  return ordered(diagnostics, () => "");
}

function ownerOf({ skill = "", tool = "" }: Diagnostic): string {
  return `${skill}\0${tool}`;
}

function ordered<Found extends Diagnostic>(
  diagnostics: readonly Found[],
  apart: (diagnostic: Found) => string,
): readonly Found[] {
  const seen = new Map<string, Found>();
  for (const each of diagnostics) {
    const { code, message, span } = each;
    const key = [code, span.file, span.start, span.end, message, apart(each)].join("\0");
    if (!seen.has(key)) seen.set(key, each);
  }
  return [...seen.values()].toSorted(bySource);
}

function bySource(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.span.file, b.span.file) ||
    a.span.start - b.span.start ||
    a.span.end - b.span.end ||
    compareText(a.code, b.code)
  );
}

/** Compares by code units, so that the order is the same on every machine and locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
