/**
 * The entry point `@skillc/runtime/v1/handler`: imports for generated modules of tools without a
 * binding.
 */
export { handler } from "./execute.js";
