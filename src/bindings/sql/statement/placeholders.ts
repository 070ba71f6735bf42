/**
 * Numbers the placeholders of a text for PostgreSQL: one number for each name, or one for each
 * occurrence.
 */
import { isName, type Token } from "./lexer.js";
import type { Placeholder, Statement, StatementDiagnostic, TextRange } from "./statement.js";

/** A text for PostgreSQL, with placeholders numbered in the order of their first occurrence. */
export interface NumberedText {
  readonly sql: string;
  readonly placeholders: readonly Placeholder[];
}

/**
 * Replaces every `:name` by `$n`, with the same number for the same name. A name is an unquoted
 * identifier, in its original case, or a keyword. It directly follows a colon that is not a
 * separator. Strings, quoted identifiers, comments, `::` and `:=` stay as they are. These are
 * errors: `$1`, `:1`, `:"x"`, `:'x'`, a colon that follows a word without a space, and `${NAME}` in
 * quotes.
 */
export function numberPlaceholders(
  text: string,
  tokens: readonly Token[],
): NumberedText | readonly StatementDiagnostic[] {
  const diagnostics: StatementDiagnostic[] = [];
  const found: { readonly name: string; readonly at: TextRange }[] = [];
  const separators = findSeparators(tokens);
  tokens.forEach((token, index) => {
    diagnostics.push(...settingsIn(token));
    if (token.kind === "parameter") diagnostics.push(positional(token));
    if (token.text !== ":" || separators.has(token)) return;
    const next = tokens[index + 1];
    if (next?.start !== token.end) return;
    const at = { start: token.start, end: next.end };
    const diagnostic = unnamed(next, at) ?? touching(text, token, at);
    if (diagnostic !== undefined) diagnostics.push(diagnostic);
    else if (isName(next)) found.push({ name: next.text, at });
  });
  return diagnostics.length > 0 ? diagnostics : replace(text, found);
}

/**
 * Replaces what looks like a placeholder by a parameter of equal length, in a text that the lexer
 * can't read. PostgreSQL's parser then reports the error at the same position in the author's text.
 */
export function blankPlaceholders(text: string): string {
  return text.replace(/(?<![:\w$]):(?=[a-z_])[\w$]+/gi, (name) => "$1".padEnd(name.length));
}

/**
 * Reports `${NAME}` in quotes. In other parts of a binding it refers to a setting; here it would
 * silently be plain text.
 */
function settingsIn({ kind, start, text }: Token): readonly StatementDiagnostic[] {
  if (kind !== "constant" && kind !== "identifier") return [];
  const inString = kind === "constant";
  return [...text.matchAll(/\$\{\s*[A-Za-z_]\w*\s*\}/g)].map(({ 0: written, index }) =>
    diagnostic(
      { start: start + index, end: start + index + written.length },
      `\`${written}\` is not replaced in SQL: this is ${inString ? "text" : "a name"} of ${written.length} characters`,
      inString
        ? `pass the value as a parameter, \`:name\`; for the text itself, write \`'$' || '${written.slice(1)}'\``
        : "write the name itself: names of tables and columns are fixed",
    ),
  );
}

function unnamed(next: Token, at: TextRange): StatementDiagnostic | undefined {
  const quoted = next.kind === "identifier" && !isName(next);
  if (!quoted && next.kind !== "constant") return undefined;
  const name = /^["'](?<name>[a-z_]\w*)["']$/i.exec(next.text)?.groups?.["name"] ?? "name";
  return diagnostic(
    at,
    `\`:${next.text}\` is not a placeholder: a placeholder is a name without quotes`,
    `write \`:${name}\``,
  );
}

function positional(token: Token): StatementDiagnostic {
  return diagnostic(
    token,
    `\`${token.text}\` has no name`,
    "write a named placeholder, such as `:id`, for a parameter of the tool",
  );
}

// Reports a placeholder that touches a word: `limit:n` would become the identifier `limit$1`.
function touching(text: string, colon: Token, at: TextRange): StatementDiagnostic | undefined {
  if (!/[\w$\u0080-\uffff]/.test(text.charAt(colon.start - 1))) return undefined;
  const name = text.slice(at.start, at.end);
  return diagnostic(
    at,
    `\`${name}\` follows a word without a space`,
    `put a space before \`${name}\``,
  );
}

function diagnostic(at: TextRange, message: string, help: string): StatementDiagnostic {
  return { kind: "placeholder", at: { start: at.start, end: at.end }, message, help };
}

function replace(
  text: string,
  found: readonly { readonly name: string; readonly at: TextRange }[],
): NumberedText {
  const placeholders: { readonly name: string; readonly at: TextRange[] }[] = [];
  const numbers = new Map<string, number>();
  const pieces: string[] = [];
  let done = 0;
  for (const { name, at } of found) {
    const number = numbers.get(name) ?? placeholders.push({ name, at: [] });
    numbers.set(name, number);
    placeholders[number - 1]?.at.push(at);
    pieces.push(text.slice(done, at.start), `$${number}`);
    done = at.end;
  }
  pieces.push(text.slice(done));
  return { sql: pieces.join(""), placeholders };
}

/**
 * Finds the colons that are separators: between the bounds of an array slice, or between key and
 * value in `JSON_OBJECT` and `JSON_OBJECTAGG`.
 *
 * There, a colon after a complete expression is a separator: `a[lo:hi]`, `a[:lo:hi]`, `a[f(:x):2]`,
 * `JSON_OBJECT('k':v)`. Anywhere else `:name` is a placeholder: after `[`, an operator, a comma or
 * another colon, inside parentheses, and in `ARRAY[…]`. So `a[:n]` is the element at placeholder
 * `n`. A slice up to a column `n` is `a[: n]`, and up to a number `a[:2]`. Both bounds as
 * placeholders are `a[:lo: :hi]`, because `::` is a cast in PostgreSQL.
 */
function findSeparators(tokens: readonly Token[]): ReadonlySet<Token> {
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
  // Example: `JSON_OBJECT('k' VALUE :v)`.
  if (group === "object" && /^value$/i.test(token.text)) return false;
  return token.kind !== "sign" || token.text === ")" || token.text === "]";
}

/**
 * Gives every placeholder its own number, also if names are equal. The numbers are as in the sent
 * statement, but the text is the author's. PostgreSQL's errors are the same, and its positions can
 * be mapped to the author's text.
 *
 * @param text the author's text
 * @param asText numbers of placeholders that get a cast to text
 */
export function numberApart(
  text: string,
  { tree, placeholders }: Statement,
  asText: ReadonlySet<number> = new Set(),
): Statement {
  const single = placeholders
    .flatMap(({ name, at }) => at.map((range): Placeholder => ({ name, at: [range] })))
    .toSorted((one, other) => startOf(one) - startOf(other));
  const pieces: string[] = [];
  let done = 0;
  single.forEach(({ at }, index) => {
    for (const { start, end } of at) {
      pieces.push(text.slice(done, start), `$${index + 1}${asText.has(index + 1) ? "::text" : ""}`);
      done = end;
    }
  });
  return { sql: pieces.join("") + text.slice(done), tree, placeholders: single };
}

function startOf({ at }: Placeholder): number {
  return at[0]?.start ?? 0;
}
