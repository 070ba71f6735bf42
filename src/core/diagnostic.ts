import type { Span } from "./span.js";

export type Severity = "error" | "warning" | "info";

/** `area/what-is-wrong`: unique, stable, documented by `skillc explain`. */
export type DiagnosticCode = `${string}/${string}`;

/** The other half of a conflict. */
export interface RelatedSpan {
  readonly span: Span;
  readonly message: string;
}

/** A diagnostic from a stage. Its severity is in the code's `DiagnosticEntry`. */
export interface UnratedDiagnostic {
  readonly code: DiagnosticCode;
  /** The smallest span that shows the problem. */
  readonly span: Span;
  /** The fact: lower case, no full stop, names in backticks. */
  readonly message: string;
  /** The fix, if it is known. */
  readonly help?: string | undefined;
  readonly related?: readonly RelatedSpan[];
  /**
   * Set when the text at `span` is a secret: whoever shows source lines masks it, for this and
   * every other diagnostic.
   */
  readonly secret?: true;
}

/** A diagnostic that the author has looked at and accepts, with the reason. */
export interface AcceptedDiagnostic extends Diagnostic {
  readonly reason: string;
}

export interface Diagnostic extends UnratedDiagnostic {
  readonly severity: Severity;
  /** The skill and tool with the problem, by the author's names. */
  readonly skill?: string;
  readonly tool?: string;
}
