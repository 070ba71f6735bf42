import { fullFormats } from "ajv-formats/dist/formats.js";
import ucs2lengthModule from "ajv/dist/runtime/ucs2length.js";
import { isUrl } from "./url-format.js";

/** What generated validators import: the helpers that Ajv's standalone code calls, and the type that each validator is given. */
export { equalItems } from "./equal-items.js";
export { isMultipleOf } from "./multiple-of.js";
export type { Validator } from "./validation.js";

/**
 * Deep equality of JSON values, by own properties: `const`, `enum`. In place of fast-deep-equal, which Ajv would use: that
 * one calls a value's own `toString` and `valueOf`, and so throws on `{"toString": 1}`.
 */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((each, index) => equal(each, b[index]))
    );
  }
  const entries = Object.entries(a);
  if (entries.length !== Object.keys(b).length) return false;
  return entries.every(
    ([name, each]) => Object.hasOwn(b, name) && equal(each, (b as Record<string, unknown>)[name]),
  );
}

/** Length in code points: `minLength`, `maxLength`. */
export const ucs2length = functionOf<(text: string) => number>(ucs2lengthModule);

export interface Format {
  readonly type?: "string" | "number";
  readonly validate: RegExp | ((value: never) => boolean);
}

/** The formats of ajv-formats in full mode, those that check something, in one shape; its `url` takes quadratic time. */
export const formats: { readonly [name: string]: Format } = Object.fromEntries(
  Object.entries({ ...fullFormats, url: isUrl }).flatMap(([name, format]): [string, Format][] => {
    if (typeof format === "boolean") return [];
    if (format instanceof RegExp || typeof format === "function")
      return [[name, { validate: format }]];
    // The definitions are synchronous and none has a textual pattern: the package's own type allows both.
    return [[name, format as Format]];
  }),
);

/** A CommonJS default export: the function itself for bundlers, a property of the module for Node. */
function functionOf<Helper>(module: unknown): Helper {
  const found =
    typeof module === "function" ? module : (module as { readonly default?: unknown }).default;
  if (typeof found !== "function") throw new Error("ajv's runtime helpers are not where they were");
  // Ajv's own code calls it with these parameters.
  return found as Helper;
}
