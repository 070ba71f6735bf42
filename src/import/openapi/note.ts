import type { DiagnosticCode } from "../../core/diagnostic.js";
import type { DocumentLocation } from "./read/document.js";

/** A note of an import about a place in a description. */
export interface Note {
  readonly code: DiagnosticCode;
  readonly at: DocumentLocation;
  /** Lower case, no full stop, names in backticks. */
  readonly message: string;
  readonly help?: string;
}
