/** Any JSON value. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * JSON with a number that JavaScript's can't hold: `JSON.parse` would make it Infinity, which is no
 * JSON.
 */
export class NumberTooLarge extends Error {
  override readonly name = "NumberTooLarge";
}

/**
 * `JSON.parse`, for what others wrote.
 *
 * @throws SyntaxError for what is not JSON
 * @throws NumberTooLarge for a number beyond JavaScript's
 */
export function parseJson(text: string): JsonValue {
  // What `JSON.parse` gives is JSON; own properties only, one named `__proto__` included.
  return (largeNumber.test(text) ? JSON.parse(text, finite) : JSON.parse(text)) as JsonValue;
}

/** Without one of these no number is beyond what JavaScript's hold. */
const largeNumber = /\d{200}|[eE]\+?\d{3}/;

function finite(_key: string, value: unknown): unknown {
  if (value !== Infinity && value !== -Infinity) return value;
  throw new NumberTooLarge("a number is too large for JavaScript's");
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

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === quote) return at;
    if (unit === backslash) at += 1;
  }
  return json.length;
}
