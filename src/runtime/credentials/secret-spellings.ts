import { viewsOf } from "./escapes.js";

/** Shorter values would match by accident everywhere, and say nothing by being seen. */
export const shortestSecret = 4;
/** Fewer characters of base64 would match by accident in any longer text of it. */
const shortestBase64 = 6;
/** Lines of a key have more; words have less. */
export const shortestLine = 16;

/**
 * The ways in which a secret can stand in a text whose escapes are decoded: as it is, and with `+` for
 * a space as forms have it, in base64 at whatever place of a longer text, in hexadecimal; of a value
 * of several lines each long one as well, and of a URL its password.
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
 * What has spaces in a value, with a space for `+` as well: to be looked for in a text in which each
 * `+` is a space.
 */
export function spacedSpellingsOf(value: string): ReadonlySet<string> {
  const forms = partsOf(value).flatMap(formsOf);
  return new Set(
    forms.filter((each) => each.includes(" ")).map((each) => each.replaceAll("+", " ")),
  );
}

/** What a value of several lines holds, its lines without what parts them. */
export function joinedSpellingsOf(value: string): ReadonlySet<string> {
  return new Set(joinedLinesOf(value).filter((each) => each.length >= shortestLine));
}

/** Characters of base64, which others may break into lines wherever they like. */
export const base64Characters =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-";

/**
 * Whether a text can hold a spelling of the value. If the answer is no there is none, which takes a
 * fraction of the time that making all of them does: letters and digits stand in each spelling as
 * they are, those of the value itself, of its hexadecimal form or of its base64.
 *
 * @param texts the text, and what its escapes mean: `viewsOf`
 */
export function mayHoldSpelling(texts: readonly string[], value: string): boolean {
  if (texts.some((text) => /[\r\n]/.test(text)) || /[\r\n]/.test(value)) return true;
  const words = partsOf(value).flatMap((part) => [
    ...formsOf(part).map(longestWord),
    ...bytesOf(part).flatMap((bytes) => {
      const hex = bytes.toString("hex");
      const shifted = shiftedBase64(bytes);
      // What the whole begins with is the first of them.
      const encoded = shifted.length === 3 ? shifted : [...shifted, bytes.toString("base64")];
      return [...encoded.map(longestWord), hex, hex.toUpperCase()];
    }),
  ]);
  return texts.some((text) => words.some((word) => text.includes(word)));
}

/** Empty when there is none, which every text holds. */
function longestWord(text: string): string {
  const words = text.match(/[A-Za-z0-9]+/g) ?? [];
  return words.reduce((longest, each) => (each.length > longest.length ? each : longest), "");
}

/** What is as secret as the whole. */
function partsOf(value: string): readonly string[] {
  const parts = [value, value.trim(), ...passwordsOf(value)];
  const lines = linesOf(value).filter((each) => !each.startsWith("-----"));
  if (lines.length > 1) parts.push(...lines.filter((each) => each.length >= shortestLine));
  return parts.filter((each) => each.length >= shortestSecret);
}

/** A service account is JSON, in which the lines of its key are parted by escapes. */
function linesOf(value: string): readonly string[] {
  return value.split(/\r\n|\n|\r|(?:\\r)?\\n/).map((each) => each.trim());
}

/**
 * The body of a key as a whole, and each line that is too short to be looked for by itself, behind
 * the one above it.
 */
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

/** Of a URL: as it stands there, and decoded. */
export function passwordsOf(value: string): readonly string[] {
  const [, raw] = /^[a-z][a-z\d+.-]*:\/\/[^/?#@:]*:([^/?#]+)@/i.exec(value) ?? [];
  if (raw === undefined) return [];
  try {
    return [raw, decodeURIComponent(raw)];
  } catch {
    return [raw];
  }
}

/** As text. What looks like an escape in a value is decoded, too, where the text's escapes are. */
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

/** In UTF-8, and in Latin-1 if that is something else. */
function bytesOf(part: string): readonly Buffer[] {
  const utf8 = Buffer.from(part, "utf8");
  const isLatin1 = /^[\0-\xff]*$/.test(part) && /[\x80-\xff]/.test(part);
  return isLatin1 ? [utf8, Buffer.from(part, "latin1")] : [utf8];
}

/**
 * Wherever the bytes stand in a longer text: only what depends on nothing but them. Also with the
 * two characters that URLs have for others.
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
