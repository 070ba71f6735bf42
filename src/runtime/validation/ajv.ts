import ucs2lengthModule from "ajv/dist/runtime/ucs2length.js";

/**
 * What generated validators import: the helpers that Ajv's standalone code calls, and the type that
 * each validator is given.
 */
export { equal, equalItems } from "../equal.js";
export * from "./checks.js";
export { type Format, formats } from "./formats.js";
export { isMultipleOf } from "./multiple-of.js";
export type { Validator } from "./validation.js";

/** Length in code points: `minLength`, `maxLength`. */
export const ucs2length = functionOf<(text: string) => number>(ucs2lengthModule);

/**
 * A CommonJS default export: the function itself for bundlers, a property of the module for Node.
 */
function functionOf<Helper>(module: unknown): Helper {
  const found =
    typeof module === "function" ? module : (module as { readonly default?: unknown }).default;
  if (typeof found !== "function") throw new Error("ajv's runtime helpers are not where they were");
  // Ajv's own code calls it with these parameters.
  return found as Helper;
}
