import { getOwn } from "../../../core/json.js";
/**
 * Replaces each run of white space and comments by one space, so that statements which differ only
 * in layout become equal. Strings, quoted names and `$tag$` quotes stay as they are; so does
 * everything after an unclosed one. The function works without PostgreSQL's parser, which would
 * take time to load.
 */
export function withoutLayout(sql: string): string {
  const kept: string[] = [];
  let at = 0;
  while (at < sql.length) {
    const word = endOfLayout(sql, at);
    if (word > at) kept.push(" ");
    const end = endOfWord(sql, word);
    kept.push(sql.slice(word, end));
    at = end;
  }
  return kept.join("").trim();
}

/** The end of the white space and comments that begin here; the same offset if there are none. */
function endOfLayout(sql: string, start: number): number {
  let at = start;
  for (;;) {
    const end = endOf(/[ \t\n\r\f\v]+|--[^\n\r]*/y, sql, at) ?? endOfBlock(sql, at);
    if (end === undefined) return at;
    at = end;
  }
}

/** Block comments nest. */
function endOfBlock(sql: string, start: number): number | undefined {
  if (!sql.startsWith("/*", start)) return undefined;
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(sql); mark !== null; mark = marks.exec(sql)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return undefined;
}

/** The end of the word or sign that begins here; the end of the text for an unclosed quote. */
function endOfWord(sql: string, at: number): number {
  if (sql.startsWith("/*", at)) return sql.length;
  const opening = /[eE]?'|"|\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
  const quoted = endOf(opening, sql, at);
  if (quoted === undefined)
    return endOf(/[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d\w*|[^]/y, sql, at) ?? at;
  const opened = sql.slice(at, quoted);
  if (!opened.startsWith("$")) return endOfString(opened, sql, quoted);
  const closing = sql.indexOf(opened, quoted);
  return closing === -1 ? sql.length : closing + opened.length;
}

/**
 * The end of a string, including its continuation on another line, which keeps the escaping of the
 * first part.
 */
function endOfString(opened: string, sql: string, start: number): number {
  let at = start;
  for (;;) {
    const end = endOf(getOwn(rests, opened) ?? /[^]*/y, sql, at);
    if (end === undefined) return sql.length;
    const next = endOfLayout(sql, end);
    const goesOn = opened.length === 2 && sql[next] === "'" && /[\n\r]/.test(sql.slice(end, next));
    if (!goesOn) return end;
    at = next + 1;
  }
}

/** The rest of a quote, by its opening. Only `E` strings have backslash escapes. */
const rests: Readonly<Record<string, RegExp>> = {
  "'": /[^']*(?:''[^']*)*'/y,
  '"': /[^"]*(?:""[^"]*)*"/y,
  "e'": /[^'\\]*(?:(?:\\[^]|'')[^'\\]*)*'/y,
  "E'": /[^'\\]*(?:(?:\\[^]|'')[^'\\]*)*'/y,
};

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
