import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { RE2JS } from "re2js";
import { greatestOf } from "./characters.js";
import { linearText } from "./linear-text.js";
import { type PatternFlags, programOf } from "./program.js";
import { type Runs, runsOf, type Search } from "./runs.js";
import { type SlowTexts, slowTexts } from "./slow-texts.js";

/**
 * By which matcher a pattern of a schema is asked. The meaning is ECMAScript's in each case; what is decided, and from the pattern alone, is
 * that the steps are linear in the text.
 */
export type PatternVerdict =
  /** The engine's own matcher: it is proved to take a bounded number of steps for each character. */
  | { readonly kind: "native" }
  /** A linear matcher, by the same pattern in the language of RE2. */
  | { readonly kind: "linear"; readonly text: string }
  /** Neither; with texts that show it, where some are known. */
  | { readonly kind: "slow"; readonly texts: SlowTexts | undefined }
  /** Not a pattern of ECMAScript 2024. */
  | { readonly kind: "invalid"; readonly reason: string };

/** The flags by which JSON Schema's patterns are compiled: `u` alone. */
export const schemaFlags: PatternFlags = {
  unicode: true,
  ignoreCase: false,
  dotAll: false,
  multiline: false,
};

const verdicts = new Map<string, PatternVerdict>();

export function judgePattern(pattern: string): PatternVerdict {
  let verdict = verdicts.get(pattern);
  if (verdict === undefined) verdicts.set(pattern, (verdict = judged(pattern)));
  return verdict;
}

function judged(text: string): PatternVerdict {
  const pattern = parsePattern(text, true);
  if (typeof pattern === "string") return { kind: "invalid", reason: pattern };
  const runs = runsOfPattern(pattern, schemaFlags, "test");
  if (runs.kind === "bounded") return { kind: "native" };
  const linear = linearText(pattern, schemaFlags);
  return linear === undefined
    ? { kind: "slow", texts: slowTexts(pattern, schemaFlags, runs) }
    : { kind: "linear", text: linear };
}

/** Repetitions that are counted, at first, then, and in the end: each count multiplies with the others. */
const counted = [16, 128, Infinity];

/** How many steps a backtracking matcher takes over a text, by the pattern's tree. */
export function runsOfPattern(
  pattern: AST.Pattern,
  flags: PatternFlags,
  search: Search,
  mostWork?: number,
): Runs {
  let runs: Runs = { kind: "untold" };
  for (const mostCounted of counted) {
    const program = programOf(pattern, flags, mostCounted);
    runs = program === undefined ? runs : runsOf(program, greatestOf(flags), search, mostWork);
    if (runs.kind === "bounded") return runs;
  }
  return runs;
}

const parser = new RegExpParser({ ecmaVersion: 2024 });

/** The tree of a pattern, or why it is none: in JavaScript's own words where it refuses it as well. */
export function parsePattern(text: string, unicode: boolean): AST.Pattern | string {
  try {
    RegExp(text, unicode ? "u" : "");
    return parser.parsePattern(text, 0, text.length, { unicode });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return error.message.replace(/^Invalid regular expression: /, "").replace(/^\/.*\/u?: /s, "");
  }
}

/** Compiles a pattern of a schema for the compiler's own checks. A slow one, an error by itself, takes everything: nothing follows from it. */
export function patternTest(pattern: string): (text: string) => boolean {
  const verdict = judgePattern(pattern);
  switch (verdict.kind) {
    case "native": {
      const compiled = new RegExp(pattern, "u");
      return (text) => compiled.test(text);
    }
    case "linear": {
      const compiled = RE2JS.compile(verdict.text);
      return (text) => compiled.test(text);
    }
    default:
      return () => true;
  }
}
