import type { JsonValue } from "./json.js";

/** JSON with a number that JavaScript's can't hold: `JSON.parse` would make it Infinity, which is no JSON. */
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
