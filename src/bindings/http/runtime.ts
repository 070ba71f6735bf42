/** The entry point `skillc/runtime/http`: what generated modules of HTTP tools import. */
export type { HttpFault, HttpRecord } from "./contract.js";
export { credential, http, omit, pick, segment, segmentOf, selector, text } from "./execute.js";
