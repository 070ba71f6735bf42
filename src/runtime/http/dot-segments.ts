/**
 * Whether somebody on the way reads a part of a path as `.` or `..`. Proxies decode a path and pass it on decoded, so
 * that the next server decodes it once more; some read `\` as `/`, and Java's servers leave out what follows `;`.
 */

/** How often a path may be decoded on its way: by a proxy, by the server behind it, and by what runs there. */
const maxDecodings = 3;

/**
 * Whether a part of the text, between slashes and backslashes however they are encoded, may be read as "this folder"
 * or "the folder above".
 *
 * @param encoded text as it stands in a URL's path
 */
export function hasDotSegment(encoded: string): boolean {
  // Most values have nothing that anybody reads as a dot.
  if (!mayHaveDots.test(encoded)) return false;
  return encoded.includes("%") ? decodedParts(encoded).some(isDots) : plainDots.test(encoded);
}

/** A dot, its code, what may come to one when it is decoded again, and how others like it begin in UTF-8. */
const mayHaveDots = /\.|%(?:25|2e|c0|e0|e2%80|ef|u|%)/i;
/** In text where nothing is encoded. */
const plainDots = /(?:^|\/)\.{1,2}(?:[/;]|$)/;

/** Whether a part before the last is empty: what several servers leave out of a path. */
export function hasEmptySegment(encoded: string): boolean {
  return decodedParts(encoded).slice(0, -1).includes("");
}

/**
 * Whether every URL parser reads a whole segment as "this folder" or "the folder above", `%2e`
 * included (WHATWG URL, 4.4).
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

/** What IIS reads as one character, `%u002e`, as its bytes in UTF-8. */
function bytesOfUnit(hex: string): string {
  const char = String.fromCharCode(Number.parseInt(hex, 16));
  return Buffer.from(char, "utf8").toString("latin1");
}

/** Bytes as text, in which full-width dots and slashes are plain ones: some servers take them for such. */
function asText(bytes: string): string {
  if (/^\p{ASCII}*$/u.test(bytes)) return bytes;
  const plain = bytes.replace(
    /\xc0([\xae\xaf])|\xc1\x9c|\xe0\x80([\xae\xaf])|\xe0\x81\x9c/g,
    (_, two?: string, three?: string) => overlong.get(two ?? three) ?? "\\",
  );
  return Buffer.from(plain, "latin1").toString("utf8").normalize("NFKC");
}

/** The last bytes of a dot and of a slash that are written with more bytes than UTF-8 allows. */
const overlong: ReadonlyMap<string | undefined, string> = new Map([
  ["\xae", "."],
  ["\xaf", "/"],
]);

/**
 * Without what a server may cut off or leave out: what follows `;`, `?`, `#` or NUL, blanks, control characters, and
 * characters that don't show.
 */
function isDots(part: string): boolean {
  const [text = ""] = part.split(/[;?#\0]/, 1);
  return /^\.{1,2}$/.test(text.replace(/[\s\p{Cc}\p{Cf}]/gu, ""));
}
