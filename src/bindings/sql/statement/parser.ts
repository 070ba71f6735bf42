import { hasSqlDetails, parseSync } from "libpg-query";
import type { RawStmt } from "@pgsql/types";
import { type StatementFault, tooDeep, tooLong, tooManySigns, wholeOf } from "./fault.js";
import { readTokens, type Token } from "./lexer.js";
import { costlyRun, longestPath, MAX_PATH } from "./limits.js";
import { readOffsets } from "./offsets.js";
import type { TextRange } from "./statement.js";
import { syntaxHelp } from "./syntax-help.js";

export type Parsed =
  | { readonly kind: "parsed"; readonly statements: readonly RawStmt[] }
  | { readonly kind: "fault"; readonly fault: StatementFault };

/**
 * PostgreSQL's parser over a whole text of statements: never throws for a text. Offsets in the trees are UTF-8 bytes, those of the fault UTF-16 units.
 * `tokens` are the text's own, when it has any.
 */
export function parseSql(
  text: string,
  tokens: readonly Token[] | undefined = readTokens(text),
): Parsed {
  const run = costlyRun(text);
  if (run !== undefined) return { kind: "fault", fault: tooManySigns(run) };
  if (tokens !== undefined && longestPath(tokens) > MAX_PATH)
    return { kind: "fault", fault: tooLong(wholeOf(text)) };
  if (text === "") return { kind: "parsed", statements: [] };
  try {
    return { kind: "parsed", statements: parseSync(text).stmts ?? [] };
  } catch (error) {
    return { kind: "fault", fault: faultOf(error, text, tokens) };
  }
}

function faultOf(
  error: unknown,
  text: string,
  tokens: readonly Token[] | undefined,
): StatementFault {
  // Deep recursion ends in a RangeError of the engine, or in the parser's "memory exhausted".
  if (!hasSqlDetails(error)) return tooDeep(wholeOf(text));
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
