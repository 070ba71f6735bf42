/**
 * Translates patterns of other languages to ECMAScript, if all languages read the pattern alike.
 */

import { getOwn } from "../../../core/json.js";

/** Thrown for syntax that ECMAScript lacks, or that languages read in different ways. */
export class NoEquivalent extends Error {
  readonly syntax: string;

  constructor(syntax: string) {
    super(syntax);
    this.syntax = syntax;
  }
}

export interface TranslatedPattern {
  /** Translated pattern. It may still be invalid. */
  readonly pattern: string;
  /** True if the pattern accepts all texts of the original, and maybe more. */
  readonly isLoose: boolean;
}

/**
 * @param flags flags of a literal: `i` and `s`
 * @throws NoEquivalent
 */
export function translatePattern(text: string, flags: string): TranslatedPattern {
  const translator = new Translator(text);
  const pattern = translator.translate(withFlags({ i: false, s: false }, flags, "", flags));
  return { pattern, isLoose: translator.isLoose };
}

/** Flags that are on: ignore case, and a dot that matches line breaks. */
interface Flags {
  readonly i: boolean;
  readonly s: boolean;
}

function withFlags(flags: Flags, on: string, off: string, syntax: string): Flags {
  // In Python, `u` is the default.
  if (/[^isu]/.test(on) || /[^is]/.test(off)) throw new NoEquivalent(syntax);
  const isOn = (name: "i" | "s"): boolean =>
    !off.includes(name) && (on.includes(name) || flags[name]);
  return { i: isOn("i"), s: isOn("s") };
}

const escapeToken =
  /\\(?:[pP](?:\{[^{}]*\}|[A-Za-z])|u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|x\{[0-9A-Fa-f]+\}|x[0-9A-Fa-f]{2}|c[A-Za-z]|k(?:<\w+>|'\w+'|\{\w+\})|\d+|[^])/uy;
const quotedToken = /\\Q([^]*?)(?:\\E|$)/uy;
const quantifierToken = /(?:[*+?]|\{\d+(?:,\d*)?\})([+?])?/uy;
const groupToken =
  /\((?:\?(?:(?<plain>:|=|!|<=|<!|<\w+>)|P<(?<python>\w+)>|'(?<quoted>\w+)'|(?<atomic>>)|(?<on>[a-zA-Z]*)(?:-(?<off>[a-zA-Z]+))?(?<ends>[:)])|(?<comment>#[^()]*\))|P=(?<same>\w+)\)))?/uy;
const posixToken = /\[:(\^?)([a-z]+):\]/uy;

/** Character, or a set of characters if `value` is absent. */
interface Atom {
  readonly text: string;
  readonly value?: number;
  /** True for a `-` that may connect the ends of a range. */
  readonly isDash?: boolean;
}

class Translator {
  isLoose = false;
  readonly #text: string;
  #at = 0;
  #hasNegation = false;
  #hasNested = false;

  constructor(text: string) {
    this.#text = text;
  }

  translate(flags: Flags): string {
    // The last entry holds the flags of the innermost open group.
    const scopes: Flags[] = [flags];
    let out = "";
    while (this.#at < this.#text.length) out += this.#next(scopes);
    if (this.isLoose && this.#hasNegation) throw new NoEquivalent("(?!a++)");
    return out;
  }

  #take(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = this.#at;
    const match = token.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#at += match[0].length;
    return match;
  }

  #next(scopes: Flags[]): string {
    const flags = scopes.at(-1) ?? { i: false, s: false };
    const literal = this.#take(quotedToken);
    if (literal !== undefined)
      return [...(literal[1] ?? "")].map((each) => characterText(each, flags)).join("");
    const escaped = this.#take(escapeToken);
    if (escaped !== undefined) return outside(escaped[0], flags);
    const opened = this.#take(groupToken);
    if (opened !== undefined) return this.#group(opened, scopes, flags);
    const times = this.#take(quantifierToken);
    if (times !== undefined) return this.#times(times);
    const [character = ""] = this.#take(/[^]/uy) ?? [];
    switch (character) {
      case ")":
        if (scopes.length > 1) scopes.pop();
        return ")";
      case "[":
        return this.#class(flags);
      case "]":
        // In Java, classes may be nested, so the first `]` would end only the inner class.
        if (this.#hasNested) throw new NoEquivalent("[a[b]]");
        return "\\]";
      case "{":
        // `{,3}` is a repetition in Python, but text in ECMAScript.
        if (this.#take(/,?\d/uy) !== undefined) throw new NoEquivalent("{");
        return "\\{";
      case ".":
        return flags.s ? "[^]" : ".";
      case "^":
      case "$":
      case "|":
        return character;
      case "\\":
        // Nothing follows, so every language rejects the pattern.
        throw new NoEquivalent(character);
      default:
        return characterText(character, flags);
    }
  }

  #group({ 0: text, groups = {} }: RegExpExecArray, scopes: Flags[], flags: Flags): string {
    const { atomic, comment, ends, off = "", on = "", plain, same } = groups;
    if (comment !== undefined) return "";
    if (same !== undefined) return reference(same, flags);
    if (ends === ")") {
      scopes[scopes.length - 1] = withFlags(flags, on, off, text);
      return "";
    }
    scopes.push(ends === undefined ? flags : withFlags(flags, on, off, text));
    if (plain?.endsWith("!") === true) this.#hasNegation = true;
    if (atomic !== undefined) this.isLoose = true;
    const name = groups["python"] ?? groups["quoted"];
    if (name !== undefined) return `(?<${name}>`;
    if (plain !== undefined) return `(?${plain}`;
    return atomic === undefined && ends === undefined ? "(" : "(?:";
  }

  #times([text, mode]: RegExpExecArray): string {
    if (mode !== "+") return text;
    // A possessive repetition never gives characters back, so a greedy one matches more.
    this.isLoose = true;
    return text.slice(0, -1);
  }

  #class({ i }: Flags): string {
    const isNegated = this.#take(/\^/uy) !== undefined;
    const start = isNegated ? "[^" : "[";
    // In ECMAScript, this `]` ends the class. In other languages, it is the first character.
    if (this.#take(/\]/uy) !== undefined) throw new NoEquivalent(`${start}]`);
    const atoms: Atom[] = [];
    for (;;) {
      const named = this.#take(posixToken);
      if (named !== undefined) {
        const [syntax, negation, name = ""] = named;
        if (negation !== "" || (i && /^(?:low|upp)er$/.test(name))) throw new NoEquivalent(syntax);
        atoms.push({ text: getOwn(posix, name) ?? noEquivalent(syntax) });
        continue;
      }
      const escaped = this.#take(escapeToken)?.[0];
      const [character] = escaped === undefined ? (this.#take(/[^]/uy) ?? []) : [];
      if (escaped !== undefined) atoms.push(inside(escaped, i));
      else if (character === undefined || character === "]")
        return `${start}${rangesText(atoms, i)}${character ?? ""}`;
      else atoms.push(this.#member(character));
    }
  }

  #member(character: string): Atom {
    if (character === "[") this.#hasNested = true;
    const value = character.codePointAt(0) ?? 0;
    if (character === "-") return { text: "\\-", value, isDash: true };
    return { text: character === "[" ? "\\[" : character, value };
  }
}

/** Writes the members of a class. Beside a set of characters, a `-` means itself. */
function rangesText(atoms: readonly Atom[], ignoresCase: boolean): string {
  let out = "";
  for (let at = 0; at < atoms.length; at += 1) {
    const [first, dash, last] = atoms.slice(at, at + 3);
    if (first === undefined) break;
    // The second `-` begins a range in some languages, and means itself in others.
    if (first.value === undefined && dash?.isDash === true && last?.isDash === true)
      throw new NoEquivalent(`${first.text}--`);
    const isRange = dash?.isDash === true && first.value !== undefined && last?.value !== undefined;
    if (isRange) at += 2;
    out += isRange ? `${first.text}-${last.text}` : first.text;
    const { value } = first;
    if (ignoresCase && value !== undefined)
      out += otherCases(value, isRange ? (last.value ?? value) : value);
  }
  return out;
}

/** Maximum length of a range that ignores case. Most scripts have fewer letters. */
const maxRange = 1024;

/** Writes the characters that differ from those of a range only in case. */
function otherCases(first: number, last: number): string {
  if (last - first > maxRange) throw new NoEquivalent("(?i)");
  const others = new Set<number>();
  for (let value = first; value <= last; value += 1)
    for (const each of casesOf(String.fromCodePoint(value))) {
      const other = each.codePointAt(0) ?? value;
      if (other < first || other > last) others.add(other);
    }
  let out = "";
  const sorted = [...others].toSorted((a, b) => a - b);
  for (let at = 0; at < sorted.length; at += 1) {
    const from = sorted[at] ?? 0;
    let to = from;
    while (sorted[at + 1] === to + 1) {
      to += 1;
      at += 1;
    }
    const ends = [from, to].map((each) => String.fromCodePoint(each));
    out += to === from ? (ends[0] ?? "") : ends.join("-");
  }
  return out;
}

/** Upper and lower case of a letter, if each is one character. */
function casesOf(letter: string): readonly string[] {
  return [letter.toLowerCase(), letter.toUpperCase()].filter((each) => [...each].length === 1);
}

function characterText(character: string, { i }: Flags): string {
  const own = /[\^$\\.*+?()[\]{}|]/.test(character) ? `\\${character}` : character;
  const all = i ? new Set([character, ...casesOf(character)]) : new Set<string>();
  return all.size > 1 ? `[${[...all].join("")}]` : own;
}

function outside(text: string, flags: Flags): string {
  switch (text.charAt(1)) {
    case "A":
      return "^";
    case "z":
    case "Z":
      return "$";
    case "b":
    case "B":
      return text;
    case "k":
      return reference(text.slice(3, -1), flags);
  }
  if (/^\\[1-9]/.test(text)) return flags.i ? noEquivalent(text) : text;
  if (/^\\[pP]/.test(text)) return propertyText(text, flags.i, false);
  const { text: own, value } = character(text);
  if (value === undefined) return own;
  const cases = flags.i ? otherCases(value, value) : "";
  return cases === "" ? (own === "\\-" ? "-" : own) : `[${own}${cases}]`;
}

function inside(text: string, ignoresCase: boolean): Atom {
  if (text === "\\b") return { text, value: 8 };
  if (/^\\[pP]/.test(text)) return { text: propertyText(text, ignoresCase, true) };
  if (/^\\[AzZBk1-9]/.test(text)) throw new NoEquivalent(text);
  return character(text);
}

function noEquivalent(syntax: string): never {
  throw new NoEquivalent(syntax);
}

function reference(name: string, { i }: Flags): string {
  if (i) throw new NoEquivalent(`\\k<${name}>`);
  return `\\k<${name}>`;
}

/** Characters of escapes with the same meaning in most languages. */
const named: Readonly<Record<string, number>> = {
  a: 7,
  e: 27,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};

/** Reads an escape that means one character, or one of the sets `\d`, `\s` and `\w`. */
function character(text: string): Atom {
  const name = text.charAt(1);
  const digits = /^\\[ux]\{?([0-9A-Fa-f]+)\}?$/.exec(text)?.[1];
  if (digits !== undefined) {
    const value = Number.parseInt(digits, 16);
    if (value > 0x10_ff_ff) throw new NoEquivalent(text);
    return { text: text.replace("\\x{", "\\u{"), value };
  }
  if (text === "\\0") return { text, value: 0 };
  if (/^\\c[A-Za-z]$/.test(text)) return { text, value: text.charCodeAt(2) % 32 };
  if (/^\\[dDsSwW]$/.test(text)) return { text };
  const value = getOwn(named, name);
  if (value !== undefined)
    return { text: /[ae]/.test(name) ? `\\x${value.toString(16).padStart(2, "0")}` : text, value };
  const own = text.slice(1);
  if (/^[A-Za-z0-9]/.test(own)) throw new NoEquivalent(text);
  const isSyntax = /[\^$\\.*+?()[\]{}|/-]/.test(own);
  return { text: isSyntax ? text : own, value: own.codePointAt(0) ?? 0 };
}

/** The classes of POSIX, which Java also calls `\p{Alnum}`. */
const posix: Readonly<Record<string, string>> = {
  alnum: "a-zA-Z0-9",
  alpha: "a-zA-Z",
  ascii: "\\x00-\\x7f",
  blank: " \\t",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "\\x21-\\x7e",
  lower: "a-z",
  print: "\\x20-\\x7e",
  punct: "!-\\/:-@\\[-`\\{-~",
  space: "\\s",
  upper: "A-Z",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
};

/** Translates `\pL`, `\p{Alnum}` and `\p{Greek}`. */
function propertyText(text: string, ignoresCase: boolean, isInClass: boolean): string {
  if (ignoresCase) throw new NoEquivalent(text);
  const name = text.slice(2).replace(/^\{|\}$/g, "");
  const kind = text.slice(0, 2);
  const known = [`${kind}{${name}}`, `${kind}{Script=${name}}`].find(isProperty);
  if (known !== undefined) return known;
  const set = getOwn(posix, name.toLowerCase());
  const isJava = /^[A-Z]/.test(name) && set !== undefined;
  if (!isJava || (isInClass && kind === "\\P")) throw new NoEquivalent(text);
  return isInClass ? set : `[${kind === "\\P" ? "^" : ""}${set}]`;
}

function isProperty(text: string): boolean {
  try {
    return new RegExp(text, "u").source !== "";
  } catch {
    return false;
  }
}
