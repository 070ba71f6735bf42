import type { Node, RawStmt } from "@pgsql/types";
import { shown } from "../../../core/names.js";
import type { TextRange } from "../statement/statement.js";
import { readTokens } from "../statement/lexer.js";
import { readOffsets } from "../statement/offsets.js";
import { parseSql } from "../statement/parser.js";
import type { SchemaFault } from "./fault.js";
import { blankPsqlLines, includingLine } from "./psql-lines.js";
import { type SchemaFile, upPart } from "./schema-files.js";
import { isSnapshot } from "./snapshot-header.js";

/** A statement of a schema file. */
export interface SchemaStatement {
  readonly path: string;
  /** The statement alone, without what stands before it. */
  readonly sql: string;
  /** Where `sql` begins, in UTF-16 units of the file. */
  readonly start: number;
  readonly tree: Node;
}

/** The statements of a file in their order: its up part, without psql's lines. `loadParser()` comes first. */
export function readSchemaStatements(file: SchemaFile): readonly SchemaStatement[] | SchemaFault {
  const text = isSnapshot(file) ? file.text : writtenText(file);
  if (typeof text !== "string") return text;
  const parsed = parseSql(text, readTokens(text));
  if (parsed.kind === "fault") {
    const { at, message } = parsed.fault;
    return {
      path: file.path,
      at,
      message,
      ...(parsed.fault.kind === "syntax" ? { code: "42601" } : {}),
    };
  }
  const offsets = readOffsets(text);
  return parsed.statements.flatMap((raw) => statementOf(file.path, text, raw, offsets.ofByte));
}

/** What an author's file has for PostgreSQL; a line that reads another file is a fault. */
function writtenText(file: SchemaFile): string | SchemaFault {
  // As long as the mark: offsets stay.
  const written = upPart(file.text.replace(/^\uFEFF/, " "));
  const including = includingLine(written);
  if (including !== undefined) return notIncluded(file.path, written, including);
  return blankPsqlLines(written);
}

/** What stands in the other file would be missing without a word. */
function notIncluded(path: string, text: string, { end, start }: TextRange): SchemaFault {
  const line = text.slice(start, end).trimEnd();
  const [command = "", ...named] = line.split(/\s+/);
  const other = shown(named.join(" ").replace(/^'(.*)'$/, "$1"));
  return {
    path,
    at: { start, end: start + line.length },
    message: `\`${command}\` is a command of psql, which reads another file there`,
    help: `list \`${other}\` in skillc.yaml before this file, and leave the line out`,
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
