/**
 * The entry point `@skillc/runtime/v1/handler`: what generated modules of tools without a binding
 * import.
 */
export { handler } from "./execute.js";
