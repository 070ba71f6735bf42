/** The entry point `@skillc/runtime/v1/http`: what generated modules of HTTP tools import. */
export type { HttpFault, HttpRecord, SavedFile, WithHeaders } from "./contract.js";
export {
  basic,
  bodyOf,
  clientCertificate,
  credential,
  filePart,
  form,
  http,
  jsonPart,
  multipart,
  omit,
  pick,
  raw,
  rawFile,
  segment,
  segmentOf,
  styled,
  text,
  textPart,
} from "./execute.js";
