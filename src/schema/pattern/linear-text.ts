import type { AST } from "@eslint-community/regexpp";
import { RE2JS, RE2JSException } from "re2js";
import { type CharacterFlags, type CharacterSet, charactersOf } from "./characters.js";

/**
 * The pattern in the language of RE2, whose matcher takes a step for each character whatever the pattern is; undefined where RE2 has no such
 * thing. Nothing is left to what the two languages have in common: each character and each class is written as the code points that it holds, a
 * group as `(?:…)`, an anchor as `\A` and `\z`. The order in which ways are tried is not kept: it decides what is matched, not whether.
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

function timesText({ max, min }: AST.Quantifier): string {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  return `{${min},${max}}`;
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
