/**
 * Chooses a matcher that runs a pattern in linear time. Start reading this folder here.
 *
 * - `program.ts`: compiles a pattern to steps of a machine; `characters.ts` has its classes
 * - `runs.ts`: finds patterns that can read a text in unboundedly many ways, and so are slow
 * - `slow-texts.ts`: finds texts that prove it
 * - `common-text.ts`: decides if two patterns match a common text, for `compare`
 * - `redaction.ts`: patterns that find text to remove
 */
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { RE2JS, RE2JSException } from "re2js";
import { type CharacterFlags, type CharacterSet, charactersOf, greatestOf } from "./characters.js";
import { type PatternFlags, programOf } from "./program.js";
import { type Runs, runsOf, type Search } from "./runs.js";
import { slowTexts, type SlowTexts } from "./slow-texts.js";

/**
 * Matcher for a pattern of a schema. It keeps the semantics of ECMAScript. The choice depends only
 * on the pattern. The number of steps is linear in the text.
 */
export type PatternMatcher =
  /**
   * The engine's own matcher, which provably takes a bounded number of steps for each character.
   */
  | { readonly kind: "native" }
  /** A linear matcher, with the same pattern in the syntax of RE2. */
  | { readonly kind: "linear"; readonly text: string }
  /** No linear matcher exists. `texts` proves that the pattern is slow, if such texts are known. */
  | { readonly kind: "slow"; readonly texts: SlowTexts | undefined }
  /** The pattern is not valid in ECMAScript 2024. */
  | { readonly kind: "invalid"; readonly reason: string };

/** Flags of JSON Schema's patterns: only `u`. */
export const schemaFlags: PatternFlags = {
  unicode: true,
  ignoreCase: false,
  dotAll: false,
  multiline: false,
};

const matchers = new Map<string, PatternMatcher>();

export function chooseMatcher(pattern: string): PatternMatcher {
  let matcher = matchers.get(pattern);
  if (matcher === undefined) matchers.set(pattern, (matcher = choose(pattern)));
  return matcher;
}

function choose(text: string): PatternMatcher {
  const pattern = parsePattern(text, true);
  if (typeof pattern === "string") return { kind: "invalid", reason: pattern };
  const runs = runsOfPattern(pattern, schemaFlags, "test");
  if (runs.kind === "bounded") return { kind: "native" };
  const linear = linearText(pattern, schemaFlags);
  return linear === undefined
    ? { kind: "slow", texts: slowTexts(pattern, schemaFlags, runs) }
    : { kind: "linear", text: linear };
}

/**
 * Maximum counted repetitions of the first, second and last attempt. Counts multiply with each
 * other.
 */
const counted = [16, 128, Infinity];

/** Estimates the steps of a backtracking matcher for a pattern. */
export function runsOfPattern(
  pattern: AST.Pattern,
  flags: PatternFlags,
  search: Search,
  maxWork?: number,
): Runs {
  let runs: Runs = { kind: "untold" };
  for (const maxCounted of counted) {
    const program = programOf(pattern, flags, maxCounted);
    runs = program === undefined ? runs : runsOf(program, greatestOf(flags), search, maxWork);
    if (runs.kind === "bounded") return runs;
  }
  return runs;
}

const parser = new RegExpParser({ ecmaVersion: 2024 });

/**
 * Parses a pattern, or returns the reason why it is invalid: JavaScript's own message if JavaScript
 * rejects it too.
 */
export function parsePattern(text: string, unicode: boolean): AST.Pattern | string {
  if (depthOf(text) > deepestGroups) return `groups go deeper than ${deepestGroups} levels`;
  try {
    RegExp(text, unicode ? "u" : "");
    return parser.parsePattern(text, 0, text.length, { unicode });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return error.message.replace(/^Invalid regular expression: /, "").replace(/^\/.*\/u?: /s, "");
  }
}

/**
 * Maximum depth of groups, because the readers of a pattern recurse. YAML files have the same
 * limit.
 */
const deepestGroups = 100;

/** Depth of the groups of a text that may not be a valid pattern. */
function depthOf(pattern: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of pattern.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]?|[()]/g)) {
    if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/**
 * Compiles a pattern for the compiler's own checks. A slow pattern is an error already, so its test
 * accepts every text.
 */
export function patternTest(pattern: string): (text: string) => boolean {
  const matcher = chooseMatcher(pattern);
  switch (matcher.kind) {
    case "native": {
      const compiled = new RegExp(pattern, "u");
      return (text) => compiled.test(text);
    }
    case "linear": {
      const compiled = RE2JS.compile(matcher.text);
      return (text) => compiled.test(text);
    }
    default:
      return () => true;
  }
}

/**
 * Translates a pattern to RE2, whose matcher is always linear; undefined if RE2 can't express the
 * pattern. The translation doesn't rely on common syntax. It writes characters and classes as code
 * points, groups as `(?:…)`, and anchors as `\A` and `\z`. Alternatives keep their order, because
 * RE2 also tries the first one first. Repetitions stay greedy or lazy.
 */
export function linearText(pattern: AST.Pattern, flags: CharacterFlags): string | undefined {
  try {
    const text = alternativesText(pattern.alternatives, flags);
    // RE2 rejects some patterns, such as a part repeated more than 1,000 times.
    RE2JS.compile(text);
    return text;
  } catch (error) {
    if (error instanceof NotRegular || error instanceof RE2JSException) return undefined;
    throw error;
  }
}

/** Thrown for a construct that RE2 lacks. */
class NotRegular extends Error {}

function alternativesText(all: readonly AST.Alternative[], flags: CharacterFlags): string {
  return all
    .map(({ elements }) => elements.map((each) => elementText(each, flags)).join(""))
    .join("|");
}

function elementText(element: AST.Element, flags: CharacterFlags): string {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return setText(charactersOf(element, flags));
    case "Group":
      if (element.modifiers) throw new NotRegular();
      return `(?:${alternativesText(element.alternatives, flags)})`;
    case "CapturingGroup":
      return `(?:${alternativesText(element.alternatives, flags)})`;
    case "Quantifier":
      return `(?:${elementText(element.element, flags)})${timesText(element)}`;
    case "Assertion":
      return assertionText(element);
    case "Backreference":
    case "ExpressionCharacterClass":
      throw new NotRegular();
  }
}

function timesText({ greedy, max, min }: AST.Quantifier): string {
  const lazy = greedy ? "" : "?";
  if (max === Infinity) return `${min === 0 ? "*" : min === 1 ? "+" : `{${min},}`}${lazy}`;
  return `{${min},${max}}${lazy}`;
}

function assertionText(assertion: AST.Assertion): string {
  if (assertion.kind === "start") return "\\A";
  if (assertion.kind === "end") return "\\z";
  // V8 finds a `\B` between the halves of a surrogate pair, and RE2JS does not.
  if (assertion.kind === "word" && !assertion.negate) return "\\b";
  throw new NotRegular();
}

/** Writes a set as a class, or as one character if it contains only one. */
function setText(set: CharacterSet): string {
  const [first] = set;
  if (first === undefined) return "[^\\x{0}-\\x{10FFFF}]";
  if (set.length === 1 && first[0] === first[1]) return characterText(first[0]);
  const runs = set.map(([from, to]) =>
    from === to ? characterText(from) : `${characterText(from)}-${characterText(to)}`,
  );
  return `[${runs.join("")}]`;
}

function characterText(character: number): string {
  const text = String.fromCodePoint(character);
  return /[0-9A-Za-z]/.test(text) ? text : `\\x{${character.toString(16).toUpperCase()}}`;
}
