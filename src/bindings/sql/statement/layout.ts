import { getOwn } from "../../../core/json.js";
/**
 * A statement's text with one space in place of every stretch of white space and comments: what
 * says the same in another layout comes to the same text. Strings, quoted names and what stands
 * between `$tag$` are left as they are, and so is all behind one that nothing ends. It needs no
 * parser, which would have to be loaded.
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

/** Where a stretch of white space and comments ends that begins there; the same place for none. */
function endOfLayout(sql: string, start: number): number {
  let at = start;
  for (;;) {
    const end = endOf(/[ \t\n\r\f\v]+|--[^\n\r]*/y, sql, at) ?? endOfBlock(sql, at);
    if (end === undefined) return at;
    at = end;
  }
}

/** Comments of blocks nest. */
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

/** Where what begins there ends, be it a single mark; the end of all for what nothing ends. */
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

/** With what goes on with it on another line, where backslashes escape as before. */
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

/** By what opens it. Backslashes escape behind `E` alone. */
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
