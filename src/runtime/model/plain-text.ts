/** Turns HTML in descriptions, which many API documents contain, into plain text. */

/** Elements that are replaced even without an end tag, by their replacement. */
const single: ReadonlyMap<string, string> = new Map([
  ["br", "\n"],
  ["hr", "\n"],
  ["img", ""],
  ["li", "\n- "],
  ["p", "\n\n"],
  ["td", " "],
  ["th", " "],
  ["tr", "\n"],
  ["wbr", ""],
]);

/** Elements that are replaced if the text has their end tag, by their replacement. */
const paired: ReadonlyMap<string, string> = new Map([
  ...["a", "abbr", "b", "center", "cite", "code", "del", "em", "font", "i", "ins", "kbd"].map(
    inline,
  ),
  ...["mark", "s", "samp", "small", "span", "strong", "sub", "sup", "tt", "u", "var"].map(inline),
  ...["article", "blockquote", "dd", "details", "div", "dl", "dt", "h1", "h2", "h3"].map(block),
  ...["h4", "h5", "h6", "ol", "pre", "section", "summary", "table", "tbody", "thead"].map(block),
  block("ul"),
]);

function inline(name: string): readonly [string, string] {
  return [name, ""];
}

function block(name: string): readonly [string, string] {
  return [name, "\n"];
}

/** Common named entities. The text keeps all others as they are. */
const characters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: "&",
    apos: "'",
    bull: "•",
    copy: "©",
    euro: "€",
    ge: "≥",
    gt: ">",
    hellip: "…",
    laquo: "«",
    ldquo: "“",
    le: "≤",
    lsquo: "‘",
    lt: "<",
    mdash: "—",
    middot: "·",
    nbsp: " ",
    ndash: "–",
    quot: '"',
    raquo: "»",
    rarr: "→",
    rdquo: "”",
    reg: "®",
    rsquo: "’",
    times: "×",
    trade: "™",
  }),
);

/**
 * Matches code of Markdown, a tag whose attributes all have values, or an entity such as `&amp;`.
 */
const part =
  /``[^`]*``|`[^`]*`|<(\/?)([a-zA-Z][a-zA-Z0-9]*)(?:\s[^<>=]*=[^<>]*|\s+)?\/?>|&(?:([a-zA-Z]{2,8})|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g;

/**
 * Returns the text without HTML tags, and with characters in place of entities. Unknown tags stay,
 * because `<id>` may be a placeholder. A tag such as `<b>` stays without its end tag, because
 * `a <b and b> c` is a comparison. Code of Markdown stays.
 */
export function plainText(text: string): string {
  if (!text.includes("<") && !text.includes("&")) return text;
  const visible = withoutComments(text);
  const ended = new Set(
    Array.from(visible.matchAll(/<\/([a-zA-Z][a-zA-Z0-9]*)\s*>/g), ([, name = ""]) =>
      name.toLowerCase(),
    ),
  );
  const plain = visible.replace(
    part,
    (whole: string, end?: string, tag?: string, name?: string, decimal?: string, hex?: string) => {
      if (tag !== undefined) return replacementOf(tag.toLowerCase(), end === "/", ended) ?? whole;
      if (name !== undefined) return characters.get(name) ?? whole;
      const code = decimal === undefined ? hex && Number.parseInt(hex, 16) : Number(decimal);
      return typeof code === "number" ? (characterOf(code) ?? whole) : whole;
    },
  );
  return plain === text ? text : tidy(plain);
}

function replacementOf(
  name: string,
  isEnd: boolean,
  ended: ReadonlySet<string>,
): string | undefined {
  const alone = single.get(name);
  if (alone !== undefined) return isEnd ? (name === "p" ? "\n" : "") : alone;
  return ended.has(name) ? paired.get(name) : undefined;
}

/** Returns the character of a code; undefined for control characters and surrogates. */
function characterOf(code: number): string | undefined {
  if (code > 0x10_ff_ff) return undefined;
  const character = String.fromCodePoint(code);
  return /[\p{Cc}\p{Cs}]/u.test(character) && code !== 10 ? undefined : character;
}

function withoutComments(text: string): string {
  let left = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf("<!--", from);
    const end = start === -1 ? -1 : text.indexOf("-->", start + 4);
    if (end === -1) return left + text.slice(from);
    left += text.slice(from, start);
    from = end + 3;
  }
}

function tidy(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
