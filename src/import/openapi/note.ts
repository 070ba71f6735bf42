import type { DiagnosticCode } from "../../core/diagnostic.js";
import type { DocumentLocation } from "./read/document.js";

/** Something that an import tells of a description, where it stands there. */
export interface Note {
  readonly code: DiagnosticCode;
  readonly at: DocumentLocation;
  /** Lower case, no full stop, names in backticks. */
  readonly message: string;
  readonly help?: string;
}
