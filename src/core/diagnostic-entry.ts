import type { DiagnosticCode, Severity } from "./diagnostic.js";

/** Explanation of one code, for `skillc explain CODE` and the page of its family in the reference. */
export interface DiagnosticEntry {
  readonly severity: Severity;
  /** True if an author may accept it in place; by default only warnings. */
  readonly acceptable?: boolean;
  /** A less specific code, which is dropped if this one is reported at the same place. */
  readonly replaces?: DiagnosticCode;
  /** The problem in one line. */
  readonly title: string;
  /** Why it is a problem and what follows from it; Markdown. */
  readonly explanation: string;
  /** A project in which the code arises: path → text. A test runs every one. */
  readonly example: ProjectFiles;
  /** The same project, mended; the code no longer arises. */
  readonly fixed: ProjectFiles;
}

export type ProjectFiles = Readonly<Record<string, string>>;
export type DiagnosticEntries = Readonly<Record<DiagnosticCode, DiagnosticEntry>>;
