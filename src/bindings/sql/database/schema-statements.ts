/** Reads the statements of a schema file, without lines that only psql understands. */
import type { Node, RawStmt } from "@pgsql/types";
import { shown } from "../../../core/names.js";
import { readOffsets, readTokens } from "../statement/lexer.js";
import { parseSql } from "../statement/parse.js";
import type { TextRange } from "../statement/statement.js";
import type { SchemaError } from "./engine.js";
import { type SchemaFile, upPart } from "./schema-files.js";
import { isSnapshot } from "./snapshot-header.js";

/** A statement of a schema file. */
export interface SchemaStatement {
  readonly path: string;
  /** The statement without preceding text. */
  readonly sql: string;
  /** Start of `sql` in the file, in UTF-16 units. */
  readonly start: number;
  readonly tree: Node;
}

/**
 * Reads the statements of a file in order, from its up part and without psql's lines. Call
 * `loadParser()` first.
 */
export function readSchemaStatements(file: SchemaFile): readonly SchemaStatement[] | SchemaError {
  const text = isSnapshot(file) ? file.text : writtenText(file);
  if (typeof text !== "string") return text;
  const parsed = parseSql(text, readTokens(text));
  if (parsed.kind === "invalid") {
    const { at, message } = parsed.diagnostic;
    return {
      path: file.path,
      at,
      message,
      ...(parsed.diagnostic.kind === "syntax" ? { code: "42601" } : {}),
    };
  }
  const offsets = readOffsets(text);
  return parsed.statements.flatMap((raw) => statementOf(file.path, text, raw, offsets.ofByte));
}

/**
 * The part of an author's file that PostgreSQL reads. A line that includes another file is an
 * error.
 */
function writtenText(file: SchemaFile): string | SchemaError {
  // A space replaces the byte order mark so that offsets stay.
  const written = upPart(file.text.replace(/^\uFEFF/, " "));
  const including = includingLine(written);
  if (including !== undefined) return notIncluded(file.path, written, including);
  return blankPsqlLines(written);
}

/** Without this error, statements of the other file would be missing silently. */
function notIncluded(path: string, text: string, { end, start }: TextRange): SchemaError {
  const line = text.slice(start, end).trimEnd();
  const [command = "", ...named] = line.split(/\s+/);
  const other = shown(named.join(" ").replace(/^'(.*)'$/, "$1"));
  return {
    path,
    at: { start, end: start + line.length },
    message: `\`${command}\` is a psql command that includes another file`,
    help: `list \`${other}\` in skillc.yaml before this file, and remove the line`,
  };
}

function statementOf(
  path: string,
  text: string,
  { stmt, stmt_location = 0, stmt_len }: RawStmt,
  ofByte: (byte: number) => number,
): readonly SchemaStatement[] {
  if (stmt === undefined) return [];
  const from = ofByte(stmt_location);
  const to = stmt_len === undefined ? text.length : ofByte(stmt_location + stmt_len);
  const before =
    /^(?:\s|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*/.exec(text.slice(from, to))?.[0].length ?? 0;
  return [{ path, sql: text.slice(from + before, to).trimEnd(), start: from + before, tree: stmt }];
}

/**
 * Replaces text that only psql understands with spaces, so that every offset stays. That is `COPY …
 * FROM stdin` with its rows, as pg_dump writes them, and psql's own lines (`\connect`,
 * `\restrict`).
 */
function blankPsqlLines(text: string): string {
  const withoutRows = blankRows(text);
  const pieces: string[] = [];
  let done = 0;
  for (const { end, start } of metaLines(withoutRows)) {
    pieces.push(withoutRows.slice(done, start), blank(withoutRows.slice(start, end)));
    done = end;
  }
  return pieces.join("") + withoutRows.slice(done);
}

/** The first line that makes psql read another file: `\i tables.sql`. */
function includingLine(text: string): TextRange | undefined {
  return metaLines(blankRows(text)).find(({ end, start }) =>
    /^\\(?:i|ir|include|include_relative)(?!\w)/.test(text.slice(start, end)),
  );
}

function blankRows(text: string): string {
  return text.replace(/^COPY [^;]+ FROM stdin[^;\n]*;[ \t\r]*\n[^]*?^\\\.[ \t\r]*$/gim, blank);
}

/** A line belongs to psql only if no quote or comment is open before it. */
function metaLines(text: string): readonly TextRange[] {
  const found: TextRange[] = [];
  for (const line of text.includes("\\") ? text.matchAll(/^[ \t]*(\\[a-z!?].*)$/gim) : []) {
    const end = line.index + line[0].length;
    const before = text.slice(found.at(-1)?.end ?? 0, line.index);
    if (readTokens(before) === undefined) continue;
    found.push({ start: end - (line[1] ?? "").length, end });
  }
  return found;
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, " ");
}
