/** The entry point `@skillc/runtime/v1/http`: what generated modules of HTTP tools import. */
export type { HttpFault, HttpRecord, SavedFile, WithHeaders } from "./contract.js";
export {
  basic,
  bodyOf,
  clientCertificate,
  credential,
  form,
  http,
  omit,
  pick,
  raw,
  segment,
  segmentOf,
  styled,
  text,
} from "./execute.js";
