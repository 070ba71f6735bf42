import { isName, type Token } from "./lexer.js";

/**
 * Which colons of a text separate: the bounds of an array slice, or a key from its value in `JSON_OBJECT` and `JSON_OBJECTAGG`.
 *
 * Inside those, a colon behind a finished expression separates: `a[lo:hi]`, `a[:lo:hi]`, `a[f(:x):2]`, `JSON_OBJECT('k':v)`. Anywhere else `:name` is a
 * placeholder: behind `[`, an operator, a comma or another colon, inside parentheses, and in `ARRAY[…]`. So `a[:n]` is the element `n`, a placeholder; the
 * slice up to a column `n` is `a[: n]`, up to a number `a[:2]`; both bounds as placeholders are `a[:lo: :hi]`, because `::` is a cast to PostgreSQL.
 */
export function findSeparators(tokens: readonly Token[]): ReadonlySet<Token> {
  const found = new Set<Token>();
  const open: Group[] = [];
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    const group = open.at(-1) ?? "other";
    if (token.text === "[") open.push(endsExpression(before, group) ? "subscript" : "other");
    else if (token.text === "(") open.push(isJsonObject(before) ? "object" : "other");
    else if (token.text === "]" || token.text === ")") open.pop();
    else if (token.text !== ":" || group === "other") return;
    else if (endsExpression(before, group) || !hasName(token, tokens[index + 1])) found.add(token);
  });
  return found;
}

type Group = "subscript" | "object" | "other";

function isJsonObject(token: Token | undefined): boolean {
  return /^json_object(?:agg)?$/i.test(token?.text ?? "");
}

function hasName(colon: Token, next: Token | undefined): boolean {
  return next?.start === colon.end && isName(next);
}

function endsExpression(token: Token | undefined, group: Group): boolean {
  if (token === undefined || token.kind === "reserved") return false;
  // JSON_OBJECT('k' VALUE :v)
  if (group === "object" && /^value$/i.test(token.text)) return false;
  return token.kind !== "sign" || token.text === ")" || token.text === "]";
}
