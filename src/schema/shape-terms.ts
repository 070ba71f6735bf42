import type { DiagnosticCode } from "../core/diagnostic.js";
import type { Span } from "../core/span.js";
import type { OtherWords } from "./other-words.js";

/** What a document is called in messages, and the codes of its faults. */
export interface ShapeTerms {
  /** With its article: `an \`http\` binding`. */
  readonly subject: string;
  /** Where to say that the document itself lacks a key; its first character by default. */
  readonly at?: Span;
  readonly unknownKey: DiagnosticCode;
  readonly missingKey: DiagnosticCode;
  readonly wrongType: DiagnosticCode;
  readonly wrongValue: DiagnosticCode;
  /** Words that authors may write for a value: lower case → the value. */
  readonly otherNames?: ReadonlyMap<string, string>;
  /** What authors may call a key: the word as `plainWord` has it → the key, or the path to it. */
  readonly otherKeys?: OtherWords;
}
