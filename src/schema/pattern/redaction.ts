import type { AST } from "@eslint-community/regexpp";
import { linearText, parsePattern, schemaFlags } from "./matcher.js";

/** A pattern by which all that it matches is taken out of a text. */
export type Redaction =
  /** In the language of RE2, whose matcher takes linear time. It matches the same stretches. */
  | { readonly kind: "linear"; readonly text: string }
  /** It matches the empty text, which stands between any two characters. */
  | { readonly kind: "empty" }
  /** It has what no linear matcher can do: a reference back, a look around. */
  | { readonly kind: "not-linear" }
  /** Not a pattern of ECMAScript 2024. */
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

/** How many characters a match has at least. */
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
