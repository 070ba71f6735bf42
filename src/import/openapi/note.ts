import type { DiagnosticCode } from "../../core/diagnostic.js";
import type { DocumentLocation } from "./read/document.js";

/** A note of an import about a place in a description. */
export interface Note {
  readonly code: DiagnosticCode;
  readonly at: DocumentLocation;
  /** Text in lower case without a full stop. Names are in backticks. */
  readonly message: string;
  readonly help?: string;
}
