/** The types of a parsed statement and of its diagnostics, and the limits on size and depth. */
import type { Node } from "@pgsql/types";
import type { TextRange } from "../../../core/span.js";

export type { TextRange };

/** One parsed SQL statement, with PostgreSQL's tree. */
export interface Statement {
  /** The author's text with each `:name` replaced by `$n`, as PostgreSQL's parser read it. */
  readonly sql: string;
  /**
   * The statement node: `{ SelectStmt: … }`, `{ InsertStmt: … }`. Locations in it are UTF-8 byte
   * offsets into `sql`.
   */
  readonly tree: Node;
  /**
   * Placeholders by number: `placeholders[0]` is `$1`. Each name has one number, however often it
   * occurs.
   */
  readonly placeholders: readonly Placeholder[];
}

export interface Placeholder {
  /** Name without the colon. */
  readonly name: string;
  /** Its occurrences, in UTF-16 units of the author's text, including the colon. */
  readonly at: readonly TextRange[];
}

/**
 * Why a text is not a valid statement of a tool. Later stages choose the diagnostic's code by
 * `kind`.
 */
export interface StatementDiagnostic {
  readonly kind:
    "syntax" | "placeholder" | "no-statement" | "several-statements" | "not-a-query" | "too-large";
  /** The smallest range of the author's text that shows the fault. */
  readonly at: TextRange;
  /** PostgreSQL's own message for `syntax`; otherwise a message with names in backticks. */
  readonly message: string;
  readonly help?: string;
}

/** Range of the whole text without surrounding white space, if no smaller range shows the fault. */
export function trimmedRange(text: string): TextRange {
  const start = text.length - text.trimStart().length;
  return { start, end: Math.max(start, text.trimEnd().length) };
}

/** @param at range of the innermost part */
export function tooDeep(at: TextRange): StatementDiagnostic {
  return {
    kind: "too-large",
    at,
    message: `the statement is nested too deeply: this part is more than ${MAX_DEPTH} levels deep`,
    help: "a long chain of one operator or of UNION counts as nesting: group it with parentheses, `(a || b) || (c || d)`",
  };
}

/** Diagnostic for too many tokens in a row. It is unknown whether they nest. */
export function tooLong(at: TextRange): StatementDiagnostic {
  return {
    kind: "too-large",
    at,
    message: `the statement may be nested too deeply: more than ${MAX_PATH.toLocaleString("en")} words follow each other without a comma`,
    help: "pass a long list as one array parameter, with `= ANY (:names)`",
  };
}

export function tooLarge(
  at: TextRange,
  most: number,
  what: "bytes" | "words",
): StatementDiagnostic {
  return {
    kind: "too-large",
    at,
    message: `the statement has more than ${most.toLocaleString("en")} ${what}`,
  };
}

export function tooManySigns(at: TextRange): StatementDiagnostic {
  return {
    kind: "too-large",
    at,
    message: "there are too many operator signs in a row here",
    help: "put spaces between them, and don't nest comments",
  };
}

/** In bytes of UTF-8. */
export const MAX_BYTES = 1_000_000;

export const MAX_TOKENS = 100_000;

/** Maximal nesting of nodes in a statement's tree. Handwritten statements reach about ten. */
export const MAX_DEPTH = 200;

/** Twice as many overflow the stack on which PostgreSQL's parser prints its tree. */
export const MAX_PATH = 4_000;

/**
 * An upper bound on the depth of the tree of these tokens: the most tokens on a path from the
 * outermost to the innermost. Parts separated by a comma or a semicolon are beside each other, not
 * nested.
 */
export function longestPath(tokens: readonly { readonly text: string }[]): number {
  const groups = [{ here: 0, inner: 0, longest: 0 }];
  const close = (group: { here: number; inner: number; longest: number }) => {
    group.longest = Math.max(group.longest, group.here + group.inner);
    group.here = 0;
    group.inner = 0;
  };
  for (const { text } of tokens) {
    const group = groups.at(-1) ?? { here: 0, inner: 0, longest: 0 };
    if (text === "," || text === ";") close(group);
    else if (text === "(" || text === "[") groups.push({ here: 1, inner: 0, longest: 0 });
    else if ((text === ")" || text === "]") && groups.length > 1) {
      close(group);
      groups.pop();
      const outer = groups.at(-1) ?? group;
      outer.inner = Math.max(outer.inner, group.longest);
    } else group.here++;
  }
  return groups.reduceRight(
    (inner, group) => Math.max(group.longest, group.here + Math.max(group.inner, inner)),
    0,
  );
}

/** Characters of PostgreSQL's operators and comments. */
const SIGNS = /[-~!@#^&|`?+*/%<>=]+/g;

/** Shorter runs are ignored, because people draw lines of a hundred signs in comments. */
const SHORT_RUN = 200;

/**
 * Limit on the sum of the squared lengths of such runs. A run of 10,000 signs takes about a second.
 */
const MAX_SQUARES = 100_000_000;

/**
 * The longest run of signs in a text that would take the lexer too long. In nested comments and
 * after operators it reads the rest of the run again at each sign.
 */
export function costlyRun(text: string): TextRange | undefined {
  const runs = [...text.matchAll(SIGNS)].map((run) => ({
    start: run.index,
    end: run.index + run[0].length,
  }));
  const long = runs.filter(({ end, start }) => end - start >= SHORT_RUN);
  const squares = long.reduce((sum, { end, start }) => sum + (end - start) ** 2, 0);
  if (squares <= MAX_SQUARES) return undefined;
  return long.toSorted((one, other) => other.end - other.start - (one.end - one.start))[0];
}
