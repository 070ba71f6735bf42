import type { DiagnosticCode, Severity } from "./diagnostic.js";

/** Explanation of one code, for `skillc explain CODE` and the page of its family in the reference. */
export interface DiagnosticEntry {
  /** Severity of the diagnostic. */
  readonly severity: Severity;
  /** True if an author may accept it in place; by default only warnings. */
  readonly acceptable?: boolean;
  /** A less specific code, which is dropped if this one is reported at the same place. */
  readonly replaces?: DiagnosticCode;
  /** The problem in one line. */
  readonly title: string;
  /** Reason why it is a problem, and the consequences; Markdown. */
  readonly explanation: string;
  /** Project in which the code is reported, as text by path. A test runs every example. */
  readonly example: ProjectFiles;
  /** The same project after the fix. The code is no longer reported. */
  readonly fixed: ProjectFiles;
}

/** Files of a project: text by path. */
export type ProjectFiles = Readonly<Record<string, string>>;
/** Entries of diagnostics, by code. */
export type DiagnosticEntries = Readonly<Record<DiagnosticCode, DiagnosticEntry>>;
