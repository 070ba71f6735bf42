import type { DiagnosticCode, Severity } from "./diagnostic.js";

/** Explanation of one code, for `skillc explain CODE` and the page of its family in the reference. */
export interface DiagnosticEntry {
  readonly severity: Severity;
  /** Whether an author may accept it in place; without a word a warning, and nothing else. */
  readonly acceptable?: boolean;
  /** Another code that says less of the same place: it is left out beside this one. */
  readonly replaces?: DiagnosticCode;
  /** One line: what is wrong. */
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
