/** Shorter values would match by accident everywhere, and say nothing by being seen. */
export const shortestSecret = 4;
/** Fewer characters of base64 would match by accident in any longer text of it. */
const shortestBase64 = 6;
/** Lines of a key have more; words have less. */
const shortestLine = 16;

/**
 * The ways in which a secret can stand in a text: as it is, escaped in JSON and in JSON within
 * JSON, percent-encoded as URLs and forms do it, in base64 at whatever place of a longer text, in
 * hexadecimal; of a value of several lines each long one as well, and of a URL its password.
 */
export function spellingsOf(value: string): ReadonlySet<string> {
  const all = new Set<string>();
  for (const part of partsOf(value)) {
    for (const each of written(part)) if (each.length >= shortestSecret) all.add(each);
  }
  return all;
}

/**
 * The spellings that others may break into lines, wherever that is: base64, and what a value of
 * several lines holds, its lines without what parts them.
 */
export function breakableSpellingsOf(value: string): ReadonlySet<string> {
  const base64 = partsOf(value).flatMap((each) => inBase64(Buffer.from(each, "utf8")));
  const joined = joinedLinesOf(value).flatMap((each) => [each, each.replaceAll("/", "\\/")]);
  return new Set([...base64, ...joined].filter((each) => each.length >= shortestLine));
}

/** What a spelling may be broken by: a line break as it is, or escaped. */
const lineBreak = /[\r\n]|\\[rn]/;

/**
 * Whether a text can hold a spelling of the value. Where it says no there is none, which takes a
 * fraction of the time that making all of them does: letters and digits stand in each spelling as
 * they are, those of the value itself, of its hexadecimal form or of its base64.
 */
export function mayHoldSpelling(text: string, value: string): boolean {
  if (lineBreak.test(text) || lineBreak.test(value)) return true;
  return partsOf(value).some((part) => {
    const bytes = Buffer.from(part, "utf8");
    const hex = bytes.toString("hex");
    const shifted = shiftedBase64(bytes);
    // What the whole begins with is the first of them.
    const encoded = shifted.length === 3 ? shifted : [...shifted, bytes.toString("base64")];
    return (
      text.includes(longestWord(part)) ||
      encoded.some((each) => text.includes(longestWord(each))) ||
      text.includes(hex) ||
      text.includes(hex.toUpperCase())
    );
  });
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

function written(value: string): readonly string[] {
  const wellFormed = value.toWellFormed();
  const bytes = Buffer.from(value, "utf8");
  const json = [inJson(value), asciiOnly(value)];
  const escaped = [value, ...json, ...json.map((each) => each.replaceAll("/", "\\/"))];
  return [
    ...escaped.flatMap((each) => {
      const once = inJson(each);
      const twice = inJson(once);
      return [each, once, twice, inJson(twice)];
    }),
    ...inUrls(wellFormed).flatMap((each) => [each, lowerEscapes(each)]),
    ...inUrlsOfUrls(wellFormed).flatMap((each) => [each, lowerEscapes(each)]),
    ...inMarkup(value),
    ...inBase64(bytes),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
  ];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As other languages write JSON. */
function asciiOnly(text: string): string {
  return inJson(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** As in a query or a user name, stricter, as a form, and as a whole URL would be. */
function inUrls(text: string): readonly string[] {
  const part = encodeURIComponent(text);
  const strict = part.replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return [part, strict, new URLSearchParams([["", text]]).toString().slice(1), encodeURI(text)];
}

/** A URL as a parameter of another, as pages of errors and logins have it. */
function inUrlsOfUrls(text: string): readonly string[] {
  return inUrls(text).map(encodeURIComponent);
}

/**
 * As HTML and XML have it, by what escapes the two quotes, or none of them. Named entities differ
 * between libraries: `&#39;`, `&#x27;`, `&apos;`.
 */
function inMarkup(value: string): readonly string[] {
  const text = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  if (text === value && !/["']/.test(value)) return [];
  return ['"', "&quot;", "&#34;", "&#x22;"].flatMap((double) =>
    ["'", "&#39;", "&#x27;", "&apos;", "&#039;"].map((single) =>
      text.replaceAll('"', double).replaceAll("'", single),
    ),
  );
}

function lowerEscapes(text: string): string {
  return text.replace(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase());
}

/**
 * Wherever the bytes stand in a longer text: only what depends on nothing but them. Also with the
 * two characters that URLs have for others.
 */
function inBase64(bytes: Buffer): readonly string[] {
  return [...shiftedBase64(bytes), bytes.toString("base64")].flatMap((each) => [
    each,
    each.replaceAll("+", "-").replaceAll("/", "_"),
    each.replaceAll("/", "\\/"),
    each.replaceAll("/", "\\\\/"),
  ]);
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
