import { type StatementFault, tooLarge, wholeOf } from "./fault.js";
import { readTokens, type Token } from "./lexer.js";
import { MAX_BYTES, MAX_TOKENS } from "./limits.js";
import { parseSql } from "./parser.js";
import { blankPlaceholders } from "./placeholders.js";

/** The words of a tool's query, or why it has none that could be read. */
export function readWords(text: string): readonly Token[] | StatementFault {
  const fault = unreadable(text);
  if (fault !== undefined) return fault;
  const tokens = readTokens(text);
  if (tokens === undefined) return whyUnreadable(text);
  return tokens.length > MAX_TOKENS ? tooLarge(wholeOf(text), MAX_TOKENS, "words") : tokens;
}

function unreadable(text: string): StatementFault | undefined {
  if (Buffer.byteLength(text) > MAX_BYTES) return tooLarge(wholeOf(text), MAX_BYTES, "bytes");
  const nul = text.indexOf("\0");
  if (nul >= 0) return syntax(nul, nul + 1, "SQL can't hold the character U+0000");
  if (text.isWellFormed()) return undefined;
  const { start, end } = wholeOf(text);
  return syntax(start, end, "the text holds half a surrogate pair, which is no character");
}

/** The lexer only says no; the parser says where. */
function whyUnreadable(text: string): StatementFault {
  const parsed = parseSql(blankPlaceholders(text), undefined);
  if (parsed.kind === "fault") return withoutRest(parsed.fault);
  const { start, end } = wholeOf(text);
  return syntax(start, end, "PostgreSQL's lexer can't read the text");
}

function syntax(start: number, end: number, message: string): StatementFault {
  return { kind: "syntax", at: { start, end }, message };
}

/** What is left of the text, which the parser quotes, has numbers for names, and its place shows it. */
function withoutRest(fault: StatementFault): StatementFault {
  const open = /^(?<message>unterminated .*?)(?: at or near .*)?$/s.exec(fault.message)?.groups?.[
    "message"
  ];
  return open === undefined
    ? fault
    : { ...fault, message: open, help: "close what begins here where it is meant to end" };
}
