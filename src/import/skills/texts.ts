/** Prepares texts of a document for a skill. */

/** Characters to keep out of YAML, Markdown and terminals. Line ends and tabs stay. */
const unprintable = /[^\P{Cc}\t\n]|[\ufffe\uffff\u2028\u2029]|[\u202a-\u202e\u2066-\u2069]/gu;

/** Removes invisible characters from prose. */
export function prose(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .toWellFormed()
    .replace(unprintable, "\ufffd")
    .replace(/[ \t]+$/gm, "")
    .trim();
}

/** Puts prose on one line. */
export function oneLine(text: string): string {
  return prose(text).replace(/\s+/g, " ");
}

/** Cuts a text to a maximum length, at the end of a paragraph, a sentence or a word. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const start = text.slice(0, longest - 1);
  for (const end of [/\n\n(?!.*\n\n)/s, /[.!?](?=\s)(?!.*[.!?]\s)/s, /\s(?!.*\s)/s]) {
    const found = end.exec(start);
    if (found !== null && found.index > longest / 2)
      return `${start.slice(0, found.index + (/^[.!?]/.test(found[0]) ? 1 : 0)).trimEnd()}…`;
  }
  return `${start.toWellFormed()}…`;
}

/** Escapes text for a binding, so that it contains no references. */
export function literalText(text: string): string {
  return text
    .replace(/\$+(?=[{}])/g, (run) => run + run)
    .replace(/[{}]/g, (brace) => brace + brace);
}
