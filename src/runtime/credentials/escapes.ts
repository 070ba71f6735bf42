import { type TextView, ViewWriter, viewThrough } from "./text-view.js";

/** Maximum number of escaping layers. JSON in JSON in a URL has three. */
const maxLayers = 3;

/** First characters of escapes in JSON and programs, in URLs, and in HTML. */
export const escapeMarks = "\\%&";

/** Yields the text itself, and the text with its escapes decoded once, twice and three times. */
export function* viewsOf(text: string): Iterable<TextView> {
  let view: TextView = { text, sourceOf: (stretch) => stretch };
  yield view;
  for (let layer = 0; layer < maxLayers; layer += 1) {
    const decoded = decodeEscapes(view.text);
    if (decoded === undefined) return;
    view = viewThrough(view, decoded);
    yield view;
  }
}

const [backslash = "", percent = "", ampersand = ""] = escapeMarks;

/** Decodes every kind of escape once; undefined if there is none. */
function decodeEscapes(text: string): TextView | undefined {
  const writer = new ViewWriter(text);
  // Next offset of each mark. Searching for a mark is many times faster than visiting every
  // character.
  let slash = offsetOf(text, backslash, 0);
  let cent = offsetOf(text, percent, 0);
  let and = offsetOf(text, ampersand, 0);
  for (;;) {
    const at = Math.min(slash, cent, and);
    if (at === Infinity) return writer.finish();
    const decoded = decodeAt(text, at);
    if (decoded !== undefined) writer.replace(at, decoded.end, decoded.text);
    const end = decoded?.end ?? at + 1;
    if (slash < end) slash = offsetOf(text, backslash, end);
    if (cent < end) cent = offsetOf(text, percent, end);
    if (and < end) and = offsetOf(text, ampersand, end);
  }
}

function offsetOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? Infinity : at;
}

interface DecodedEscape {
  readonly text: string;
  /** Offset after the escape. */
  readonly end: number;
}

function decodeAt(text: string, at: number): DecodedEscape | undefined {
  const mark = text[at];
  if (mark === ampersand) return decodeEntity(text, at);
  const next = text[at + 1] ?? "";
  if (next === "u") return decodeUnit(text, at);
  if (mark === percent) return decodeBytes(text, at, percentByte);
  if (next === "x") return decodeBytes(text, at, hexByte);
  if (next >= "0" && next <= "3") return decodeBytes(text, at, octalByte);
  if (next === "U") return decodePoint(/[\dA-Fa-f]{8}/y, text, at + 2, 16);
  const control = controls.get(next);
  if (control !== undefined) return { text: control, end: at + 2 };
  return isPunctuation(next) ? { text: next, end: at + 2 } : undefined;
}

function isPunctuation(char: string): boolean {
  return char !== "" && (char < "0" || (char > "9" && char.toLowerCase() === char.toUpperCase()));
}

const controls = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["b", "\b"],
  ["f", "\f"],
]);

/** Decodes `\u0026`, `%u0026` or `\u{26}`. */
function decodeUnit(text: string, at: number): DecodedEscape | undefined {
  if (text[at + 2] !== "{") return decodePoint(/[\dA-Fa-f]{4}/y, text, at + 2, 16);
  const point = decodePoint(/[\dA-Fa-f]{1,6}(?=\})/y, text, at + 3, 16);
  return point && { text: point.text, end: point.end + 1 };
}

/** Decodes `&#38;`, `&#x26;` or `&amp;`, also without the semicolon if browsers accept that. */
function decodeEntity(text: string, at: number): DecodedEscape | undefined {
  if (text[at + 1] === "#") {
    const isHex = text[at + 2] === "x" || text[at + 2] === "X";
    const point = isHex
      ? decodePoint(/0{0,40}[\dA-Fa-f]{1,6}/y, text, at + 3, 16)
      : decodePoint(/0{0,40}\d{1,7}/y, text, at + 2, 10);
    return point && { text: point.text, end: point.end + (text[point.end] === ";" ? 1 : 0) };
  }
  const name = wordAt(/[A-Za-z][\dA-Za-z]{1,7}(?=;)/y, text, at + 1);
  const char = namedEntities.get(name);
  if (char !== undefined) return { text: char, end: at + name.length + 2 };
  const open = wordAt(openEntity, text, at + 1);
  const known = namedEntities.get(open);
  return known === undefined ? undefined : { text: known, end: at + 1 + open.length };
}

function decodePoint(
  digits: RegExp,
  text: string,
  at: number,
  radix: number,
): DecodedEscape | undefined {
  const word = wordAt(digits, text, at);
  const point = Number.parseInt(word, radix);
  if (!(point <= 0x10ffff)) return undefined;
  return { text: String.fromCodePoint(point), end: at + word.length };
}

/** @param pattern with the flag `y` */
function wordAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** Notation of a byte. */
interface ByteNotation {
  readonly pattern: RegExp;
  /** Number of characters before the digits. */
  readonly prefix: number;
  readonly radix: number;
}

const percentByte: ByteNotation = { pattern: /%[\dA-Fa-f]{2}/y, prefix: 1, radix: 16 };
const hexByte: ByteNotation = { pattern: /\\x[\dA-Fa-f]{2}/y, prefix: 2, radix: 16 };
const octalByte: ByteNotation = { pattern: /\\[0-3][0-7]{2}/y, prefix: 1, radix: 8 };

/**
 * Decodes one character of up to four bytes of UTF-8. A byte that is not UTF-8 is decoded as
 * Latin-1.
 */
function decodeBytes(
  text: string,
  at: number,
  { pattern, prefix, radix }: ByteNotation,
): DecodedEscape | undefined {
  const byteAt = (start: number): number =>
    Number.parseInt(wordAt(pattern, text, start).slice(prefix), radix);
  const length = prefix + (radix === 16 ? 2 : 3);
  const lead = byteAt(at);
  if (Number.isNaN(lead)) return undefined;
  const count = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (count > 1) {
    const bytes = Array.from({ length: count }, (_, index) => byteAt(at + index * length));
    const char = bytes.some(Number.isNaN) ? "" : Buffer.from(bytes).toString("utf8");
    if ([...char].length === 1 && char !== "\ufffd")
      return { text: char, end: at + count * length };
  }
  return { text: String.fromCharCode(lead), end: at + length };
}

/** HTML's names of the characters from 160 to 255. */
const latin1Names = (
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil " +
  "sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave " +
  "Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave " +
  "aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde " +
  "ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml"
).split(" ");

/** Named entities: ASCII characters with a name in HTML, and the characters from 160 to 255. */
const namedEntities: ReadonlyMap<string, string> = new Map([
  ...(
    [
      ["\t", "Tab"],
      ["\n", "NewLine"],
      ["!", "excl"],
      ['"', "quot", "QUOT"],
      ["#", "num"],
      ["$", "dollar"],
      ["%", "percnt"],
      ["&", "amp", "AMP"],
      ["'", "apos"],
      ["(", "lpar"],
      [")", "rpar"],
      ["*", "ast", "midast"],
      ["+", "plus"],
      [",", "comma"],
      [".", "period"],
      ["/", "sol"],
      [":", "colon"],
      [";", "semi"],
      ["<", "lt", "LT"],
      ["=", "equals"],
      [">", "gt", "GT"],
      ["?", "quest"],
      ["@", "commat"],
      ["[", "lsqb", "lbrack"],
      ["\\", "bsol"],
      ["]", "rsqb", "rbrack"],
      ["^", "Hat"],
      ["_", "lowbar", "UnderBar"],
      ["`", "grave"],
      ["{", "lcub", "lbrace"],
      ["|", "verbar", "vert"],
      ["}", "rcub", "rbrace"],
    ] as const
  ).flatMap(([char, ...names]) => names.map((name) => [name, char] as const)),
  ["COPY", "\u00a9"],
  ["REG", "\u00ae"],
  ...latin1Names.map((name, at) => [name, String.fromCharCode(160 + at)] as const),
]);

/**
 * Names that browsers accept without a semicolon, whatever follows: `&ampb` is `&b`. None of them
 * is the beginning of another.
 */
const openEntity = new RegExp(
  ["amp", "AMP", "lt", "LT", "gt", "GT", "quot", "QUOT", "COPY", "REG", ...latin1Names].join("|"),
  "y",
);
