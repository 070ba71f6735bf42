/**
 * Texts of tools and models in a form that a person reads. Nobody knows how a client displays the
 * form: as plain text, Markdown or HTML, perhaps in a terminal.
 */

/**
 * Characters that could end the line, change how the rest is displayed, or not be seen: controls,
 * directions, fillers, unusual spaces, long runs of spaces and accents; and characters that begin
 * links, images, code and tags.
 */
const harmful =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`<>&[\]]|[^\S ]|(?<= {2}) |(?<=\p{M}{2})\p{M}/gu;

/** Makes a text one line, in which each harmful character is an escape such as `\u202e`. */
function harmlessLine(text: string): string {
  return text.replace(harmful, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
  });
}

/** Writes a number with separators: `1,200`. */
export function countText(count: number): string {
  return count.toLocaleString("en-US");
}

/**
 * Writes a value as one harmless line of JSON. A text stays quoted if it is cut, and the words about
 * the rest are outside of the quotes.
 *
 * @param longest maximum number of characters before they are escaped
 */
export function harmlessValue(value: unknown, longest: number): string {
  if (typeof value === "string") {
    const kept = begin(value, longest);
    return shown(JSON.stringify(kept), value.length - kept.length);
  }
  const json = JSON.stringify(value) ?? "null";
  const kept = begin(json, longest);
  return shown(kept, json.length - kept.length);
}

/** Texts in JSON, of which the last may be cut. The rest of JSON is harmless. */
const jsonTexts = /"(?:[^"\\]|\\.)*"?/gu;

function shown(json: string, more: number): string {
  const line = json.replace(jsonTexts, harmlessLine);
  return more === 0 ? line : `${line} … ${countText(more)} more characters`;
}

/** Returns the first characters, and no half of a character. */
function begin(text: string, longest: number): string {
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(longest - 1));
  return text.slice(0, isSplit ? longest - 1 : longest);
}
