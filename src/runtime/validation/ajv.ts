import ucs2lengthModule from "ajv/dist/runtime/ucs2length.js";

/**
 * The entry point `@skillc/runtime/v1/validation`: helpers of Ajv's standalone code for generated
 * validators, and the type of validators.
 */
export { equal, equalItems } from "../equal.js";
export * from "./checks.js";
export { type Format, formats } from "./formats.js";
export { isMultipleOf } from "./multiple-of.js";
export type { Validator } from "./validation.js";

/** Returns the length of a text in code points, for `minLength` and `maxLength`. */
export const ucs2length = functionOf<(text: string) => number>(ucs2lengthModule);

/**
 * Returns a CommonJS default export: bundlers import the function itself, Node a module with a
 * property.
 */
function functionOf<Helper>(module: unknown): Helper {
  const found =
    typeof module === "function" ? module : (module as { readonly default?: unknown }).default;
  if (typeof found !== "function") throw new Error("Ajv's runtime helpers have moved");
  // Ajv's own code calls it with these parameters.
  return found as Helper;
}
