/**
 * Makes foreign text safe for a terminal. Replaces characters that move the cursor, change colours,
 * reorder or hide text with visible ones. Also replaces tabs and line feeds.
 */
export function visible(text: string): string {
  if (plainAscii.test(text)) return text;
  return suspicious.test(text) ? graphemes(text).map(visibleGrapheme).join("") : text;
}

/** Makes text of several lines safe. Unlike `visible`, it keeps line feeds. */
export function visibleLines(text: string): string {
  return text.split(/\r?\n/).map(visible).join("\n");
}

/** Control, format, separator, surrogate, private and unassigned characters. */
const suspicious = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/u;
const eachSuspicious = new RegExp(suspicious.source, "gu");

/** An emoji whose parts are joined by joiners or tags is one character, not hidden text. */
const picture = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator})/u;
const tied =
  /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0e|\ufe0f|\u20e3|[\u{e0020}-\u{e007f}])+$/u;
const flagTags = /[\u{e0020}-\u{e007f}]/u;

/** One user-perceived character. */
export function visibleGrapheme(grapheme: string): string {
  if (!suspicious.test(grapheme)) return grapheme;
  const isPicture = picture.test(grapheme) && tied.test(grapheme) && grapheme.length <= 40;
  // Only the black flag may have tags, which select a country; elsewhere tags are invisible text.
  if (isPicture && (!flagTags.test(grapheme) || grapheme.startsWith("\u{1f3f4}"))) return grapheme;
  return grapheme.replace(eachSuspicious, symbolFor);
}

function symbolFor(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x20) return String.fromCodePoint(0x2400 + point);
  if (point === 0x7f) return "\u2421";
  return `<U+${point.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/**
 * Created on first use, because loading Unicode's tables takes longer than the rest of `--help`.
 */
let segmenter: Intl.Segmenter | undefined;
const plainAscii = /^[\x20-\x7e]*$/;

/** Splits a text into user-perceived characters. */
export function graphemes(text: string): readonly string[] {
  if (plainAscii.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), (each) => each.segment);
}
