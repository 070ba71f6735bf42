/**
 * Splits a command line into words, if a shell would do nothing else with it. Only plain characters
 * and quoted texts are accepted. Anything that any shell might expand, join or redirect is not: a
 * list of dangerous characters would have to know every shell.
 */

/** Plain characters, `{name}`, or a text in quotes; in double quotes without `$`, `` ` ``, `\` and `!`. */
const part = /[\p{L}\p{N}@%+=:,./_-]+|\{[A-Za-z_]\w*\}|'[^'\r\n]*'|"[^"$`\\!\r\n]*"/uy;

/** @returns the words; or the first character that is more than a part of a word */
export function splitCommand(
  line: string,
): { readonly words: readonly string[] } | { readonly odd: string } {
  const words: string[] = [];
  let at = 0;
  while (at < line.length) {
    at = skipSpaces(line, at);
    if (at === line.length) break;
    let word = "";
    const start = at;
    for (;;) {
      part.lastIndex = at;
      const [found] = part.exec(line) ?? [];
      if (found === undefined) break;
      word += /^['"]/.test(found) ? found.slice(1, -1) : found;
      at += found.length;
    }
    const isEnd = at === line.length || line[at] === " " || line[at] === "\t";
    if (!isEnd) return { odd: String.fromCodePoint(line.codePointAt(at) ?? 0) };
    // A shell would set a variable.
    if (words.length === 0 && /^[A-Za-z_]\w*\+?=/.test(line.slice(start, at))) return { odd: "=" };
    words.push(word);
  }
  return { words };
}

function skipSpaces(line: string, start: number): number {
  let at = start;
  while (line[at] === " " || line[at] === "\t") at += 1;
  return at;
}
