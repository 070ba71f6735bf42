import type { SourceFile } from "./source-file.js";
import type { Span } from "./span.js";

/** Severity of a diagnostic. */
export type Severity = "error" | "warning" | "info";

/** `area/what-is-wrong`: unique, stable, documented by `skillc explain`. */
export type DiagnosticCode = `${string}/${string}`;

/** The other place of a conflict, with a message. */
export interface RelatedSpan {
  /** The other place. */
  readonly span: Span;
  /** Remark about the place. */
  readonly message: string;
}

/** A diagnostic from a stage. Its severity is in the code's `DiagnosticEntry`. */
export interface UnratedDiagnostic {
  /** Code of the diagnostic. */
  readonly code: DiagnosticCode;
  /** The smallest span that shows the problem. */
  readonly span: Span;
  /** The fact, in lower case without full stop, with names in backticks. */
  readonly message: string;
  /** The fix, if it is known. */
  readonly help?: string | undefined;
  /** Other places that belong to the problem. */
  readonly related?: readonly RelatedSpan[];
  /**
   * Set if the text at `span` is a secret. Every diagnostic that shows the source line then masks
   * the text.
   */
  readonly secret?: true;
  /** The file of `span`, if this problem keeps it out of the project. */
  readonly source?: SourceFile;
}

/** A diagnostic that the author accepts, with the reason. */
export interface AcceptedDiagnostic extends Diagnostic {
  readonly reason: string;
}

/** A diagnostic with its severity. */
export interface Diagnostic extends UnratedDiagnostic {
  /** Severity of the diagnostic. */
  readonly severity: Severity;
  /** The skill and tool with the problem, by the author's names. */
  readonly skill?: string;
  /** Name of the tool, if the problem is in one. */
  readonly tool?: string;
}
