import type { TextRange } from "./statement.js";

/** In bytes of UTF-8. */
export const MAX_BYTES = 1_000_000;

export const MAX_TOKENS = 100_000;

/** How many nodes of a statement's tree may stand inside each other; statements written by hand reach about ten. */
export const MAX_DEPTH = 200;

/** Twice as many overflow the stack on which PostgreSQL's parser prints its tree. */
export const MAX_PATH = 4_000;

/**
 * An upper bound on how deep the tree of these tokens can be: the most tokens on a way from the outermost words to the innermost. What a comma or a
 * semicolon sets apart lies beside, not inside.
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

/** Signs of which PostgreSQL makes operators and comments. */
const SIGNS = /[-~!@#^&|`?+*/%<>=]+/g;

/** A shorter run costs nothing: people draw lines of a hundred signs in comments. */
const SHORT_RUN = 200;

/** Of the squares of such runs' lengths. One of 10,000 signs takes about a second. */
const MAX_SQUARES = 100_000_000;

/**
 * The longest run of signs of a text that would take the lexer too long: in comments inside each other and behind operators it reads what is left of
 * a run again at each sign.
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
