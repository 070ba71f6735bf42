import type { TextRange } from "./statement.js";

/** Why a text is no statement that a tool may be. Later stages choose the diagnostic's code by `kind`. */
export interface StatementFault {
  readonly kind:
    "syntax" | "placeholder" | "no-statement" | "several-statements" | "not-a-query" | "too-large";
  /** The smallest stretch of the author's text that shows it. */
  readonly at: TextRange;
  /** PostgreSQL's own words for `syntax`; names in backticks for the rest. */
  readonly message: string;
  readonly help?: string;
}

/** Where nothing smaller shows it: the text without the space around it. */
export function wholeOf(text: string): TextRange {
  const start = text.length - text.trimStart().length;
  return { start, end: Math.max(start, text.trimEnd().length) };
}

export function tooDeep(at: TextRange): StatementFault {
  return { kind: "too-large", at, message: "the statement is nested too deeply" };
}

export function tooLarge(at: TextRange, most: number, what: "bytes" | "words"): StatementFault {
  return {
    kind: "too-large",
    at,
    message: `the statement has more than ${most.toLocaleString("en")} ${what}`,
  };
}
