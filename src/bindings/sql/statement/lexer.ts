/** Splits a text into tokens with PostgreSQL's own lexer, and converts its offsets. */
import { loadModule, scanSync } from "libpg-query";
import { costlyRun, type TextRange } from "./statement.js";

/** A token of PostgreSQL's lexer. */
export interface Token extends TextRange {
  readonly text: string;
  readonly kind: TokenKind;
}

type TokenKind =
  /** A name, with or without quotes. */
  | "identifier"
  /** A keyword that may be the name of a column. */
  | "keyword"
  /** A keyword that can't be a name and doesn't end an expression: `THEN`, `AND`. */
  | "reserved"
  /** Numbers and strings of every kind. */
  | "constant"
  /** A number such as `$1`. */
  | "parameter"
  /** Operators and punctuation. */
  | "sign";

/**
 * Loads PostgreSQL's parser once for the process (about 50 ms). Call it before any other function
 * of this folder.
 */
export async function loadParser(): Promise<void> {
  await loadModule();
}

/**
 * Reads the tokens of a text without comments. Undefined if the lexer fails, for example at an
 * unclosed quote, or would take too long.
 */
export function readTokens(text: string): readonly Token[] | undefined {
  const offsets = readOffsets(text);
  return scan(text)
    ?.filter(({ tokenName }) => !tokenName.endsWith("_COMMENT"))
    .map((token) => {
      const start = offsets.ofByte(token.start);
      const end = offsets.ofByte(token.end);
      const own = text.slice(start, end);
      return { start, end, text: own, kind: tokenKindOf(own, token.tokenName, token.keywordName) };
    });
}

/** Reads the line comments, `-- …`; empty if the lexer fails. */
export function readLineComments(text: string): readonly TextRange[] {
  const offsets = readOffsets(text);
  return (scan(text) ?? [])
    .filter(({ tokenName }) => tokenName === "SQL_COMMENT")
    .map(({ start, end }) => ({ start: offsets.ofByte(start), end: offsets.ofByte(end) }));
}

/**
 * True for an identifier without quotes or a keyword, which may follow the colon of a placeholder.
 */
export function isName(token: Token): boolean {
  return ["keyword", "reserved", "identifier"].includes(token.kind) && !token.text.includes('"');
}

function scan(text: string) {
  if (text === "") return [];
  if (costlyRun(text) !== undefined) return undefined;
  try {
    return scanSync(text.replace(UNPRINTABLE, " ")).tokens;
  } catch {
    return undefined;
  }
}

// Control characters, which the lexer's JSON does not escape. Outside quotes and comments,
// PostgreSQL rejects them or reads them as spaces.
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

function tokenKindOf(text: string, tokenName: string, keywordName: string): TokenKind {
  if (keywordName === "RESERVED_KEYWORD" || keywordName === "TYPE_FUNC_NAME_KEYWORD") {
    return ENDS_AN_EXPRESSION.has(text.toLowerCase()) ? "keyword" : "reserved";
  }
  if (keywordName.endsWith("_KEYWORD") && keywordName !== "NO_KEYWORD") return "keyword";
  if (tokenName === "PARAM") return "parameter";
  if (tokenName === "IDENT" || /^u&"/i.test(text)) return "identifier";
  return /^[\d'.]?\d|^[a-z&]*'|^\$/i.test(text) ? "constant" : "sign";
}

const ENDS_AN_EXPRESSION: ReadonlySet<string> = new Set(
  "current_catalog current_date current_role current_schema current_time current_timestamp end false localtime localtimestamp null session_user system_user true user".split(
    " ",
  ),
);

/** Converts PostgreSQL's offsets to UTF-16 units of a text. Results are clamped to the text. */
interface Offsets {
  /** Converts an offset in UTF-8 bytes. */
  ofByte(byte: number): number;
  /** Converts an offset in code points. */
  ofCodePoint(point: number): number;
}

/**
 * Reads the offsets of a text. A lone surrogate counts as three bytes, because UTF-8 replaces it
 * with the replacement character.
 */
export function readOffsets(text: string): Offsets {
  return isAscii(text) ? { ofByte: clampTo(text), ofCodePoint: clampTo(text) } : tabulate(text);
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function clampTo(text: string): (offset: number) => number {
  return (offset) => Math.max(0, Math.min(offset, text.length));
}

function tabulate(text: string): Offsets {
  const bytes = new Uint32Array(Buffer.byteLength(text) + 1).fill(text.length);
  const points: number[] = [];
  let byte = 0;
  let unit = 0;
  for (const character of text) {
    const next = byte + Buffer.byteLength(character);
    bytes.fill(unit, byte, next);
    points.push(unit);
    byte = next;
    unit += character.length;
  }
  return {
    ofByte: (offset) => bytes[Math.max(0, offset)] ?? text.length,
    ofCodePoint: (point) => points[Math.max(0, point)] ?? text.length,
  };
}

/**
 * Finds the token with this name, for errors without a position. Undefined unless it occurs exactly
 * once.
 */
export function namedWord(text: string, name: string): TextRange | undefined {
  const found = (readTokens(text) ?? []).filter((token) => identifierOf(token.text) === name);
  const [only, another] = found;
  return only === undefined || another !== undefined
    ? undefined
    : { start: only.start, end: only.end };
}

/**
 * Finds the token whose name a PostgreSQL message quotes: the first quoted name that occurs once in
 * the text. The message and its quotation marks may be in any language, so the function searches it
 * for the text's own names.
 */
export function quotedWord(text: string, message: string): TextRange | undefined {
  const names = (readTokens(text) ?? [])
    .filter(isIdentifier)
    .map((token) => identifierOf(token.text));
  const quoted = [...new Set(names)].map((name) => ({ name, at: placeInMarks(message, name) }));
  const [first] = quoted.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at);
  return first && namedWord(text, first.name);
}

function isIdentifier({ kind }: Token): boolean {
  return kind === "identifier" || kind === "keyword" || kind === "reserved";
}

/** Offset of a name between quotation marks in a message; -1 if there is none. */
function placeInMarks(message: string, name: string): number {
  for (let at = message.indexOf(name); at >= 0; at = message.indexOf(name, at + 1)) {
    const before = message.slice(0, at).trimEnd().at(-1) ?? "";
    const after =
      message
        .slice(at + name.length)
        .trimStart()
        .at(0) ?? "";
    if (isMark(before) && isMark(after) && after !== ".") return at;
  }
  return -1;
}

function isMark(sign: string): boolean {
  return /^[^\p{L}\p{N}\s_]$/u.test(sign);
}

function identifierOf(word: string): string {
  return /^".*"$/s.test(word) ? word.slice(1, -1).replaceAll('""', '"') : word.toLowerCase();
}
