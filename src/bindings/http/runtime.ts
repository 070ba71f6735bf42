/** The entry point `@skillc/runtime/v1/http`: imports for generated modules of HTTP tools. */
export type { HttpFault, HttpRecord, SavedFile, WithHeaders } from "./contract.js";
export {
  basic,
  bodyOf,
  clientCertificate,
  credential,
  fieldParts,
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
