/**
 * Detects path segments that some server may read as `.` or `..`. Proxies decode a path and pass it
 * on, and the next server decodes it again. Some servers read `\` as `/`, and Java's ignore
 * everything after `;`.
 */

/**
 * Number of times that a path may be decoded: by a proxy, by the server, and by the application.
 */
const maxDecodings = 3;

/**
 * Returns whether a segment may be read as `.` or `..`. Segments are separated by slashes or
 * backslashes in any encoding.
 *
 * @param encoded text as in a URL's path
 */
export function hasDotSegment(encoded: string): boolean {
  // Most values contain nothing that could be a dot.
  if (!mayHaveDots.test(encoded)) return false;
  return encoded.includes("%") ? decodedParts(encoded).some(isDots) : plainDots.test(encoded);
}

/**
 * A dot, its code, codes that may become one when they are decoded again, and first bytes of
 * similar characters in UTF-8.
 */
const mayHaveDots = /\.|%(?:25|2e|c0|e0|e2%80|ef|u|%)/i;
/** Dot segments in text without encoding. */
const plainDots = /(?:^|\/)\.{1,2}(?:[/;]|$)/;

/** Returns whether a segment before the last is empty. Several servers drop empty segments. */
export function hasEmptySegment(encoded: string): boolean {
  return decodedParts(encoded).slice(0, -1).includes("");
}

/**
 * Returns whether every URL parser reads a whole segment as `.` or `..`, including `%2e` (WHATWG
 * URL, 4.4).
 */
export function isDotSegment(encoded: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(encoded);
}

function decodedParts(encoded: string): readonly string[] {
  let bytes = encoded;
  for (let times = 0; times < maxDecodings && bytes.includes("%"); times += 1)
    bytes = bytes.replace(
      /%(?:u([0-9a-f]{4})|([0-9a-f]{2}))/gi,
      (_, unit: string | undefined, byte: string = "") =>
        unit === undefined ? String.fromCharCode(Number.parseInt(byte, 16)) : bytesOfUnit(unit),
    );
  return asText(bytes).split(/[/\\]/);
}

/** Returns the UTF-8 bytes of `%u002e`, which IIS reads as one character. */
function bytesOfUnit(hex: string): string {
  const char = String.fromCharCode(Number.parseInt(hex, 16));
  return Buffer.from(char, "utf8").toString("latin1");
}

/**
 * Decodes bytes as text, and converts full-width dots and slashes to plain ones, as some servers
 * do.
 */
function asText(bytes: string): string {
  if (/^\p{ASCII}*$/u.test(bytes)) return bytes;
  const plain = bytes.replace(
    /\xc0([\xae\xaf])|\xc1\x9c|\xe0\x80([\xae\xaf])|\xe0\x81\x9c/g,
    (_, two?: string, three?: string) => overlong.get(two ?? three) ?? "\\",
  );
  return Buffer.from(plain, "latin1").toString("utf8").normalize("NFKC");
}

/** Last bytes of a dot and a slash in encodings that are longer than UTF-8 allows. */
const overlong: ReadonlyMap<string | undefined, string> = new Map([
  ["\xae", "."],
  ["\xaf", "/"],
]);

/**
 * Returns whether a segment is `.` or `..` after removing what a server may drop: everything after
 * `;`, `?`, `#` or NUL, blanks, control characters and invisible characters.
 */
function isDots(part: string): boolean {
  const [text = ""] = part.split(/[;?#\0]/, 1);
  return /^\.{1,2}$/.test(text.replace(/[\s\p{Cc}\p{Cf}]/gu, ""));
}
