import type { ts as Ts } from "ts-morph";
import { ts } from "../../core/typescript.js";

/** One word of a TypeScript file that means something: a name, a keyword, a literal, an operator, a bracket or a comment. Layout is no word. */
export interface Word {
  readonly value: string;
  /** Offset in the text. */
  readonly start: number;
}

/**
 * Everything that means something, in source order. A formatter may move, quote and separate; it never changes this sequence. Our
 * templates hold no regular expressions and no template literals, so that a scanner alone can tell words apart.
 */
export function wordsOf(text: string): readonly Word[] {
  const scanner = ts.createScanner(
    ts.ScriptTarget.ESNext,
    false,
    ts.LanguageVariant.Standard,
    text,
  );
  const words: Word[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    const value = valueOf(kind, scanner);
    if (value !== undefined) words.push({ value, start: scanner.getTokenStart() });
  }
  return words;
}

/** A property's name is the same word with and without quotes; a comment is the same in another indentation. */
function valueOf(kind: Ts.SyntaxKind, scanner: Ts.Scanner): string | undefined {
  if (
    kind === ts.SyntaxKind.SingleLineCommentTrivia ||
    kind === ts.SyntaxKind.MultiLineCommentTrivia
  ) {
    return scanner
      .getTokenText()
      .replace(/\n\s*\*/g, "\n*")
      .trim();
  }
  if (kind === ts.SyntaxKind.Identifier || isLiteral(kind)) return scanner.getTokenValue();
  const isKeyword = kind >= ts.SyntaxKind.FirstKeyword && kind <= ts.SyntaxKind.LastKeyword;
  const isMark = kind >= ts.SyntaxKind.FirstPunctuation && kind <= ts.SyntaxKind.LastPunctuation;
  return isKeyword || (isMark && !separators.has(kind)) ? scanner.getTokenText() : undefined;
}

/** What a formatter adds and leaves out as its style wants it. */
const separators: ReadonlySet<Ts.SyntaxKind> = new Set([
  ts.SyntaxKind.SemicolonToken,
  ts.SyntaxKind.CommaToken,
  ts.SyntaxKind.BarToken,
  ts.SyntaxKind.OpenParenToken,
  ts.SyntaxKind.CloseParenToken,
]);

function isLiteral(kind: Ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.StringLiteral || kind === ts.SyntaxKind.NumericLiteral;
}
