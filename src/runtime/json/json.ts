import { pointerStep } from "./pointer.js";
import { endOfString, quote, withDigitsQuoted } from "./rounded-integers.js";

/** Any JSON value. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** JSON with a number that a JavaScript number can't hold. */
export class UnheldNumber extends Error {
  override readonly name = "UnheldNumber";
  /** JSON pointer to the first such number. */
  readonly pointer: string;
  /** The rest of a sentence about it: `is an integer that …`. It has none of its digits. */
  readonly problem: string;

  constructor(pointer: string, problem: string) {
    super(`${pointer === "" ? "the value" : pointer} ${problem}`);
    this.pointer = pointer;
    this.problem = problem;
  }
}

/** `JSON.parse` gives Infinity for it, which is no JSON. */
const tooLarge = "is a number that is too large for JavaScript's";
const rounded = `is an integer beyond ±${Number.MAX_SAFE_INTEGER}, whose digits a number can't hold`;

/** What JSON text says. */
export interface ParsedJson {
  readonly value: JsonValue;
  /**
   * The same with the digits of each integer that `value` holds rounded, as text. Undefined if
   * `value` is exact.
   */
  readonly exact?: JsonValue;
}

/**
 * `JSON.parse` for text that others wrote. All text that comes in is read here: an integer whose
 * digits a number can't hold never becomes another integer.
 *
 * Numbers deeper than `deepestJson` are not looked at: no such value goes on.
 *
 * @throws SyntaxError for text that is not JSON
 * @throws UnheldNumber for such an integer, and for a number that would become Infinity
 */
export function parseJson(text: string): JsonValue {
  const { value, exact } = readJson(text);
  if (exact === undefined) return value;
  throw new UnheldNumber(findNumber(value, exact, isRounded) ?? "", rounded);
}

/**
 * The same, for text of which only a part may go on: `requireExact` asks whether that part is exact.
 *
 * @throws SyntaxError for text that is not JSON
 * @throws UnheldNumber for a number that would become Infinity
 */
export function readJson(text: string): ParsedJson {
  const value = parsed(text);
  if (!hasLargeNumber(value, 0)) return { value };
  const infinite = findNumber(value, value, (number) => !Number.isFinite(number));
  if (infinite !== undefined) throw new UnheldNumber(infinite, tooLarge);
  return withExact(text, value);
}

/**
 * The same, for a reader that looks for Infinity itself.
 *
 * @throws SyntaxError for text that is not JSON
 */
export function readJsonOrInfinity(text: string): ParsedJson {
  const value = parsed(text);
  return hasLargeNumber(value, 0) ? withExact(text, value) : { value };
}

function parsed(text: string): JsonValue {
  // What `JSON.parse` gives is JSON; own properties only, one named `__proto__` included.
  return JSON.parse(text) as JsonValue;
}

/** Reads the text's digits, for which a pattern over the text takes longer than `JSON.parse`. */
function withExact(text: string, value: JsonValue): ParsedJson {
  // The text was JSON, and stays JSON with a number in quotes.
  const exact = parsed(withDigitsQuoted(text));
  return findNumber(value, exact, isRounded) === undefined ? { value } : { value, exact };
}

/** @throws UnheldNumber if a part of what was read holds an integer that is not exact */
export function requireExact(part: unknown, { exact, value }: ParsedJson): void {
  if (exact === undefined) return;
  const places = new Map<unknown, string>();
  findNumber(value, exact, (number, written, pointer) => {
    if (isRounded(number, written) && !places.has(number)) places.set(number, pointer());
    return false;
  });
  let place: string | undefined;
  findNumber(part, part, (number) => (place = places.get(number)) !== undefined);
  if (place !== undefined) throw new UnheldNumber(place, rounded);
}

const largest = Number.MAX_SAFE_INTEGER;

/** Asked of all JSON that comes in: a list of its own for the common case. */
function hasLargeNumber(value: JsonValue, depth: number): boolean {
  if (typeof value === "number") return value > largest || value < -largest;
  if (typeof value !== "object" || value === null || depth > deepestJson) return false;
  if (isList(value)) {
    for (const each of value) if (mayBeLarge(each) && hasLargeNumber(each, depth + 1)) return true;
    return false;
  }
  for (const name in value) {
    const each = value[name];
    if (mayBeLarge(each) && hasLargeNumber(each, depth + 1)) return true;
  }
  return false;
}

/** Saves a call for texts and most numbers. */
function mayBeLarge(value: JsonValue | undefined): value is JsonValue {
  if (typeof value === "number") return value > largest || value < -largest;
  return typeof value === "object" && value !== null;
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

type NumberTest = (value: number, written: unknown, pointer: () => string) => boolean;

/**
 * The pointer of the first number below a value that the test is true of. `written` is read beside
 * the value: what stands at the same place in it.
 */
function findNumber(value: unknown, written: unknown, test: NumberTest): string | undefined {
  const path: string[] = [];
  const pointer = (): string => path.map(pointerStep).join("");
  const visit = (at: unknown, beside: unknown): boolean => {
    if (typeof at === "number") return test(at, beside, pointer);
    if (typeof at !== "object" || at === null || path.length > deepestJson) return false;
    if (ArrayBuffer.isView(at)) return false;
    for (const name of Object.keys(at)) {
      path.push(name);
      if (visit(member(at, name), member(beside, name))) return true;
      path.pop();
    }
    return false;
  };
  return visit(value, written) ? pointer() : undefined;
}

/** Both are trees of the same form, and `name` is an own property of theirs. */
function member(value: unknown, name: string): unknown {
  return (value as { readonly [name: string]: unknown } | undefined)?.[name];
}

function isRounded(_value: number, written: unknown): boolean {
  return typeof written === "string";
}

/**
 * Levels of arrays and objects that a body may have. `JSON.parse` takes millions, but everything
 * after it, `JSON.stringify` included, is recursive and would run out of stack.
 */
export const deepestJson = 1000;

/** Whether JSON text nests deeper than that. Linear, and free for texts too short to. */
export function isTooDeep(json: string): boolean {
  if (json.length <= deepestJson) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === quote) at = endOfString(json, at);
    else if (unit === openBracket || unit === openBrace) {
      depth += 1;
      if (depth > deepestJson) return true;
    } else if (unit === closeBracket || unit === closeBrace) depth -= 1;
  }
  return false;
}

const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
