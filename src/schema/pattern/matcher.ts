/**
 * By which matcher a pattern is asked so that it takes linear time: the first file of the folder.
 *
 * - `program.ts`: a pattern as steps of a machine, with its classes from `characters.ts`
 * - `runs.ts`: whether a character can be read in unboundedly many ways, which is slow
 * - `slow-texts.ts`: texts that show it
 * - `common-text.ts`: whether two patterns have a text in common, for `compare`
 * - `redaction.ts`: patterns by which text is found and taken out
 */
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { RE2JS, RE2JSException } from "re2js";
import { type CharacterFlags, type CharacterSet, charactersOf, greatestOf } from "./characters.js";
import { type PatternFlags, programOf } from "./program.js";
import { type Runs, runsOf, type Search } from "./runs.js";
import { slowTexts, type SlowTexts } from "./slow-texts.js";

/**
 * By which matcher a pattern of a schema is asked. The meaning is ECMAScript's in each case; what
 * is decided, and from the pattern alone, is that the steps are linear in the text.
 */
export type PatternMatcher =
  /**
   * The engine's own matcher: it is proved to take a bounded number of steps for each character.
   */
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
 * Repetitions that are counted, at first, then, and in the end: each count multiplies with the
 * others.
 */
const counted = [16, 128, Infinity];

/** How many steps a backtracking matcher takes over a text, by the pattern's tree. */
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
 * The tree of a pattern, or why it is none: in JavaScript's own words where it refuses it as well.
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

/** Levels of groups in a pattern: those who read one recurse. As many as a YAML file may have. */
const deepestGroups = 100;

/** How deep the groups of a pattern go, be it one or not. */
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
 * Compiles a pattern of a schema for the compiler's own checks. A slow one, an error by itself,
 * takes everything: nothing follows from it.
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
 * The pattern in the language of RE2, whose matcher takes a step for each character whatever the
 * pattern is; undefined where RE2 has no such thing. Nothing is left to what the two languages have
 * in common: each character and each class is written as the code points that it holds, a group as
 * `(?:…)`, an anchor as `\A` and `\z`. The order in which ways are tried is kept: RE2, too, takes
 * the first alternative, and as much or as little as a repetition says.
 */
export function linearText(pattern: AST.Pattern, flags: CharacterFlags): string | undefined {
  try {
    const text = alternativesText(pattern.alternatives, flags);
    // What RE2 has no room for, such as a part that is repeated more than 1,000 times.
    RE2JS.compile(text);
    return text;
  } catch (error) {
    if (error instanceof NotRegular || error instanceof RE2JSException) return undefined;
    throw error;
  }
}

/** What RE2 can't say. */
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

/** As a class, and one character that can stand for itself as itself. */
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
