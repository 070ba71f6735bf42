import type { Node, RawStmt } from "@pgsql/types";
import { type StatementFault, tooDeep, wholeOf } from "./fault.js";
import { readTokens, type Token } from "./lexer.js";
import { MAX_DEPTH } from "./limits.js";
import { readOffsets } from "./offsets.js";
import { parseSql } from "./parser.js";
import { authorRanges } from "./places.js";
import { type NumberedText, numberPlaceholders } from "./placeholders.js";
import { readWords } from "./readable.js";
import type { Statement, TextRange } from "./statement.js";
import { withNames } from "./syntax-help.js";
import { locationWithin, nodesBelow } from "./tree.js";

export type ParsedStatement =
  | { readonly kind: "statement"; readonly statement: Statement }
  | { readonly kind: "faults"; readonly faults: readonly StatementFault[] };

/**
 * Reads the text of a tool's query: exactly one SELECT, VALUES, TABLE, INSERT, UPDATE, DELETE, MERGE or TRUNCATE, with `:name` for parameters. Never throws for a
 * text, however large or deep. `loadParser()` comes first.
 */
export function parseStatement(text: string): ParsedStatement {
  const words = readWords(text);
  if ("message" in words) return { kind: "faults", faults: [words] };
  const numbered = numberPlaceholders(text, words);
  if (!("sql" in numbered)) return { kind: "faults", faults: numbered };
  const read = readNumbered(numbered);
  if ("tree" in read) return { kind: "statement", statement: read };
  const toAuthor = authorRanges(numbered.placeholders);
  const help = read.help && withNames(read.help, numbered.placeholders);
  return { kind: "faults", faults: [{ ...read, at: toAuthor(read.at), ...(help && { help }) }] };
}

/** Faults are at places of the numbered text. */
function readNumbered({ sql, placeholders }: NumberedText): Statement | StatementFault {
  const tokens = readTokens(sql) ?? [];
  const parsed = parseSql(sql, tokens);
  if (parsed.kind === "fault") return parsed.fault;
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

/** Of the nodes, and what is in them, the word of the first that has a place. */
function firstPlace(nodes: readonly Node[], sql: string, tokens: readonly Token[]): TextRange {
  for (const node of nodes) {
    const byte = locationWithin(node);
    if (byte === undefined) continue;
    const start = readOffsets(sql).ofByte(byte);
    const token = tokens.find(({ end }) => end > start);
    if (token !== undefined) return { start: token.start, end: token.end };
  }
  return wholeOf(sql);
}

function firstWord(
  sql: string,
  { stmt_location = 0 }: RawStmt,
  tokens: readonly Token[],
): TextRange {
  const start = readOffsets(sql).ofByte(stmt_location);
  const token = tokens.find((token) => token.start >= start && token.text !== ";");
  return token === undefined ? wholeOf(sql) : { start: token.start, end: token.end };
}

function empty(sql: string): StatementFault {
  const help = "write one SELECT, INSERT, UPDATE, DELETE, MERGE or TRUNCATE";
  return { kind: "no-statement", at: wholeOf(sql), message: "there is no statement", help };
}

function another(at: TextRange): StatementFault {
  const help =
    "a tool is one statement: give the other a tool of its own, or put one of them in WITH";
  return { kind: "several-statements", at, message: "a second statement begins here", help };
}

function notAQuery(sql: string, at: TextRange): StatementFault {
  const word = sql.slice(at.start, at.end).toUpperCase();
  const help = "a tool is one SELECT, INSERT, UPDATE, DELETE, MERGE or TRUNCATE";
  return {
    kind: "not-a-query",
    at,
    message: `\`${word}\` is no statement that a tool can be`,
    help,
  };
}
