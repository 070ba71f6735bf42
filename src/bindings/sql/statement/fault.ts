import { MAX_DEPTH, MAX_PATH } from "./limits.js";
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

/** @param at what stands innermost */
export function tooDeep(at: TextRange): StatementFault {
  return {
    kind: "too-large",
    at,
    message: `the statement is nested too deeply: around this stand more than ${MAX_DEPTH} parts, each inside the next`,
    help: "a long row of one operator, or of UNION, nests as well: put groups of it in parentheses, `(a || b) || (c || d)`",
  };
}

/** More words in a row than can be read: whether they nest is not known. */
export function tooLong(at: TextRange): StatementFault {
  return {
    kind: "too-large",
    at,
    message: `the statement may be nested too deeply: more than ${MAX_PATH.toLocaleString("en")} words follow each other without a comma`,
    help: "give long lists as one array parameter, with `= ANY (:names)`",
  };
}

export function tooLarge(at: TextRange, most: number, what: "bytes" | "words"): StatementFault {
  return {
    kind: "too-large",
    at,
    message: `the statement has more than ${most.toLocaleString("en")} ${what}`,
  };
}

export function tooManySigns(at: TextRange): StatementFault {
  return {
    kind: "too-large",
    at,
    message: "there are too many operator signs in a row here",
    help: "put spaces between them, and no comments into comments: reading them takes too long",
  };
}
