/** The entry point `@skillc/runtime/v1/http`: what generated modules of HTTP tools import. */
export type { HttpFault, HttpRecord, WithHeaders } from "./contract.js";
export {
  bodyOf,
  credential,
  http,
  omit,
  pick,
  segment,
  segmentOf,
  styled,
  text,
} from "./execute.js";
