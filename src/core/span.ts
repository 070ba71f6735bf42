/**
 * A range of an author's file: UTF-16 offsets, `end` exclusive. Lines and columns are only computed
 * when a diagnostic is rendered.
 */
export interface Span {
  /** Path relative to the project root, with `/`. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** A stretch of a text, in UTF-16 offsets; `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}
