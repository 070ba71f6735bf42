/** A character without a special meaning. */
const normal = /[^.?*+()[\]{}|\\^$\p{Cs}]/uy;
const escaped = /\\([()*+\-.?[\\\]^nrt{|}])/uy;
const category = /\\[pP]\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|Z[lps]?|S[ckmo]?|C[cfno]?)\}/uy;
const quantifier = /[*+?]|\{\d{1,9}(?:,(?:\d{1,9})?)?\}/uy;
/** A member of a class, except `-`, escapes and categories. */
const member = /[^[\]\\\p{Cs}-]/uy;

/** Maximal length of a pattern. Longer ones, which may come from a server, are not compiled. */
export const longestPattern = 1000;

/**
 * Translates an I-Regexp (RFC 9485) to RE2's language, to match a whole text or search in it;
 * undefined for an invalid one. `^` and `$` are anchors, as authors and JSONPath's test suite
 * expect, although the RFC gives them no special meaning.
 */
export function linearIRegexp(pattern: string, use: "match" | "search"): string | undefined {
  const text = new Translation(pattern).text();
  return text === undefined || use === "search" ? text : `\\A(?:${text})\\z`;
}

/** Reads a pattern from left to right and writes its translation. */
class Translation {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  text(): string | undefined {
    let text = "";
    let depth = 0;
    /** True if a quantifier may follow. */
    let isAtom = false;
    while (this.#at < this.#pattern.length) {
      const times = isAtom ? this.#take(quantifier) : undefined;
      if (times !== undefined) {
        text += times;
        isAtom = false;
        continue;
      }
      const sign = this.#pattern.charAt(this.#at);
      if ("(|^$)".includes(sign)) {
        depth += sign === "(" ? 1 : sign === ")" ? -1 : 0;
        if (depth < 0) return undefined;
        text += signs[sign] ?? sign;
        isAtom = sign === ")";
        this.#at += 1;
        continue;
      }
      const atom = this.#atom();
      if (atom === undefined) return undefined;
      text += atom;
      isAtom = true;
    }
    return depth === 0 ? text : undefined;
  }

  #atom(): string | undefined {
    const plain = this.#take(normal);
    if (plain !== undefined) return characterText(plain);
    if (this.#take(/\./y) !== undefined) return "[^\\n\\r]";
    if (this.#take(/\[/y) !== undefined) return this.#class();
    return this.#take(category) ?? this.#escape();
  }

  #escape(): string | undefined {
    const found = this.#take(escaped);
    if (found === undefined) return undefined;
    const character = found.charAt(1);
    return "nrt".includes(character) ? found : characterText(character);
  }

  #class(): string | undefined {
    let text = this.#take(/\^/y) === undefined ? "[" : "[^";
    const first = this.#at;
    for (;;) {
      const isHyphen = this.#take(/-/y) !== undefined;
      // A literal hyphen must be first or last.
      if (isHyphen && this.#at - 1 !== first && this.#pattern.charAt(this.#at) !== "]")
        return undefined;
      if (isHyphen) text += characterText("-");
      if (this.#take(/\]/y) !== undefined) return this.#at - 1 === first ? undefined : `${text}]`;
      const part = this.#take(category) ?? this.#range();
      if (part === undefined) return undefined;
      text += part;
    }
  }

  #range(): string | undefined {
    const from = this.#member();
    if (from === undefined) return undefined;
    const isRange = /^-[^\]]/u.test(this.#pattern.slice(this.#at, this.#at + 3));
    if (!isRange) return from;
    this.#at += 1;
    const to = this.#member();
    return to === undefined ? undefined : `${from}-${to}`;
  }

  #member(): string | undefined {
    const plain = this.#take(member);
    return plain === undefined ? this.#escape() : characterText(plain);
  }

  #take(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    const found = token.exec(this.#pattern)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

const signs: { readonly [sign: string]: string } = { "(": "(?:", "^": "\\A", $: "\\z" };

function characterText(character: string): string {
  return /[0-9A-Za-z]/.test(character)
    ? character
    : `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
