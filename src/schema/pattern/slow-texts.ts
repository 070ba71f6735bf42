import type { AST } from "@eslint-community/regexpp";
import { backtrack } from "./backtrack.js";
import { alphabetOf, greatestOf } from "./characters.js";
import { type PatternFlags, programOf } from "./program.js";
import type { Runs } from "./runs.js";

/** Texts of any length that show that a pattern is slow: `start + pump.repeat(n) + end`. */
export interface SlowTexts {
  readonly start: string;
  readonly pump: string;
  readonly end: string;
}

/** Lengths that are compared, and by how much the steps must differ: more than the lengths do. */
const times = [24, 48] as const;
const growth = 2.5;

/** Steps of a match that are counted; more are slow. */
const mostSteps = 50_000;

/** Characters that are tried for a part of a text. */
const mostTried = 8;

/** Looks for texts on which the matcher's steps, counted, grow faster than the text: first those that the analysis came upon. */
export function slowTexts(
  pattern: AST.Pattern,
  flags: PatternFlags,
  runs: Runs,
): SlowTexts | undefined {
  const sets = programOf(pattern, flags, 1)?.sets ?? [];
  const examples = alphabetOf(sets, greatestOf(flags)).examples.slice(0, mostTried);
  const characters = examples.map((each) => String.fromCodePoint(each));
  const beginnings = [
    ...(runs.kind === "unbounded" ? [{ start: runs.start, pump: runs.pump }] : []),
    ...characters.map((pump) => ({ start: "", pump })),
  ];
  for (const beginning of beginnings) {
    const end = ["", ...characters].find((each) =>
      isSlow(pattern, flags, { ...beginning, end: each }),
    );
    if (end !== undefined) return { ...beginning, end };
  }
  return undefined;
}

function isSlow(pattern: AST.Pattern, flags: PatternFlags, texts: SlowTexts): boolean {
  const [few, many] = times.map((each) => {
    const text = texts.start + texts.pump.repeat(each) + texts.end;
    return backtrack(pattern, text, flags, mostSteps)?.steps;
  });
  // Uncounted for another reason than their number: then those of the short text are uncounted too.
  if (few === undefined) return isCounted(pattern, flags);
  return many === undefined || many > growth * few;
}

function isCounted(pattern: AST.Pattern, flags: PatternFlags): boolean {
  return backtrack(pattern, "", flags, mostSteps) !== undefined;
}
