/** What names a page to its provider. */
export type PageName = string | number;

/** In the place of a page's name: why nobody can go on to it. */
export interface UnusablePage {
  readonly unusable: string;
}

/** Where a call stands in the pages. */
export interface PagePlace {
  readonly at: PageName;
  /** Of an earlier page, as a hash; with `steps` since then, and how many before another is taken. */
  readonly mark: string;
  readonly steps: number;
  readonly most: number;
}
