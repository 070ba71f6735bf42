/**
 * Parses the text of a tool's query to one statement with numbered placeholders, or to diagnostics.
 *
 * - `lexer.ts`: tokens, and offsets in bytes and characters
 * - `placeholders.ts`: numbers the placeholders `:name`
 * - `places.ts`: maps PostgreSQL's positions to the author's text
 * - `statement.ts`: the types of statements and diagnostics, and the size limits
 * - `tree.ts`: PostgreSQL's tree: kinds, fields, walks
 * - `output-name.ts`: PostgreSQL's names of output columns
 * - `layout.ts`: compares statements without their layout
 */
import type { Node, RawStmt } from "@pgsql/types";
import { hasSqlDetails, parseSync } from "libpg-query";
import { readOffsets, readTokens, type Token } from "./lexer.js";
import { blankPlaceholders, type NumberedText, numberPlaceholders } from "./placeholders.js";
import { authorRanges } from "./places.js";
import {
  costlyRun,
  longestPath,
  MAX_BYTES,
  MAX_DEPTH,
  MAX_PATH,
  MAX_TOKENS,
  type Placeholder,
  type Statement,
  type StatementDiagnostic,
  type TextRange,
  tooDeep,
  tooLarge,
  tooLong,
  tooManySigns,
  trimmedRange,
} from "./statement.js";
import { locationWithin, nodesBelow } from "./tree.js";

type ParsedStatement =
  | { readonly kind: "statement"; readonly statement: Statement }
  | { readonly kind: "invalid"; readonly diagnostics: readonly StatementDiagnostic[] };

/**
 * Parses the text of a tool's query: exactly one SELECT, VALUES, TABLE, INSERT, UPDATE, DELETE,
 * MERGE or TRUNCATE, with `:name` for parameters. Never throws, however large or deep the text is.
 * Call `loadParser()` first.
 */
export function parseStatement(text: string): ParsedStatement {
  const words = readWords(text);
  if ("message" in words) return { kind: "invalid", diagnostics: [words] };
  const numbered = numberPlaceholders(text, words);
  if (!("sql" in numbered)) return { kind: "invalid", diagnostics: numbered };
  const read = readNumbered(numbered);
  if ("tree" in read) return { kind: "statement", statement: read };
  const toAuthor = authorRanges(numbered.placeholders);
  const help = read.help && withNames(read.help, numbered.placeholders);
  return {
    kind: "invalid",
    diagnostics: [{ ...read, at: toAuthor(read.at), ...(help && { help }) }],
  };
}

/** Parses the numbered text. Diagnostics have positions in that text. */
function readNumbered({ sql, placeholders }: NumberedText): Statement | StatementDiagnostic {
  const tokens = readTokens(sql) ?? [];
  const parsed = parseSql(sql, tokens);
  if (parsed.kind === "invalid") return parsed.diagnostic;
  const [first, second] = parsed.statements;
  if (first?.stmt === undefined) return empty(sql);
  if (second !== undefined) return another(firstWord(sql, second, tokens));
  if (!QUERIES.has(Object.keys(first.stmt)[0] ?? ""))
    return notAQuery(sql, firstWord(sql, first, tokens));
  const tooFar = nodesBelow(first.stmt, MAX_DEPTH);
  if (tooFar.length > 0) return tooDeep(firstPlace(tooFar, sql, tokens));
  return { sql, tree: first.stmt, placeholders };
}

const QUERIES: ReadonlySet<string> = new Set([
  "SelectStmt",
  "InsertStmt",
  "UpdateStmt",
  "DeleteStmt",
  "MergeStmt",
  "TruncateStmt",
]);

/** Range of the first node with a position, or of the whole text. */
function firstPlace(nodes: readonly Node[], sql: string, tokens: readonly Token[]): TextRange {
  for (const node of nodes) {
    const byte = locationWithin(node);
    if (byte === undefined) continue;
    const start = readOffsets(sql).ofByte(byte);
    const token = tokens.find(({ end }) => end > start);
    if (token !== undefined) return { start: token.start, end: token.end };
  }
  return trimmedRange(sql);
}

function firstWord(
  sql: string,
  { stmt_location = 0 }: RawStmt,
  tokens: readonly Token[],
): TextRange {
  const start = readOffsets(sql).ofByte(stmt_location);
  const token = tokens.find((token) => token.start >= start && token.text !== ";");
  return token === undefined ? trimmedRange(sql) : { start: token.start, end: token.end };
}

function empty(sql: string): StatementDiagnostic {
  const help = "write one SELECT, INSERT, UPDATE, DELETE, MERGE or TRUNCATE";
  return { kind: "no-statement", at: trimmedRange(sql), message: "there is no statement", help };
}

function another(at: TextRange): StatementDiagnostic {
  const help = "a tool runs one statement: make another tool, or join the statements with WITH";
  return { kind: "several-statements", at, message: "a second statement begins here", help };
}

function notAQuery(sql: string, at: TextRange): StatementDiagnostic {
  const word = sql.slice(at.start, at.end).toUpperCase();
  const help = "a tool runs one SELECT, INSERT, UPDATE, DELETE, MERGE or TRUNCATE";
  return {
    kind: "not-a-query",
    at,
    message: `\`${word}\` is not a statement that a tool can run`,
    help,
  };
}

/** Reads the tokens of a tool's query, or a diagnostic if it has none. */
function readWords(text: string): readonly Token[] | StatementDiagnostic {
  const diagnostic = unreadable(text);
  if (diagnostic !== undefined) return diagnostic;
  const tokens = readTokens(text);
  if (tokens === undefined) return whyUnreadable(text);
  return tokens.length > MAX_TOKENS ? tooLarge(trimmedRange(text), MAX_TOKENS, "words") : tokens;
}

function unreadable(text: string): StatementDiagnostic | undefined {
  if (Buffer.byteLength(text) > MAX_BYTES) return tooLarge(trimmedRange(text), MAX_BYTES, "bytes");
  const nul = text.indexOf("\0");
  if (nul >= 0) return syntax(nul, nul + 1, "SQL can't hold the character U+0000");
  if (text.isWellFormed()) return undefined;
  const { start, end } = trimmedRange(text);
  return syntax(start, end, "the text holds half of a surrogate pair, which is not a character");
}

/** The lexer reports no position, but the parser does. */
function whyUnreadable(text: string): StatementDiagnostic {
  const parsed = parseSql(blankPlaceholders(text), undefined);
  if (parsed.kind === "invalid") return withoutRest(parsed.diagnostic);
  const { start, end } = trimmedRange(text);
  return syntax(start, end, "PostgreSQL's lexer can't read the text");
}

function syntax(start: number, end: number, message: string): StatementDiagnostic {
  return { kind: "syntax", at: { start, end }, message };
}

/**
 * Removes the rest of the text, which the parser quotes in its message with numbered placeholders.
 * The position shows it already. libpg-query has only English messages and gives no SQLSTATE;
 * parser-words.test.ts fails if they change.
 */
function withoutRest(diagnostic: StatementDiagnostic): StatementDiagnostic {
  const open = /^(?<message>unterminated .*?)(?: at or near .*)?$/s.exec(diagnostic.message)
    ?.groups?.["message"];
  return open === undefined
    ? diagnostic
    : { ...diagnostic, message: open, help: "close what starts here at its intended end" };
}

type Parsed =
  | { readonly kind: "parsed"; readonly statements: readonly RawStmt[] }
  | { readonly kind: "invalid"; readonly diagnostic: StatementDiagnostic };

/**
 * Parses a text of statements with PostgreSQL's parser. Never throws. Offsets in the trees are
 * UTF-8 bytes; those of the diagnostic are UTF-16 units. `tokens` are those of the text, if it
 * could be read.
 */
export function parseSql(
  text: string,
  tokens: readonly Token[] | undefined = readTokens(text),
): Parsed {
  const run = costlyRun(text);
  if (run !== undefined) return { kind: "invalid", diagnostic: tooManySigns(run) };
  if (tokens !== undefined && longestPath(tokens) > MAX_PATH)
    return { kind: "invalid", diagnostic: tooLong(trimmedRange(text)) };
  if (text === "") return { kind: "parsed", statements: [] };
  try {
    return { kind: "parsed", statements: parseSync(text).stmts ?? [] };
  } catch (error) {
    return { kind: "invalid", diagnostic: diagnosticOfParser(error, text, tokens) };
  }
}

function diagnosticOfParser(
  error: unknown,
  text: string,
  tokens: readonly Token[] | undefined,
): StatementDiagnostic {
  // Deep recursion ends in a RangeError of the engine, or in the parser's "memory exhausted".
  // libpg-query has only English messages and gives no SQLSTATE (parser-words.test.ts).
  if (!hasSqlDetails(error)) return tooDeep(trimmedRange(text));
  const { message, cursorPosition = 0 } = error.sqlDetails ?? {};
  const start = readOffsets(text).ofCodePoint(cursorPosition);
  const at = rangeFrom(start, text, tokens);
  if (error.message.startsWith("memory exhausted")) return tooDeep(at);
  const help = syntaxHelp(text, at, tokens);
  return { kind: "syntax", at, message: message ?? error.message, ...(help && { help }) };
}

function rangeFrom(start: number, text: string, tokens: readonly Token[] | undefined): TextRange {
  const token = tokens?.find(({ end }) => end > start) ?? tokens?.at(-1);
  if (token !== undefined) return { start: token.start, end: token.end };
  const end = text.indexOf("\n", start);
  return { start, end: end < 0 ? text.length : end };
}

/** Help for authors who use another notation, or a placeholder in another place. */
export const onlyValues = "SQL accepts only `:name`, and only for values";

/**
 * Suggests a fix for a syntax error; undefined if the cause is unknown. Placeholders are still
 * numbers.
 */
export function syntaxHelp(
  text: string,
  at: TextRange,
  tokens: readonly Token[] = [],
): string | undefined {
  return templateHelp(text.slice(at.start)) ?? placeholderHelp(at, tokens);
}

/**
 * Help for placeholders of templates and of other drivers: `{id}`, `${NAME}`, `%(id)s`, `@id`, `?`.
 */
function templateHelp(rest: string): string | undefined {
  const braced = /^\{+\s*(?<name>[a-z_]\w*)\s*\}/i.exec(rest)?.groups?.["name"];
  if (braced !== undefined) return `write \`:${braced}\`: SQL is not a template`;
  const named = /^(?:%\(|@)(?<name>[a-z_]\w*)/i.exec(rest)?.groups?.["name"];
  if (named !== undefined) return `write \`:${named}\`: ${onlyValues}`;
  return /^(?:\?|%[sdi]\b|\$\{)/.test(rest) ? onlyValues : undefined;
}

/** Help for a placeholder where SQL allows no value: `FROM :name`. */
function placeholderHelp(at: TextRange, tokens: readonly Token[]): string | undefined {
  const index = tokens.findIndex(({ start }) => start === at.start);
  const token = tokens[index];
  if (token?.kind !== "parameter") return undefined;
  const isList = tokens[index - 1]?.text.toUpperCase() === "IN";
  return isList ? `for a list write \`= ANY (${token.text})\`` : onlyValues;
}

/** Replaces the numbers of placeholders by their names. */
export function withNames(text: string, placeholders: readonly Placeholder[]): string {
  return text.replace(/\$(\d+)/g, (whole, number: string) => {
    const name = placeholders[Number(number) - 1]?.name;
    return name === undefined ? whole : `:${name}`;
  });
}
