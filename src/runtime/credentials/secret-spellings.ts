import { viewsOf } from "./escapes.js";

/** Minimum length of a secret, in characters. Shorter values would match everywhere by accident. */
export const shortestSecret = 4;
/**
 * Minimum length of a base64 spelling, in characters. Shorter ones would match in any long base64
 * text.
 */
const shortestBase64 = 6;
/**
 * Minimum length of a line of a secret, in characters. Lines of keys are longer, words are shorter.
 */
export const shortestLine = 16;

/**
 * Returns the spellings of a secret in a text whose escapes are decoded: as it is; with `+` for
 * spaces, as in forms; in base64 at any offset of a longer text; and in hexadecimal. For a value
 * with several lines it adds each long line, and for a URL its password.
 */
export function spellingsOf(value: string): ReadonlySet<string> {
  const all = new Set<string>();
  for (const part of partsOf(value)) {
    for (const each of [...formsOf(part), ...encodedForms(part)])
      if (each.length >= shortestSecret) all.add(each);
  }
  return all;
}

/**
 * Returns the spellings with spaces, and with a space for each `+`. They are searched in texts in
 * which each `+` is a space.
 */
export function spacedSpellingsOf(value: string): ReadonlySet<string> {
  const forms = partsOf(value).flatMap(formsOf);
  return new Set(
    forms.filter((each) => each.includes(" ")).map((each) => each.replaceAll("+", " ")),
  );
}

/** Returns the lines of a value joined without line breaks. */
export function joinedSpellingsOf(value: string): ReadonlySet<string> {
  return new Set(joinedLinesOf(value).filter((each) => each.length >= shortestLine));
}

/** Characters of base64, which may be broken into lines anywhere. */
export const base64Characters =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-";

/**
 * Returns whether a text may contain a spelling of the value. False is certain, and is much faster
 * than building all spellings: letters and digits of the value, its hexadecimal form or its base64
 * are the same in every spelling.
 *
 * @param texts the text, and the text with its escapes decoded: `viewsOf`
 */
export function mayHoldSpelling(texts: readonly string[], value: string): boolean {
  if (texts.some((text) => /[\r\n]/.test(text)) || /[\r\n]/.test(value)) return true;
  const words = partsOf(value).flatMap((part) => [
    ...formsOf(part).map(longestWord),
    ...bytesOf(part).flatMap((bytes) => {
      const hex = bytes.toString("hex");
      const shifted = shiftedBase64(bytes);
      // The beginning of the whole base64 text is the first shifted one.
      const encoded = shifted.length === 3 ? shifted : [...shifted, bytes.toString("base64")];
      return [...encoded.map(longestWord), hex, hex.toUpperCase()];
    }),
  ]);
  return texts.some((text) => words.some((word) => text.includes(word)));
}

/** Returns the longest word; empty if there is none, which every text contains. */
function longestWord(text: string): string {
  const words = text.match(/[A-Za-z0-9]+/g) ?? [];
  return words.reduce((longest, each) => (each.length > longest.length ? each : longest), "");
}

/** Returns the parts of a value that are as secret as the value. */
function partsOf(value: string): readonly string[] {
  const parts = [value, value.trim(), ...passwordsOf(value)];
  const lines = linesOf(value).filter((each) => !each.startsWith("-----"));
  if (lines.length > 1) parts.push(...lines.filter((each) => each.length >= shortestLine));
  return parts.filter((each) => each.length >= shortestSecret);
}

/** Splits lines. A service account is JSON, in which escapes separate the lines of the key. */
function linesOf(value: string): readonly string[] {
  return value.split(/\r\n|\n|\r|(?:\\r)?\\n/).map((each) => each.trim());
}

/** Returns the joined body of a key, and each short line joined with the line before it. */
function joinedLinesOf(value: string): readonly string[] {
  const bodies: string[][] = [[]];
  for (const line of linesOf(value)) {
    if (line.includes("-----")) bodies.push([]);
    else bodies.at(-1)?.push(line);
  }
  return bodies
    .filter((lines) => lines.length > 1)
    .flatMap((lines) => [
      lines.join(""),
      ...lines.flatMap((line, at) => {
        const isShort = at > 0 && line !== "" && line.length < shortestLine;
        return isShort ? [`${lines[at - 1] ?? ""}${line}`] : [];
      }),
    ]);
}

/** Returns the password of a URL, as written and decoded. */
export function passwordsOf(value: string): readonly string[] {
  const [, raw] = /^[a-z][a-z\d+.-]*:\/\/[^/?#@:]*:([^/?#]+)@/i.exec(value) ?? [];
  if (raw === undefined) return [];
  try {
    return [raw, decodeURIComponent(raw)];
  } catch {
    return [raw];
  }
}

/**
 * Returns the spellings as text. Escapes in the value are decoded too, because those of the text
 * are.
 */
function formsOf(part: string): readonly string[] {
  const wellFormed = part.toWellFormed();
  const meant = [...viewsOf(part)].map((view) => view.text);
  const forms = wellFormed === part ? meant : [...meant, wellFormed];
  return forms.flatMap((each) => (each.includes(" ") ? [each, each.replaceAll(" ", "+")] : [each]));
}

function encodedForms(part: string): readonly string[] {
  return bytesOf(part).flatMap((bytes) => {
    const hex = bytes.toString("hex");
    return [...inBase64(bytes), hex, hex.toUpperCase()];
  });
}

/** Returns the bytes in UTF-8, and in Latin-1 if that differs. */
function bytesOf(part: string): readonly Buffer[] {
  const utf8 = Buffer.from(part, "utf8");
  const isLatin1 = /^[\0-\xff]*$/.test(part) && /[\x80-\xff]/.test(part);
  return isLatin1 ? [utf8, Buffer.from(part, "latin1")] : [utf8];
}

/**
 * Returns the base64 of bytes at any offset of a longer text, without characters that depend on
 * other bytes; also in the alphabet for URLs.
 */
function inBase64(bytes: Buffer): readonly string[] {
  return [...shiftedBase64(bytes), bytes.toString("base64")].flatMap((each) =>
    /[+/]/.test(each) ? [each, each.replaceAll("+", "-").replaceAll("/", "_")] : [each],
  );
}

function shiftedBase64(bytes: Buffer): readonly string[] {
  const padded = Buffer.concat([twoZeros, bytes]);
  return [0, 1, 2].flatMap((before) => {
    const first = Math.ceil((before * 8) / 6);
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    if (whole - first < shortestBase64) return [];
    return [padded.toString("base64", 2 - before).slice(first, whole)];
  });
}

const twoZeros = Buffer.alloc(2);
