import { loadModule, scanSync } from "libpg-query";
import { costlyRun } from "./limits.js";
import { readOffsets } from "./offsets.js";
import type { TextRange } from "./statement.js";

/** A word of SQL, as PostgreSQL's own lexer cuts it. */
export interface Token extends TextRange {
  readonly text: string;
  readonly kind: TokenKind;
}

export type TokenKind =
  /** With or without quotes. */
  | "identifier"
  /** May be the name of a column. */
  | "keyword"
  /** May not, and does not end an expression: `THEN`, `AND`. */
  | "reserved"
  /** Numbers and strings of every kind. */
  | "constant"
  /** `$1`. */
  | "parameter"
  /** Operators and punctuation. */
  | "sign";

/** Loads PostgreSQL's parser, once for the process (about 50 ms): before anything else of this folder is called. */
export async function loadParser(): Promise<void> {
  await loadModule();
}

/** The words of a text, comments left out; undefined where the lexer finds no words, such as behind an unclosed quote, or would take too long. */
export function readTokens(text: string): readonly Token[] | undefined {
  const offsets = readOffsets(text);
  return scan(text)
    ?.filter(({ tokenName }) => !tokenName.endsWith("_COMMENT"))
    .map((token) => {
      const start = offsets.ofByte(token.start);
      const end = offsets.ofByte(token.end);
      const own = text.slice(start, end);
      return { start, end, text: own, kind: kindOf(own, token.tokenName, token.keywordName) };
    });
}

/** The comments that end with their line, `-- …`; none where the lexer finds no words. */
export function readLineComments(text: string): readonly TextRange[] {
  const offsets = readOffsets(text);
  return (scan(text) ?? [])
    .filter(({ tokenName }) => tokenName === "SQL_COMMENT")
    .map(({ start, end }) => ({ start: offsets.ofByte(start), end: offsets.ofByte(end) }));
}

/** An identifier without quotes, or a keyword: what may follow the colon of a placeholder. */
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

// The lexer's JSON does not escape them. Outside quotes and comments PostgreSQL takes none of them, or takes them for spaces.
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

function kindOf(text: string, tokenName: string, keywordName: string): TokenKind {
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
