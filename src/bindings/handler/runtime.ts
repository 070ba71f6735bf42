/** The entry point `skillc/runtime/handler`: what generated modules of tools without a binding import. */
export { handler } from "./execute.js";
