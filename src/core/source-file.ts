/** One file as read from disk: the only thing that later stages know of the disk. */
export interface SourceFile {
  /** Relative to the folder of skillc.yaml, with `/`. */
  readonly path: string;
  /** Decoded text, byte order mark and line ends kept, so that offsets are the author's. */
  readonly text: string;
  /** The file's own path, where `path` is a link to it. */
  readonly linkTo?: string;
  /**
   * Parts that must not be shown, neither in snippets nor in messages, because they may contain
   * secrets.
   */
  readonly hidden?: readonly Extent[];
}

/** Offsets into a file's text, `end` exclusive. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}
