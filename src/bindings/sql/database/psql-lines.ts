import { readTokens } from "../statement/lexer.js";

/**
 * The text with what psql understands and PostgreSQL doesn't replaced by spaces, so that every offset stays: `COPY … FROM stdin` with its rows, as pg_dump
 * writes them, and lines of psql's own (`\connect`, `\restrict`).
 */
export function blankPsqlLines(text: string): string {
  const withoutRows = text.replace(
    /^COPY [^;]+ FROM stdin[^;\n]*;[ \t\r]*\n[^]*?^\\\.[ \t\r]*$/gim,
    blank,
  );
  return withoutRows.includes("\\") ? blankMetaLines(withoutRows) : withoutRows;
}

/** A line is psql's own where no quote or comment is open before it. */
function blankMetaLines(text: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (const line of text.matchAll(/^[ \t]*\\[a-z!?].*$/gim)) {
    const before = text.slice(done, line.index);
    if (readTokens(before) === undefined) continue;
    pieces.push(before, blank(line[0]));
    done = line.index + line[0].length;
  }
  return pieces.join("") + text.slice(done);
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, " ");
}
