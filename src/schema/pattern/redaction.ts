import type { AST } from "@eslint-community/regexpp";
import { linearText, parsePattern, schemaFlags } from "./matcher.js";

/** A pattern for text to remove. */
export type Redaction =
  /** A translation to RE2, whose matcher is linear. It matches the same ranges. */
  | { readonly kind: "linear"; readonly text: string }
  /** The pattern matches the empty text, which occurs between any two characters. */
  | { readonly kind: "empty" }
  /**
   * The pattern uses a construct that no linear matcher supports: a back reference or a lookaround.
   */
  | { readonly kind: "not-linear" }
  /** The pattern is not valid in ECMAScript 2024. */
  | { readonly kind: "invalid"; readonly reason: string };

export function redactionOf(text: string): Redaction {
  const pattern = parsePattern(text, true);
  if (typeof pattern === "string") return { kind: "invalid", reason: pattern };
  const linear = linearText(pattern, schemaFlags);
  if (linear === undefined) return { kind: "not-linear" };
  return leastOfAll(pattern.alternatives) === 0
    ? { kind: "empty" }
    : { kind: "linear", text: linear };
}

/** Minimum length of a match, in characters. */
function leastOfAll(alternatives: readonly AST.Alternative[]): number {
  return Math.min(
    ...alternatives.map(({ elements }) => elements.reduce((sum, each) => sum + leastOf(each), 0)),
  );
}

function leastOf(element: AST.Element): number {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return 1;
    case "Group":
    case "CapturingGroup":
      return leastOfAll(element.alternatives);
    case "Quantifier":
      return element.min * leastOf(element.element);
    case "Assertion":
    case "Backreference":
    case "ExpressionCharacterClass":
      return 0;
  }
}
