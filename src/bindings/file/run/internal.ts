/** The entry point `@skillc/runtime/internal/file`: facts that the compiler and the runtime share. */
export { maxTemporaryBytes } from "../../../runtime/files/temporary-folders.js";
export {
  type FileEncoding,
  type FileOperation,
  readOperations,
  statusesOf,
  usualEntries,
  usualFileBytes,
} from "./contract.js";
