/**
 * A range of an author's file: UTF-16 offsets, `end` exclusive. Lines and columns are only computed
 * when a diagnostic is rendered.
 */
export interface Span {
  /** Path relative to the project root, with `/`. */
  readonly file: string;
  /** Offset of the first character, in UTF-16 code units. */
  readonly start: number;
  /** Offset after the last character, in UTF-16 code units. */
  readonly end: number;
}

/** A stretch of a text, in UTF-16 offsets; `end` is exclusive. */
export interface TextRange {
  /** Offset of the first character, in UTF-16 code units. */
  readonly start: number;
  /** Offset after the last character, in UTF-16 code units. */
  readonly end: number;
}
