/** Where a text stops being JSON. Quotes none of it: the engine's own message does, and its wording changes with its version. */
export interface JsonSyntaxProblem {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** Whether all that is there is right, and more should follow. */
  readonly endsEarly: boolean;
  /** What should stand there: ``a value``, ``"`,` or `}`"``. */
  readonly expected: string;
}

/** The first syntax problem of a text that `JSON.parse` refuses; undefined when it nests too deep to look for one. */
export function findJsonSyntaxProblem(text: string): JsonSyntaxProblem | undefined {
  try {
    const reader = new Reader(text);
    reader.value(0);
    reader.end();
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxStop)) throw thrown;
    return thrown.expected === undefined ? undefined : problemAt(text, thrown.at, thrown.expected);
  }
}

function problemAt(text: string, at: number, expected: string): JsonSyntaxProblem {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  return { line, column, endsEarly: at === text.length, expected };
}

/** Deeper values are not followed. */
const deepest = 500;

const space = /[ \t\n\r]*/y;
/** Characters that a string may hold, up to its end or to what it may not hold. */
const inString = /(?:[^"\\\p{Cc}]|[\u007f-\u009f])*/uy;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
/** The start of one of these, and of an escape, that the text's end cuts off. */
const cutScalar = /(?:-|-?\d+(?:\.|(?:\.\d+)?[eE][+-]?)|tr?u?|fa?l?s?|nu?l?)$/y;
const cutEscape = /\\(?:u[\da-fA-F]{0,3})?$/y;

class SyntaxStop {
  readonly at: number;
  readonly expected: string | undefined;

  constructor(at: number, expected?: string) {
    this.at = at;
    this.expected = expected;
  }
}

/** Reads JSON by its grammar (RFC 8259), and throws a `SyntaxStop` where it can't go on. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): void {
    this.#skip(space);
    if (depth > deepest) throw new SyntaxStop(this.#at);
    const char = this.#text[this.#at];
    if (char === "{") return this.#members("}", () => this.#property(depth + 1));
    if (char === "[") return this.#members("]", () => this.value(depth + 1));
    if (char === '"') return this.#string();
    if (this.#skip(scalar)) return;
    this.#skip(cutScalar);
    this.#refuse("a value");
  }

  end(): void {
    this.#skip(space);
    if (this.#at < this.#text.length) this.#refuse("the end of the text");
  }

  #members(close: "}" | "]", member: () => void): void {
    this.#at += 1;
    this.#skip(space);
    if (this.#take(close)) return;
    do member();
    while (this.#goesOn(close));
  }

  #goesOn(close: "}" | "]"): boolean {
    this.#skip(space);
    if (this.#take(close)) return false;
    if (this.#take(",")) return true;
    return this.#refuse(`\`,\` or \`${close}\``);
  }

  #property(depth: number): void {
    this.#skip(space);
    if (this.#text[this.#at] !== '"') this.#refuse("a property's name in double quotes");
    this.#string();
    this.#skip(space);
    if (!this.#take(":")) this.#refuse("`:`");
    this.value(depth);
  }

  #string(): void {
    this.#at += 1;
    do this.#skip(inString);
    while (this.#skip(escape));
    if (this.#take('"')) return;
    if (this.#text[this.#at] === "\\" && !this.#skip(cutEscape)) this.#refuse("an escape of JSON");
    const isControl = this.#at < this.#text.length;
    this.#refuse(isControl ? "an escape in place of a control character" : 'a closing `"`');
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  /** Whether anything was there. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found !== "";
  }

  #refuse(expected: string): never {
    throw new SyntaxStop(this.#at, expected);
  }
}
