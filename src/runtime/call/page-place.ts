/** A provider's name of a page. */
export type PageName = string | number;

/** Replaces the name of a page that can't be fetched, with the reason. */
export interface UnusablePage {
  /** Reason why the page can't be fetched, in words. */
  readonly unusable: string;
}

/** Position of a call in the pages. */
export interface PagePlace {
  readonly at: PageName;
  /** Hash of the marked earlier page; `steps` since the mark, and `most` steps before it moves. */
  readonly mark: string;
  readonly steps: number;
  readonly most: number;
}
