/**
 * A stretch of a file as its author wrote it: UTF-16 offsets, `end` exclusive.
 * Lines and columns are computed only where a diagnostic is rendered.
 */
export interface Span {
  /** Path relative to the project root, with `/`. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** A stretch of a text: UTF-16 offsets into it, `end` exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}
