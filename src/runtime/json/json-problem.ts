/**
 * The place where a text stops being JSON (RFC 8259), and how. It contains none of the text; the
 * caller writes the message. Offsets are UTF-16 units.
 *
 * `JSON.parse` reports the place only in English. `jsonc-parser` is no replacement: it is
 * recursive, so deep text overflows the stack; its error codes are a `const enum`, which isolated
 * modules can't import; and it doesn't report the place of a bad escape.
 */
export interface JsonProblem {
  readonly kind: JsonProblemKind;
  readonly start: number;
  readonly end: number;
  /** The kind of token that belongs here. */
  readonly expected: ExpectedJson;
  /** Innermost open bracket. */
  readonly opened?: JsonBracket;
  /** Offset of a comma before a closing bracket. */
  readonly comma?: number;
  /** True if the text is correct so far, but incomplete. */
  readonly endsEarly: boolean;
}

export type JsonProblemKind =
  /** End of the text. */
  | "end"
  /** A token of JSON in the wrong place. */
  | "misplaced"
  /** Something that is not a token of JSON. */
  | "word"
  /** An invalid escape in a string. */
  | "escape"
  /** A control character in a string, other than a line break. */
  | "control"
  /** A string with a line break, up to the line break. */
  | "line-in-string"
  /** Opening quote of a string that doesn't end. */
  | "open-string";

export type ExpectedJson =
  "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end" | "end";

export interface JsonBracket {
  readonly bracket: "{" | "[";
  readonly at: number;
}

/**
 * Finds the first place where a text is not JSON; undefined if `JSON.parse` accepts the text. It is
 * not recursive.
 *
 * @param from offset at which the JSON begins
 */
export function findJsonProblem(text: string, from = 0): JsonProblem | undefined {
  const open: JsonBracket[] = [];
  let expected: ExpectedJson = "value";
  let comma: number | undefined;
  for (let at = from; ;) {
    at = endOfAll(space, text, at);
    const token = tokenAt(text, at);
    if (token.kind === "end" && expected === "end") return undefined;
    const opened = open.at(-1);
    const { kind, start, end, endsEarly = false } = token;
    const problem = { start, end, endsEarly, expected, ...(opened && { opened }) };
    if (isInvalid(kind)) return { ...problem, kind };
    if (!fits(kind, expected, opened?.bracket)) {
      if (comma !== undefined && (kind === "}" || kind === "]"))
        return { ...problem, kind: "misplaced", comma };
      return kind === "end"
        ? { ...problem, kind, endsEarly: true }
        : { ...problem, kind: "misplaced" };
    }
    comma = kind === "," ? start : undefined;
    if (kind === "{" || kind === "[") open.push({ bracket: kind, at });
    if (kind === "}" || kind === "]") open.pop();
    expected = after(kind, expected, open.at(-1)?.bracket);
    at = end;
  }
}

type Mark = "{" | "}" | "[" | "]" | ":" | ",";
type Invalid = Exclude<JsonProblemKind, "end" | "misplaced">;
type TokenKind = Mark | "string" | "scalar" | "end" | Invalid;

interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** Set if the end of the text cuts the token off. */
  readonly endsEarly?: true;
}

const space = /[ \t\n\r]{1,4096}/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
/** Beginning of a number or word at the end of the text. */
const cutScalar = /(?:-|-?(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE][+-]?)|tr?u?|fa?l?s?|nu?l?)$/y;
const word = /[^\s{}[\]:,"]{1,4096}/y;
const inString = /(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})){1,4096}/uy;
/** Beginning of an escape at the end of the text. */
const cutEscape = /\\(?:u[\da-fA-F]{0,3})?$/y;

/** @returns `at` if there is no match */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/**
 * Returns the end of all repetitions of a pattern. It uses a loop, because a pattern uses stack for
 * its own repetitions and would overflow on megabytes.
 */
function endOfAll(pattern: RegExp, text: string, start: number): number {
  for (let at = start; ;) {
    const end = endOf(pattern, text, at);
    if (end === at) return at;
    at = end;
  }
}

function tokenAt(text: string, start: number): Token {
  const char = text[start];
  if (char === undefined) return { kind: "end", start, end: start };
  if (isMark(char)) return { kind: char, start, end: start + 1 };
  if (char === '"') return stringAt(text, start);
  const end = endOf(scalar, text, start);
  if (end > start) return { kind: "scalar", start, end };
  const cut = endOf(cutScalar, text, start);
  if (cut > start) return { kind: "word", start: cut, end: cut, endsEarly: true };
  return { kind: "word", start, end: Math.max(endOfAll(word, text, start), start + 1) };
}

function isMark(char: string): char is Mark {
  return "{}[]:,".includes(char);
}

function stringAt(text: string, start: number): Token {
  const at = endOfAll(inString, text, start + 1);
  switch (text[at]) {
    case '"':
      return { kind: "string", start, end: at + 1 };
    case "\n":
    case "\r":
      return { kind: "line-in-string", start, end: at };
    case "\\":
      if (endOf(cutEscape, text, at) > at) break;
      return { kind: "escape", start: at, end: at + 2 };
    case undefined:
      break;
    default:
      return { kind: "control", start: at, end: at + 1 };
  }
  return { kind: "open-string", start, end: start + 1, endsEarly: true };
}

function isInvalid(kind: TokenKind): kind is Invalid {
  return ["word", "escape", "control", "line-in-string", "open-string"].includes(kind);
}

function fits(
  kind: TokenKind,
  expected: ExpectedJson,
  inside: JsonBracket["bracket"] | undefined,
): boolean {
  const closes = (kind === "}" && inside === "{") || (kind === "]" && inside === "[");
  const starts = kind === "string" || kind === "scalar" || kind === "{" || kind === "[";
  switch (expected) {
    case "value":
      return starts;
    case "value-or-end":
      return closes || starts;
    case "key":
      return kind === "string";
    case "key-or-end":
      return closes || kind === "string";
    case "colon":
      return kind === ":";
    case "comma-or-end":
      return closes || kind === ",";
    case "end":
      return false;
  }
}

function after(
  kind: TokenKind,
  expected: ExpectedJson,
  inside: JsonBracket["bracket"] | undefined,
): ExpectedJson {
  if (kind === "{") return "key-or-end";
  if (kind === "[") return "value-or-end";
  if (kind === ",") return inside === "{" ? "key" : "value";
  if (kind === ":") return "value";
  if (kind === "string" && (expected === "key" || expected === "key-or-end")) return "colon";
  return inside === undefined ? "end" : "comma-or-end";
}

/**
 * Describes the place as the end of a sentence; empty if the text is JSON. It contains none of the
 * text.
 */
export function jsonProblemInWords(json: string): string {
  const problem = findJsonProblem(json);
  if (problem === undefined) return "";
  const at = problem.endsEarly
    ? json.length
    : problem.kind === "line-in-string"
      ? problem.end
      : problem.start;
  const before = json.slice(0, at);
  const place = `line ${before.split("\n").length}, column ${at - before.lastIndexOf("\n")}`;
  return problem.endsEarly
    ? `: the text ends early, at ${place}, before ${wanted(problem)}`
    : `: expected ${wanted(problem)} at ${place}`;
}

/**
 * Describes what is expected. The engine's own message quotes the text and differs between
 * versions.
 */
function wanted({ expected, kind, opened }: JsonProblem): string {
  if (kind === "open-string") return 'a closing `"`';
  if (kind === "escape") return "a valid JSON escape";
  if (kind === "control" || kind === "line-in-string")
    return "an escape instead of a control character";
  switch (expected) {
    case "value":
    case "value-or-end":
      return "a value";
    case "key":
    case "key-or-end":
      return "a property's name in double quotes";
    case "colon":
      return "`:`";
    case "comma-or-end":
      return opened?.bracket === "{" ? "`,` or `}`" : "`,` or `]`";
    case "end":
      return "the end of the text";
  }
}
