/** The entry point `@skillc/runtime/v1/file`, which generated modules of file tools import. */
export { pick } from "../../../runtime/values/pick.js";
export { pathSegment as segment } from "../../../runtime/values/segment.js";
export { credential, text } from "../../../runtime/values/text.js";
export type {
  ChangedFile,
  FileBase64,
  FileEntry,
  FileFault,
  FileList,
  FileRecord,
  FileText,
  TemporaryFolder,
} from "./contract.js";
export { file } from "./execute.js";
export { below, given, path } from "./file-path.js";
