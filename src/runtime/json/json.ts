import { pointerStep } from "./pointer.js";
import { endOfString, quote, withDigitsQuoted } from "./rounded-integers.js";

/** Any JSON value. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** The error of JSON with a number that a JavaScript number can't hold. */
export class UnheldNumber extends Error {
  override readonly name = "UnheldNumber";
  /** JSON pointer to the first such number. */
  readonly pointer: string;
  /**
   * The rest of a sentence about the number: `is an integer that …`. It contains none of the
   * digits.
   */
  readonly problem: string;

  constructor(pointer: string, problem: string) {
    super(`${pointer === "" ? "the value" : pointer} ${problem}`);
    this.pointer = pointer;
    this.problem = problem;
  }
}

/** `JSON.parse` returns Infinity for such a number, which is not JSON. */
const tooLarge = "is a number that is too large for JavaScript";
const rounded = `is an integer beyond ±${Number.MAX_SAFE_INTEGER}, which a JavaScript number can't represent exactly`;

/** Result of reading JSON. */
export interface ParsedJson {
  readonly value: JsonValue;
  /**
   * The same value, with text in place of each integer that `value` rounds. Undefined if `value` is
   * exact.
   */
  readonly exact?: JsonValue;
}

/**
 * Parses JSON from others. All received JSON is parsed here, so that an integer whose digits a
 * number can't hold never becomes another integer.
 *
 * It doesn't check numbers deeper than `deepestJson`, because such values are rejected.
 *
 * @throws SyntaxError if the text is not JSON
 * @throws UnheldNumber for an integer that would be rounded, or a number that would become Infinity
 */
export function parseJson(text: string): JsonValue {
  const { value, exact } = readJson(text);
  if (exact === undefined) return value;
  throw new UnheldNumber(findNumber(value, exact, isRounded) ?? "", rounded);
}

/**
 * Parses JSON of which only a part is used. `requireExact` checks that part.
 *
 * @throws SyntaxError if the text is not JSON
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
 * Parses JSON for a caller that checks for Infinity itself.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function readJsonOrInfinity(text: string): ParsedJson {
  const value = parsed(text);
  return hasLargeNumber(value, 0) ? withExact(text, value) : { value };
}

function parsed(text: string): JsonValue {
  // `JSON.parse` returns JSON with own properties only, including one named `__proto__`.
  return JSON.parse(text) as JsonValue;
}

/**
 * Parses again with the digits as text, only if needed: searching the text takes longer than
 * `JSON.parse`.
 */
function withExact(text: string, value: JsonValue): ParsedJson {
  // The text is JSON, and stays JSON with numbers in quotes.
  const exact = parsed(withDigitsQuoted(text));
  return findNumber(value, exact, isRounded) === undefined ? { value } : { value, exact };
}

/**
 * Checks a part of what was read.
 *
 * @throws UnheldNumber if it contains an integer that was rounded
 */
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

/**
 * Returns whether there may be a rounded number. All received JSON passes here, so the usual case
 * is fast.
 */
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

/** Avoids a call for texts and most numbers. */
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
 * Returns the pointer of the first number for which the test is true. `written` is traversed in
 * parallel, and its value at the same place is passed to the test.
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

/** Both values have the same structure, and `name` is an own property of both. */
function member(value: unknown, name: string): unknown {
  return (value as { readonly [name: string]: unknown } | undefined)?.[name];
}

function isRounded(_value: number, written: unknown): boolean {
  return typeof written === "string";
}

/**
 * Maximum depth of a body. `JSON.parse` accepts millions of levels, but later code, including
 * `JSON.stringify`, is recursive and would overflow the stack.
 */
export const deepestJson = 1000;

/** Returns whether JSON text is too deep, in linear time. Short texts need no check. */
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
