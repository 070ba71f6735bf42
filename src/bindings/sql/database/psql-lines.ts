import { readTokens } from "../statement/lexer.js";
import type { TextRange } from "../statement/statement.js";

/**
 * The text with what psql understands and PostgreSQL doesn't replaced by spaces, so that every offset stays: `COPY … FROM stdin` with its rows, as pg_dump
 * writes them, and lines of psql's own (`\connect`, `\restrict`).
 */
export function blankPsqlLines(text: string): string {
  const withoutRows = blankRows(text);
  const pieces: string[] = [];
  let done = 0;
  for (const { end, start } of metaLines(withoutRows)) {
    pieces.push(withoutRows.slice(done, start), blank(withoutRows.slice(start, end)));
    done = end;
  }
  return pieces.join("") + withoutRows.slice(done);
}

/** The first line with which psql would read another file in its place: `\i tables.sql`. */
export function includingLine(text: string): TextRange | undefined {
  return metaLines(blankRows(text)).find(({ end, start }) =>
    /^\\(?:i|ir|include|include_relative)(?!\w)/.test(text.slice(start, end)),
  );
}

function blankRows(text: string): string {
  return text.replace(/^COPY [^;]+ FROM stdin[^;\n]*;[ \t\r]*\n[^]*?^\\\.[ \t\r]*$/gim, blank);
}

/** A line is psql's own where no quote or comment is open before it. */
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
